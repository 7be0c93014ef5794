"""Bring the catalogues of ``service/i18n/catalogs`` up to date: ``make messages``.

Sentences are gathered from the code and the templates; those that are new stand in each catalogue without a
translation, those that nobody says any more are gone. What was translated stays as it is.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from engine import CARD_KINDS, COLORS, GEMS, RULES
from service.i18n import CATALOGS, DEFAULT, LANGUAGES

ROOT: Final = Path(__file__).resolve().parents[1]
_METHODS: Final = [("**/templates/**.html", "jinja2"), ("**/templates/**.txt", "jinja2"), ("**.py", "python")]
_OPTIONS: Final = {"**/templates/**.html": {"newstyle_gettext": "true", "trimmed": "true"}}
_OPTIONS["**/templates/**.txt"] = _OPTIONS["**/templates/**.html"]
#: Which argument of a call is a sentence. ``marked`` is for those looked up where they are said.
_KEYWORDS: Final = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "marked": None,
    "Sentence": None,
}
#: The same in the engine, which knows no gettext: by call, the place of the template among the arguments.
_TEMPLATES: Final = {"Sentence": 0, "chain": 0, "wrong": 1, "unknown": 2}


def gathered() -> Catalog:
    """Every sentence that can be said, with the files it stands in."""
    found = Catalog(project="Emerald", charset="utf-8")
    for name, _, message, comments, context in extract_from_dir(
        ROOT / "service",
        _METHODS,
        _OPTIONS,
        keywords=_KEYWORDS,
        comment_tags=("For translators:",),
        strip_comment_tags=True,
    ):
        found.add(message, None, [(f"service/{name}", 0)], auto_comments=comments, context=context)
    for path in sorted((ROOT / "engine").rglob("*.py")):
        for template in templates(path.read_text("utf-8")):
            found.add(template, None, [(path.relative_to(ROOT).as_posix(), 0)])
    for message in _tables():
        found.add(message, None, [("engine/rules.py", 0)])
    return found


def templates(source: str) -> Iterator[str]:
    """The templates of sentences in a module of the engine, also of one inside another."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TEMPLATES:
            place = _TEMPLATES[node.func.id]
            said = node.args[place] if len(node.args) > place else None
            if isinstance(said, ast.Constant) and isinstance(said.value, str):
                yield said.value


def _tables() -> Iterator[str]:
    """What the engine calls things by: it knows no languages."""
    yield from RULES.values()
    yield from (*COLORS, *GEMS, *CARD_KINDS)


def updated(tag: str, template: Catalog) -> Catalog:
    """A catalogue with exactly the sentences of ``template``."""
    path = CATALOGS / f"{tag}.po"
    catalog = Catalog(locale=tag, project="Emerald", charset="utf-8")
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=tag)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def missing(catalog: Catalog) -> list[str]:
    """The sentences of a catalogue that have no translation."""
    return [str(message.id) for message in catalog if message.id and (message.fuzzy or not _whole(message))]


def _whole(message: Message) -> bool:
    strings = [message.string] if isinstance(message.string, str) else list(message.string or ())
    return bool(strings) and all(strings)


def save(tag: str, catalog: Catalog) -> None:
    """Write a catalogue without dates and line numbers, so that only what changed shows as changed."""
    path = CATALOGS / f"{tag}.po"
    with path.open("wb") as file:
        write_po(file, catalog, width=120, sort_output=True, include_lineno=False, ignore_obsolete=True)
    text = path.read_text("utf-8")
    path.write_text(
        re.sub(
            r'^"(POT-Creation-Date|PO-Revision-Date|Generated-By|Last-Translator):.*\n', "", text, flags=re.MULTILINE
        ),
        "utf-8",
    )


def main() -> None:
    """All catalogues, and what they lack."""
    template = gathered()
    for tag in LANGUAGES:
        if tag == DEFAULT:
            continue
        catalog = updated(tag, template)
        save(tag, catalog)
        sys.stdout.write(f"{tag}: {len(list(catalog)) - 1} sentences, {len(missing(catalog))} not translated\n")


if __name__ == "__main__":
    main()
