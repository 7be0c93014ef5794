"""Mails of many programs, languages and mishaps, each with what a person reads in it."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from service.mail.reading import read

#: ``kind`` and ``lines`` of a letter, and what is hard about it.
Expected = dict[str, Any]
LETTERS = Path(__file__).with_name("letters")
#: Quote marks are compared without regard to their shape.
PLAIN = str.maketrans(dict.fromkeys("“”„‟«»", '"') | dict.fromkeys("‘’‚‛`´", "'"))


def cases() -> Iterator[tuple[Path, Expected]]:
    for path in sorted((LETTERS / "given").glob("*.eml")):
        yield path, json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    for name, expected in json.loads((LETTERS / "more" / "expected.json").read_text(encoding="utf-8")).items():
        yield LETTERS / "more" / f"{name}.eml", expected


def comparable(lines: Iterable[str]) -> list[str]:
    return [line.translate(PLAIN).casefold() for line in lines]


@pytest.mark.parametrize(
    ("path", "expected"), [pytest.param(*case, id=f"{case[0].parent.name}/{case[0].stem}") for case in cases()]
)
def test_a_letter_is_read_as_a_person_reads_it(path: Path, expected: Expected) -> None:
    letter = read(path.read_bytes())
    assert (letter.kind, comparable(letter.lines)) == (expected["kind"], comparable(expected["lines"]))


def test_every_letter_is_in_the_table() -> None:
    assert {path for path, _ in cases()} == set(LETTERS.glob("*/*.eml"))
