"""Every sentence is translated, and every translation has the facts of its sentence in it."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from service.i18n import CATALOGS, DEFAULT, LANGUAGES, best, gettext, language, speaking
from tools.messages import gathered, missing, updated

_PERCENT = re.compile(r"%\(\w+\)s")


@pytest.mark.parametrize("tag", [tag for tag in LANGUAGES if tag != DEFAULT])
def test_the_catalogue_has_every_sentence_translated(tag: str) -> None:
    """`make messages` adds what is new; who adds a sentence translates it."""
    assert (CATALOGS / f"{tag}.po").is_file()
    assert missing(updated(tag, gathered())) == []


@pytest.mark.parametrize("tag", [tag for tag in LANGUAGES if tag != DEFAULT])
def test_translations_keep_the_places_where_facts_stand(tag: str) -> None:
    wrong = []
    for message in updated(tag, gathered()):
        if not message.id:
            continue
        said = [message.id] if isinstance(message.id, str) else list(message.id)
        translated = [message.string] if isinstance(message.string, str) else list(message.string or ())
        wanted = set().union(*map(_places, said))
        # One form of a plural may say its number in words.
        optional = {"{number}", "%(num)s", "%(number)s"} if len(said) > 1 else set()
        wrong += [text for text in translated if text and not wanted - optional <= _places(text) <= wanted]
    assert wrong == []


def test_the_language_is_spoken_inside_and_english_outside() -> None:
    assert language() == "en"
    with speaking("de-AT"):
        assert language() == "de"
        with speaking("fr"):
            assert language() == "fr"
        assert language() == "de"
    assert language() == "en"
    assert gettext("ruby") == "ruby"
    assert [best("pt-BR"), best(None), best("FR")] == ["en", "en", "fr"]


def _places(text: str) -> set[str]:
    percent = set(_PERCENT.findall(text))
    try:
        named = {f"{{{name}}}" for _, name, _, _ in Formatter().parse(text) if name}
    except ValueError:
        named = set()
    return percent | named
