"""A language in which nothing of ours is left but where the facts stand: what is still English in it was forgotten."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from service import i18n
from tools.messages import gathered

TAG: Final = "de"
_PLACE: Final = re.compile(r"\{\w+\}|%\(\w+\)s")
_MARK: Final = re.compile("[⟦⟧]")


@contextmanager
def marking() -> Iterator[None]:
    """Inside, "It is {name}'s turn" is told as ``⟦Anna⟧``: marks, and between them the facts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(i18n, "CATALOGS", Path(_folder().name))
        with i18n.speaking(TAG):
            yield


def facts(told: str) -> str:
    """What is left of a text that was told inside of ``marking``, without the marks."""
    return _MARK.sub(" ", told)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Catalogues with every sentence that is gathered from the code: one that is not there stays English too."""
    folder = tempfile.TemporaryDirectory()
    catalog = Catalog(locale=TAG)
    for message in gathered():
        if message.id:
            one = isinstance(message.id, str)
            bare = _bare(str(message.id if one else message.id[-1]))
            told = bare if one else (bare,) * catalog.num_plurals
            catalog.add(message.id, told, context=message.context)
    with (Path(folder.name) / f"{TAG}.po").open("wb") as file:
        write_po(file, catalog)
    return folder


def _bare(text: str) -> str:
    return f"⟦{' '.join(dict.fromkeys(_PLACE.findall(text)))}⟧"
