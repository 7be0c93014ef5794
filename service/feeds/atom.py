"""The turns of a feed as Atom (RFC 4287), for a feed reader."""

import re
from datetime import UTC, datetime
from typing import Final
from xml.etree import ElementTree as ET

from service.feeds.facts import Feed, Turn
from service.i18n import gettext as _
from service.i18n import language, speaking

_ATOM: Final = "http://www.w3.org/2005/Atom"
#: What may not stand in XML, not even escaped.
_UNSPEAKABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def atom(feed: Feed, host: str) -> bytes:
    """The feed: one entry for each turn, with a deadline or without.

    ``host`` makes the ids of entries the house's own; an entry has the same id as long as its turn lasts.
    """
    with speaking(feed.language):
        root = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": language()})
        _add(root, "id", f"tag:{host},{feed.since:%Y-%m-%d}:deadlines/{feed.id}")
        _add(root, "title", _("Emerald: turns that wait for me"))
        _add(root, "updated", _instant(feed.updated))
        _add(ET.SubElement(root, "author"), "name", "Emerald")
        for turn in feed.turns:
            _entry(root, turn, feed.zone, host)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _entry(root: ET.Element, turn: Turn, zone: str, host: str) -> None:
    entry = ET.SubElement(root, "entry")
    _add(entry, "id", f"tag:{host},{turn.since.astimezone(UTC):%Y-%m-%d}:turn/{turn.game}/{turn.ply}")
    _add(entry, "title", turn.title)
    _add(entry, "updated", _instant(turn.since))
    _add(entry, "content", turn.text(zone), type="text")


def _add(parent: ET.Element, name: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, name, attributes).text = _UNSPEAKABLE.sub("?", text)


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
