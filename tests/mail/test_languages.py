"""Mails in the language of their readers: nothing in them is English by oversight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

import engine
from engine import action_notation
from service import i18n
from service.commands import short_help
from service.mail import kinds
from service.mail.words import bare_subject
from service.pictures.text import headline
from tests.i18n.marking import TAG, facts, marking
from tests.mail.opened import Page, flat, html_of, sent, text_of
from tests.mail.samples import COMMITMENT, SEED, envelope, game, turn
from tests.mail.variants import every_variant
from tests.pictures.games import NAMES, played

#: What is said in the game, and what log entries have in them that was written by people.
TALK: Final = "Quartz"
WRITTEN: Final = {"text", "line"}
#: The commands that stand at the end of mails: examples, and words.
COMMANDS: Final = [
    text
    for lines in (short_help(), short_help(game=False))
    for text in (*lines[0].partition(": ")[2].split(" | "), *lines[1].partition(": ")[2].split())
]
VARIANTS: Final = every_variant()
#: What is the same in every language: the house, a place on the board, what people write in an answer or at a prompt.
SAME: Final = (
    *("Emerald", "EMERALD", "Re", "hall", "emerald verify", "random", "steady", "SHA"),
    *("accept", "decline", "resume", "vote extend", "vote end", "rematch", "yes", "say", "away 3d", "order bribe ask"),
    *("bribe", "bribe lowest", "bribe highest", "catch", "surrender", "plan", "plan off", "orders", "rules", "help"),
    *("und", "oder"),  # Babel's, between the last two of a list
)


def spoken_to(notice: Any, language: str) -> Any:
    """The same mail to a reader of this language."""
    notice = replace(notice, envelope=replace(notice.envelope, language=language))
    if isinstance(notice, kinds.BundleNotice):
        return replace(notice, parts=tuple(spoken_to(part, language) for part in notice.parts))
    return notice


def words_of(notice: kinds.Notice) -> list[str]:
    """What a mail says that is from no catalogue: without names, notation, links, and what was written elsewhere."""
    page = re.sub("<style>.*?</style>", "", html_of(notice), flags=re.DOTALL)
    attributes = [value or "" for name, value in Page(page).attributes if name in ("alt", "title", "aria-label")]
    whole = " ".join([str(sent(notice)["Subject"]), text_of(notice), Page(page).text, *attributes])
    left = flat(re.sub(r"\S+[@/][^\s⟦⟧]+", " ", facts(whole)))
    same = sorted({flat(text) for text in (*SAME, *elsewhere(notice)) if text}, key=len, reverse=True)
    left = re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, same))})(?!\w)", " ", left)
    return re.findall(r"[^\W\d_]{2,}", left)


def elsewhere(notice: Any) -> Iterator[str]:
    """What a mail shows that it does not say itself."""
    yield from (*NAMES, *(word for name in NAMES for word in name.split()), SEED, COMMITMENT, "my dice", TALK)
    yield from COMMANDS
    for part in notice.parts if isinstance(notice, kinds.BundleNotice) else (notice,):
        if (game := getattr(part, "game", None)) is not None:
            yield game.id
        if (view := getattr(part, "view", None)) is not None:
            yield from (action_notation(action, view.players) for action in view.legal)
        yield from (order.text for order in getattr(part, "orders", ()))
        yield from (str(entry.data[name]) for entry in getattr(part, "log", ()) for name in WRITTEN & {*entry.data})
    yield from getattr(notice, "lines", ())
    if isinstance(notice, kinds.RefusedTryNotice):
        yield from (notice.sender, notice.why)
    if isinstance(notice, kinds.AnswerNotice):
        yield bare_subject(notice.subject)
        for outcome in notice.outcomes:
            lines_of_it = (outcome.line, *outcome.told, *outcome.listing)
            # Wrapped and put into columns, they stand there word by word.
            yield from (word for line in lines_of_it for word in re.findall(r"\w+", line))


@pytest.mark.parametrize("notice", VARIANTS, ids=lambda notice: type(notice).__name__)
def test_every_sentence_of_every_mail_is_looked_up(notice: kinds.Notice) -> None:
    with marking(), i18n.speaking("en"):
        assert words_of(spoken_to(notice, TAG)) == []
        assert i18n.language() == "en"


@pytest.mark.parametrize(
    ("language", "weekday", "month"),
    [("de", "Freitag", "Dezember"), ("de-AT", "Freitag", "Dezember"), ("fr", "vendredi", "décembre")],
)
def test_dates_are_told_as_the_reader_writes_them(language: str, weekday: str, month: str) -> None:
    notice = spoken_to(turn(), language)
    for told in (flat(text_of(notice)), Page(html_of(notice)).text):
        assert re.search(rf"{weekday},? 4\.? {month} 2026,? .*10:00 \(Europe/Berlin\)", told)
        assert "Friday" not in told
        assert "December" not in told


@pytest.mark.parametrize(
    ("tag", "spoken"), [("en", "en"), ("de", "de"), ("de-AT", "de"), ("fr", "fr"), ("pt-BR", "en"), ("", "en")]
)
def test_a_mail_says_in_which_language_it_is(tag: str, spoken: str) -> None:
    notice = spoken_to(turn(), tag)
    assert sent(notice)["Content-Language"] == spoken
    assert f'<html lang="{spoken}">' in html_of(notice)


def test_a_quote_in_a_translation_ends_no_attribute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = "The board: %(headline)s. It stands in words at the end of this mail."
    catalog = Catalog(locale="de")
    catalog.add(said, 'Das "Brett": %(headline)s.')
    with (tmp_path / "de.po").open("wb") as file:
        write_po(file, catalog)
    monkeypatch.setattr(i18n, "CATALOGS", tmp_path)
    names = ("<b>", 'a "quoted" name', "Chloé")
    position, _ = played(3, 7, lambda p, n: n > 50 and engine.to_act(p) == 1 and p.phase == engine.MOVE)
    seen = engine.view(position, 0)
    notice = kinds.StartedNotice(envelope(5), game(3, names), 0, seen)
    page = Page(html_of(spoken_to(notice, "de")))
    (alt,) = [value for name, value in page.attributes if name == "alt"]
    assert alt == f'Das "Brett": {headline(seen, names)}.'


@pytest.mark.parametrize("tag", ["de", "fr"])
def test_a_number_stays_with_what_it_counts(tag: str) -> None:
    lines = [line for notice in VARIANTS for line in text_of(spoken_to(notice, tag)).splitlines() if "×" in line]
    assert len(lines) > 20
    assert all(re.search(r"[0-9]\u00a0×\u00a0\w", line) for line in lines)
    assert not any(re.match(r"\s*×", line) or re.search(r"×\s*$", line) for line in lines)
