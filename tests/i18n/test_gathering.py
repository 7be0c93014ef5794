"""How sentences are written down, so that the catalogues find them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from service import i18n
from tests.support.processes import ROOT
from tools.messages import gathered

LOOKED_UP = {"_", "gettext", "ngettext", "pgettext", "marked"}


def inside_of_f_strings(source: str) -> Iterator[str]:
    """Sentences looked up in the braces of an f-string: to the Python of today, and so to Babel, that is mere text."""
    for node in ast.walk(ast.parse(source)):
        for call in ast.walk(node) if isinstance(node, ast.JoinedStr) else ():
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in LOOKED_UP:
                yield from (str(said.value) for said in call.args[:1] if isinstance(said, ast.Constant))


def test_no_sentence_is_looked_up_inside_of_an_f_string() -> None:
    assert list(inside_of_f_strings("f'{a} {_(\"Hello\")}'")) == ["Hello"]
    files = sorted((ROOT / "service").rglob("*.py"))
    found = {path.relative_to(ROOT).as_posix(): [*inside_of_f_strings(path.read_text("utf-8"))] for path in files}
    assert {name: sentences for name, sentences in found.items() if sentences} == {}


def test_reasons_that_are_stored_are_gathered_too() -> None:
    assert "None of its conditions held." in {message.id for message in gathered()}


def test_the_empty_message_is_nothing() -> None:
    """To gettext it is the head of the catalogue."""
    for tag in i18n.LANGUAGES:
        with i18n.speaking(tag):
            assert i18n.gettext("") == ""
