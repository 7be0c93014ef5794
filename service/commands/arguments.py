"""What may stand after the word of a command, read strictly: the arguments fit, or ``Unfit`` says which does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Final, Literal, cast
from zoneinfo import available_timezones

from engine import RULES, NotationError
from engine.lines import quote
from engine.reading import without_hint
from service.commands import model
from service.i18n import LANGUAGES, told
from service.i18n import gettext as _

#: How many entries of the log are shown if no number is said, and at most.
HISTORY, MOST_HISTORY = 12, 100
#: Kinds of mail, as people call them, and as they are called inside (``service.mail.tokens.KINDS``).
MAILS: Final = {
    "turn": "turn",
    "turns": "turn",
    "reminder": "reminder",
    "reminders": "reminder",
    "news": "news",
    "invitation": "invitation",
    "invitations": "invitation",
}
_IN_ENGLISH: Final = {"english": "en", "german": "de", "french": "fr", "francais": "fr"}
#: Numbers that people write as words.
NUMBERS: Final = {
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "twelve": "12",
}
Read = Callable[[Sequence[str]], model.Command]


class Unfit(Exception):  # noqa: N818 - not an error of ours: the words are no command
    """Words that do not fit: ``word`` is the one that is wrong, ``message`` says why and what would be right.

    ``otherwise``: what they say all the same, if nothing like them is known that would fit. ``sure``: they have the
    shape of the command and are no prose, whatever is wrong with them. ``bare``: the message where what was probably
    meant is told beside it.
    """

    def __init__(
        self,
        word: str,
        message: str,
        suggestion: str = "",
        *,
        otherwise: model.Command | None = None,
        sure: bool = False,
    ) -> None:
        super().__init__(message)
        self.word, self.message, self.suggestion = quote(word), message, suggestion
        self.bare, self.otherwise, self.sure = message, otherwise, sure


def said(
    word: str,
    template: str,
    /,
    suggestion: str = "",
    *,
    otherwise: model.Command | None = None,
    sure: bool = False,
    **facts: object,
) -> Unfit:
    """The refusal of one word: ``{word}`` in the template, which was looked up already, is where it is quoted."""
    told = template.format(word=quote(word), **facts)
    return Unfit(word, told, suggestion, otherwise=otherwise, sure=sure)


def of_engine(error: NotationError) -> Unfit:
    """What the engine could not read, in its words."""
    unfit = Unfit(error.word, told(error))
    unfit.bare = told(without_hint(error.message))
    return unfit


def nothing(command: model.Command, name: str) -> Read:
    """For a command that stands alone."""

    def read(words: Sequence[str]) -> model.Command:
        if words:
            raise said(words[0], _("'{word}' is too much: {name} stands alone in its line"), name=name)
        return command

    return read


def pause(words: Sequence[str]) -> model.Command:
    """``pause mail``."""
    if not words:
        raise said("pause", _("'{word}' is not all: pause mail says what to pause"), "pause mail")
    if not _says_mail(words):
        raise said(words[0], _("'{word}' does not fit: only mail can be told to pause, with pause mail"))
    return model.Simple("pause mail")


def resume(words: Sequence[str]) -> model.Command:
    """``resume``: one's seat; ``resume mail``: mails."""
    if not words:
        return model.Simple("resume")
    if not _says_mail(words):
        raise said(words[0], _("'{word}' is too much: it is resume for your seat, or resume mail for mails"))
    return model.Simple("resume mail")


def _says_mail(words: Sequence[str]) -> bool:
    return [word.lower() for word in words] in (["mail"], ["mails"])


def history(words: Sequence[str]) -> model.Command:
    """``history``, ``history 12``."""
    if not words:
        return model.History(HISTORY)
    _no_more(words, 1, _("'{word}' is too much: history takes one number"))
    number = re.fullmatch(r"#?([0-9]{1,6})[.)]?", words[0])
    if number is None:
        template = _("'{word}' is no number: history goes with how many entries to show, like {example}")
        raise said(words[0], template, example=f"history {HISTORY}")
    if not 1 <= int(number[1]) <= MOST_HISTORY:
        raise said(words[0], _("'{word}' is out of range: history shows 1 to {most} entries"), most=MOST_HISTORY)
    return model.History(int(number[1]))


