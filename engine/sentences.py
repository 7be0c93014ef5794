"""What the engine says to people: English, and ready to be said in other languages, of which the engine knows none."""

from collections.abc import Mapping, Sequence
from typing import Any, Final


class Sentence(str):
    """An English sentence, or a part of one, that still knows what it was made of.

    ``template`` has a place ``{name}`` for each of ``args``; whoever speaks another language looks it up there and
    fills it anew. An arg that is a Sentence is words of ours and told in that language too; any other (a number, words
    of the notation, what somebody wrote) is shown as it is.

    >>> told = Sentence("no {color} knight stands on {space}", color=Sentence("black"), space="t1")
    >>> told
    'no black knight stands on t1'
    >>> told.template
    'no {color} knight stands on {space}'
    """

    __slots__ = ("args", "template")

    template: str
    args: Mapping[str, object]

    def __new__(cls, template: str, /, **args: object) -> "Sentence":
        """The template, which is always a literal, filled with ``args``."""
        told = super().__new__(cls, template.format(**args))
        told.template = template
        told.args = args
        return told

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """For copies and pickles: they are made of the same parts."""
        return (self.template,), dict(self.args)


def chain(template: str, items: Sequence[str]) -> str:
    """Several things as one: the first and, as ``other``, all the rest; ``{one} or {other}``.

    >>> chain("{one} or {other}", ["t1", "t2", "t3"])
    't1 or t2 or t3'
    """
    *before, told = items
    for item in reversed(before):
        told = Sentence(template, one=item, other=told)
    return told


_TEMPLATE: Final = "template"
_ARGS: Final = "args"


def sentence_to_json(sentence: Sentence) -> dict[str, Any]:
    """A sentence as JSON that can be told later in the language of whoever reads it then."""
    args = {name: sentence_to_json(arg) if isinstance(arg, Sentence) else arg for name, arg in sentence.args.items()}
    return {_TEMPLATE: sentence.template, _ARGS: args}


def sentence_from_json(value: Mapping[str, Any]) -> Sentence:
    """The sentence that was stored."""
    args = {name: sentence_from_json(arg) if isinstance(arg, Mapping) else arg for name, arg in value[_ARGS].items()}
    return Sentence(value[_TEMPLATE], **args)
