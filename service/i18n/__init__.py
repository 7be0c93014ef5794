"""The languages we speak: a sentence in English, looked up in the catalogue of whoever reads it.

``with speaking(language)`` says for whom the words are; everything said inside is in that language. Outside of it
all is English, which is what the API speaks. Sentences with facts in them are templates with names in braces, filled
in after they were looked up: ``gettext("It is {name}'s turn").format(name=name)``.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from engine import IllegalAction, NotationError, Sentence, SetupError
from engine.sentences import sentence_from_json

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""By tag, each called as its speakers call it."""
DEFAULT: Final = "en"
CATALOGS: Final = Path(__file__).parent / "catalogs"

_language: ContextVar[str] = ContextVar("language", default=DEFAULT)


def best(tag: str | None) -> str:
    """The language of ours for a tag like ``de-AT``; English where we do not speak it."""
    wanted = (tag or "").split("-")[0].lower()
    return wanted if wanted in LANGUAGES else DEFAULT


@contextmanager
def speaking(tag: str | None) -> Iterator[None]:
    """Say everything inside in this language."""
    before = _language.set(best(tag))
    try:
        yield
    finally:
        _language.reset(before)


def language() -> str:
    """The language that is spoken now, one of ``LANGUAGES``."""
    return _language.get()


def gettext(message: str) -> str:
    """The message in the language that is spoken now."""
    # To a catalogue the empty message is its own head.
    return message and _catalog(CATALOGS, _language.get()).gettext(message)


def ngettext(one: str, many: str, number: int) -> str:
    """The message for so many, ``{number}`` left to be filled in."""
    return _catalog(CATALOGS, _language.get()).ngettext(one, many, number)


def pgettext(context: str, message: str) -> str:
    """The message where one English word would be several in another language."""
    return _catalog(CATALOGS, _language.get()).pgettext(context, message)


def marked(message: str) -> str:
    """The message itself: it is put into the catalogues here, and looked up where it is said."""
    return message


def told(said: str | IllegalAction | NotationError | SetupError) -> str:
    """A sentence of the engine, or what an error of it says, in the language that is spoken now.

    Words of ours among its args are told too. Any other text stays as it is.
    """
    sentence = said if isinstance(said, str) else said.message
    if not isinstance(sentence, Sentence):
        return sentence
    args = {name: told(arg) if isinstance(arg, str) else arg for name, arg in sentence.args.items()}
    return gettext(sentence.template).format(**args)


def retold(english: str, stored: Mapping[str, Any] | None) -> str:
    """A sentence that was stored, in the language that is spoken now; ``stored``: its parts (``sentence_to_json``).

    What was stored without them stays English.
    """
    return english if stored is None else told(sentence_from_json(stored))


@cache
def _catalog(folder: Path, tag: str) -> NullTranslations:
    """The catalogue, compiled when it is first asked for: there is nothing to build and nothing to forget."""
    if tag == DEFAULT:
        return Translations()
    with (folder / f"{tag}.po").open("rb") as file:
        catalog = read_po(file, locale=tag)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Translations(compiled)