@cache
def rule_words() -> frozenset[str]:
    """Every word of the rules that is worth asking for, and every id, in lower case."""
    texts = " ".join(RULES.values()).lower()
    return frozenset(re.findall(r"[a-z]{4,}|c[1-9]", texts)) | {"die", "gem"} | {rule.lower() for rule in RULES}


#: What comes after "rules" in a sentence of one word more.
_NO_SUBJECTS: Final = frozenset((
    "all", "and", "any", "apply", "are", "exist", "for", "is", "matter", "not", "okay", "please", "rock", "rule",
    "suck", "that", "the", "then", "this", "too", "was", "were", "what", "why", "you", "your",
))  # fmt: skip


def rules(words: Sequence[str]) -> model.Command:
    """``rules``, ``rules dragon``, ``rules R-DRAG-4``."""
    if not words:
        return model.Rules("")
    _no_more(words, 1, _("'{word}' is too much: rules takes one word or one id"))
    low = words[0].lower()
    for candidate in (low, f"r-{low}", low.removesuffix("s")):
        if candidate in rule_words():
            return model.Rules(candidate.upper() if candidate.startswith("r-") else candidate)
    if f"{low}s" in rule_words():
        return model.Rules(low)
    if low in {rule.lower().rpartition("-")[0] for rule in RULES} | {"set", "move", "card", "drag", "end"}:
        return model.Rules(low.removeprefix("r-"))
    # Whatever else somebody may look up; that no rule speaks of it is an answer too.
    asked = low.isalpha() and len(low) > 2 and low not in _NO_SUBJECTS
    template = _("'{word}' stands in no rule: rules goes with a word like dragon or an id like R-DRAG-4")
    raise said(words[0], template, otherwise=model.Rules(low) if asked else None)


def games(words: Sequence[str]) -> model.Command:
    """``games``, ``games open``."""
    if not words:
        return model.Games(open=False)
    if [word.lower() for word in words] == ["open"]:
        return model.Games(open=True)
    raise said(words[0], _("'{word}' does not fit: it is games for your own, or games open for those with a free seat"))


def join(words: Sequence[str]) -> model.Command:
    """``join k3mq9x2w7p``: an id of a game or a join code."""
    if not words:
        raise said("join", _("'{word}' is not all: after it comes the code or the id of the game"))
    code = words[0].lower().lstrip("#")
    # Read out in parts it is written in parts; what follows a whole one is not part of it.
    whole = code if _of_ours(code) else "".join(words).lower().lstrip("#").replace("-", "")
    if _of_ours(whole) and whole != code:
        return model.Join(whole)
    _no_more(words, 1, _("'{word}' is too much: join takes one code"))
    if not _of_ours(code) and not (re.fullmatch(r"[a-z0-9-]{4,20}", code) and re.search("[0-9]", code)):
        raise said(words[0], _("'{word}' is no code: those are 10 or 12 letters and digits, like join k3mq9x2w7p"))
    return model.Join(code)


def _of_ours(code: str) -> bool:
    """Whether it looks like a join code or the id of a game."""
    return re.fullmatch(r"[2-9a-hj-km-np-z]{10}(?:..)?", code) is not None


