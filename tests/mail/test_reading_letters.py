"""Mails of many programs, languages and mishaps, each with what a person reads in it."""

import json
from pathlib import Path

import pytest

from service.mail.reading import read

LETTERS = Path(__file__).with_name("letters")
#: Quote marks are compared without regard to their shape.
PLAIN = str.maketrans(dict.fromkeys("“”„‟«»", '"') | dict.fromkeys("‘’‚‛`´", "'"))


def cases():
    for path in sorted((LETTERS / "given").glob("*.eml")):
        yield path, json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    for name, expected in json.loads((LETTERS / "more" / "expected.json").read_text(encoding="utf-8")).items():
        yield LETTERS / "more" / f"{name}.eml", expected


def comparable(lines):
    return [line.translate(PLAIN).casefold() for line in lines]


@pytest.mark.parametrize(
    ("path", "expected"), [pytest.param(*case, id=f"{case[0].parent.name}/{case[0].stem}") for case in cases()]
)
def test_a_letter_is_read_as_a_person_reads_it(path, expected):
    letter = read(path.read_bytes())
    assert (letter.kind, comparable(letter.lines)) == (expected["kind"], comparable(expected["lines"]))


def test_every_letter_is_in_the_table():
    assert {path for path, _ in cases()} == set(LETTERS.glob("*/*.eml"))
