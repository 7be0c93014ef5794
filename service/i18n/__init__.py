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
from typing import Any, Final, Protocol

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""By tag, each called as its speakers call it."""
DEFAULT: Final = "en"
CATALOGS: Final = Path(__file__).parent / "catalogs"

_language: ContextVar[str] = ContextVar("language", default=DEFAULT)


class Said(Protocol):
    """A sentence that is not looked up yet: the engine's errors are such."""

    template: str
    args: Mapping[str, Any]


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
    return _catalog(_language.get()).gettext(message)


def ngettext(one: str, many: str, number: int) -> str:
    """The message for so many, ``{number}`` left to be filled in."""
    return _catalog(_language.get()).ngettext(one, many, number)


def pgettext(context: str, message: str) -> str:
    """The message where one English word would be several in another language."""
    return _catalog(_language.get()).pgettext(context, message)


def marked(message: str) -> str:
    """The message itself: it is put into the catalogues here, and looked up where it is said."""
    return message


def told(said: Said) -> str:
    """A sentence made elsewhere, in the language that is spoken now."""
    return gettext(said.template).format(**said.args)


@cache
def _catalog(tag: str) -> NullTranslations:
    """The catalogue, compiled when it is first asked for: there is nothing to build and nothing to forget."""
    if tag == DEFAULT:
        return Translations()
    with (CATALOGS / f"{tag}.po").open("rb") as file:
        catalog = read_po(file, locale=tag)
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Translations(compiled)