def digest(words: Sequence[str]) -> model.Command:
    """``digest off``, ``digest on``, ``digest on 7``."""
    if not words:
        raise said("digest", _("'{word}' is not all: it is digest on, digest on 7 (the hour) or digest off"))
    first, rest = words[0].lower(), [word for word in words[1:] if word.lower() != "at"]
    if first not in ("on", "off"):
        raise said(words[0], _("'{word}' does not fit: digest goes with on or off"))
    if first == "off" or not rest:
        _no_more(words, 1, _("'{word}' is too much: {name} stands alone in its line"), name=f"digest {first}")
        return model.Digest(on=first == "on")
    _no_more(rest, 1, _("'{word}' is too much: digest on takes one hour"))
    hour = re.fullmatch(r"([0-9]{1,2})(:00|h|am|pm)?[.)]?", rest[0].lower())
    if hour is None or int(hour[1]) > (12 if hour[2] in ("am", "pm") else 23):
        raise said(rest[0], _("'{word}' is no full hour: digest on goes with one from 0 to 23, like digest on 7"))
    number = int(hour[1]) % 12 + (12 if hour[2] == "pm" else 0) if hour[2] in ("am", "pm") else int(hour[1])
    return model.Digest(on=True, hour=number)


def kind(command: type[model.Unsubscribe] | type[model.Subscribe]) -> Read:
    """``unsubscribe``, ``unsubscribe news``."""

    def read(words: Sequence[str]) -> model.Command:
        if not words or [word.lower() for word in words] == ["all"]:
            return command(None)
        name = command.__name__.lower()
        _no_more(words, 1, _("'{word}' is too much: {name} takes one kind of mail"), name=name)
        if words[0].lower() not in MAILS:
            template = _(
                "'{word}' is no kind of mail: {name} goes with turns, reminders, news or invitations, or alone for "
                "all of them"
            )
            raise said(words[0], template, name=name)
        return command(MAILS[words[0].lower()])

    return read


def switch(name: Literal["drawing", "cards"]) -> Read:
    """``drawing on``, ``cards off``."""

    def read(words: Sequence[str]) -> model.Command:
        if not words:
            raise said(name, _("'{word}' is not all: it is {name} on or {name} off"), name=name)
        if [word.lower() for word in words] not in (["on"], ["off"]):
            raise said(words[0], _("'{word}' does not fit: {name} goes with on or off"), name=name)
        return model.Setting(name, words[0].lower())

    return read


@cache
def zones() -> dict[str, str]:
    """Every time zone by its name in lower case."""
    return {name.lower(): name for name in available_timezones()}


def language(words: Sequence[str]) -> model.Command:
    """``language de``, or what the language calls itself, or what it is called in English."""
    wanted = " ".join(words).lower()
    tags = {name.lower(): tag for tag, name in LANGUAGES.items()} | {tag: tag for tag in LANGUAGES} | _IN_ENGLISH
    if wanted not in tags:
        tag = len(words) == 1 and len(wanted) == 2
        raise said(wanted or "language", _("'{word}' is no language of ours: they are en, de and fr"), sure=tag)
    return model.Setting("language", tags[wanted])


def zone(words: Sequence[str]) -> model.Command:
    """``zone Europe/Berlin``; a city alone is shown what its zone is called."""
    if not words:
        raise said("zone", _("'{word}' is not all: a time zone is named like Europe/Berlin, America/New_York or UTC"))
    name = "_".join(words).lower()
    if name in zones() and ("/" in name or name in ("utc", "gmt")):
        return model.Setting("zone", zones()[name])
    cities = {full.rpartition("/")[2]: full for full in sorted(zones(), reverse=True) if "/" in full}
    near = [name] if name in cities else get_close_matches(name.rpartition("/")[2][:40], cities, n=1, cutoff=0.8)
    suggestion = f"zone {zones()[cities[near[0]]]}" if near else ""
    template = _("'{word}' is no time zone: one is named like Europe/Berlin, America/New_York or UTC")
    raise said(" ".join(words), template, suggestion)


def show(what: str) -> Read:
    """``status``, ``board``, ``hand``."""
    return nothing(model.Show(cast('Literal["status", "board", "hand"]', what)), what)


def _no_more(words: Sequence[str], most: int, template: str, *, name: str = "") -> None:
    if len(words) > most:
        raise said(words[most], template, name=name)
