"""Which text of a mail its sender wrote, and the command lines in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from service.commands.model import Command, Mistake, Note, Order, Play, Say, Setting
from service.mail.reading.html import read_html
from service.mail.reading.parse import Part
from service.mail.reading.quotes import command_in, own_blocks
from service.mail.reading.signatures import OwnLine, without_signature
from service.mail.reading.text import LONGEST_LINE, safe_line

#: Characters of all texts of a mail that are read, and lines of each: nobody types as much, or quotes.
LONGEST_TEXT: Final = 600_000
MOST_TEXT_LINES: Final = 4000
#: Lines of one mail that are kept.
MOST_LINES: Final = 200
#: Mail programs break lines here: none of what they have broken would have fit in so many columns with the next word.
_WRAPPED_AT: Final = 72
_WIDEST: Final = 80
#: In prose, less is needed to take a line for the rest of the one above.
_PROSE_WRAPPED_AT: Final = 62
#: What begins a line of its own in a plan that is written over several.
_IN_A_PLAN: Final = ("else ", "then ", "and ")
_ENDS: Final = (".", "!", "?", ":", ";", "…", ")", "。", "！", "？", "：")
_LABEL: Final = re.compile(
    r"\A(?:(?:il |la |el |a |o )?(?:my|our|mein|meine|mon|ma|mi|mio|mia|meu|minha|mijn|min|mitt|mój|můj|мой|benim)\s)?"
    r"(?:move|turn|turno|jogada|answer|choice|command|reply|zug|antwort|wahl|coup|réponse|jugada|movimiento|respuesta|mossa|zet|drag|"
    r"trekk|træk|siirto|ruch|tah|ход|hamle)(?: is| ist)?\s?[:：=]\s*(?=\S)",
    re.IGNORECASE,
)
_BULLET: Final = re.compile(r"\A(?:[*‣▪◦➤→•·–—-]\s+)+(?=\S)")
_NUMBERED: Final = re.compile(r"\A\d{1,2}[.)]\s+(?=\S)")
#: A text that says it is plain and is not.
_MARKUP: Final = re.compile(r"\s*<(?:!doctype html|html|head|body|div|p|span|table|meta)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]{0,20}(?:\s[^<>]*)?/?>|<!")
_HTML_ONLY: Final = re.compile(r"\bhtml\b", re.IGNORECASE)


@dataclass(slots=True)
class Own:
    """The sender's own lines as safe lines: all of them, and the commands."""

    said: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


class _Text(NamedTuple):
    lines: list[str]
    marked: bool = False


def own_text(whole: Part, name: str) -> Own:
    """What the sender of this mail wrote and asks for. ``name``: the sender's display name, which may end the text.

    It is never the raw body: that may hold commands of ours, as examples.
    """
    shown: set[str] = set()
    lines: list[str] = []
    for plain, rich in _Texts().of(whole):
        text = _chosen(plain, rich)
        lines += [*text.lines, ""]
        if plain is not None and rich is not None and text.lines is plain.lines:
            shown.update(safe_line(line) for line in rich.lines if len(line) > _WRAPPED_AT - 20)
    blocks, _ = own_blocks(lines[:MOST_TEXT_LINES])
    own = Own()
    for block in blocks:
        _read(without_signature(block, name, spoken=bool(own.lines)), own, shown)
    return own


def _chosen(plain: _Text | None, rich: _Text | None) -> _Text:
    """Of two forms of one text the plain one, unless it says nothing, or hides where the old mail begins."""
    if plain is None or rich is None:
        return plain or rich or _Text([])
    filled = [line for line in plain.lines if line.strip()]
    if not filled or (len(filled) <= 4 and any(_HTML_ONLY.search(line) for line in filled)):
        return rich
    if rich.marked and not own_blocks(plain.lines[:MOST_TEXT_LINES])[1]:
        return rich
    return plain


class _Texts:
    """The texts of a mail that are shown when it is opened, as many as are worth reading; no attachments."""

    def __init__(self) -> None:
        self._left = LONGEST_TEXT

    def of(self, whole: Part) -> list[tuple[_Text | None, _Text | None]]:
        """In the order of the mail, each plain, as HTML, or both."""
        found: list[tuple[_Text | None, _Text | None]] = []
        waiting = [whole]
        while waiting and self._left > 0:
            part = waiting.pop()
            if part.type == "multipart/alternative":
                found.append(self._alternatives(part))
            elif part.type in ("multipart/related", "multipart/signed"):
                waiting.extend(part.parts[:1])
            elif part.type.startswith("multipart/") and part.type not in ("multipart/digest", "multipart/encrypted"):
                waiting.extend(reversed(part.parts))
            elif _is_shown(part):
                text = self._read(part)
                found.append((text, None) if part.type == "text/plain" else (None, text))
        return found

    def _alternatives(self, part: Part) -> tuple[_Text | None, _Text | None]:
        # An alternative may have its text in pieces, with pictures between.
        texts = [(inner.type, self._read(inner)) for inner in part.walk() if self._left > 0 and _is_shown(inner)]
        plains = [text for kind, text in texts if kind == "text/plain"]
        riches = [text for kind, text in texts if kind != "text/plain"]
        return _joined(plains), _joined(riches)

    def _read(self, part: Part) -> _Text:
        text = part.text()[: self._left]
        # Each part costs something, however short it is.
        self._left -= len(text) + LONGEST_TEXT // 50
        if part.type in ("text/enriched", "text/richtext"):
            # One line break is a space there, two are one (RFC 1896).
            text = re.sub("\n+", lambda ends: "<br>" * (len(ends[0]) - 1) or " ", text)
        rich = _MARKUP.match(text) if part.type == "text/plain" else _TAG.search(text)
        return _Text(*read_html(text)) if rich else _plain(part, text)


def _joined(texts: Sequence[_Text]) -> _Text | None:
    if not texts:
        return None
    return _Text([line for text in texts for line in text.lines], any(text.marked for text in texts))


def _is_shown(part: Part) -> bool:
    if part.disposition == "attachment" or (part.file_name and part.disposition != "inline"):
        return False
    if part.file_name and part.disposition == "inline" and part.type != "text/plain":
        return False
    return part.type in ("text/plain", "text/html", "text/enriched", "text/richtext") and not part.parts


def _plain(part: Part, text: str) -> _Text:
    lines = text.split("\n", MOST_TEXT_LINES)[:MOST_TEXT_LINES]
    if part.parameters.get("format", "").lower() == "flowed":
        lines = _unflowed(lines, delete=part.parameters.get("delsp", "").lower() == "yes")
    return _Text(_unsigned(lines))


def _unflowed(lines: Sequence[str], *, delete: bool) -> list[str]:
    """Lines that end in a space go on in the next one of the same depth of quoting (RFC 3676)."""
    whole: list[str] = []
    open_depth = -1
    for line in lines:
        marks = line[: len(line) - len(line.lstrip(">"))]
        text = line[len(marks) :].removeprefix(" ")
        flows = text.endswith(" ") and text != "-- "
        if open_depth == len(marks) and text != "-- ":
            whole[-1] += text
        else:
            whole.append(f"{marks} {text}" if marks else text)
        if flows and delete:
            whole[-1] = whole[-1][:-1]
        open_depth = len(marks) if flows else -1
        if len(whole[-1]) > 4 * LONGEST_LINE:
            open_depth = -1  # no line goes on for ever
    return whole


def _unsigned(lines: list[str]) -> list[str]:
    """Without the armour of a PGP signature around the text, and without an armoured text."""
    if not any(line.startswith("-----BEGIN PGP ") for line in lines):
        return lines
    kept: list[str] = []
    state = "text"
    for line in lines:
        if line.startswith("-----BEGIN PGP SIGNED MESSAGE"):
            state = "hashes"
        elif line.startswith("-----BEGIN PGP "):
            state = "armour"
        elif line.startswith("-----END PGP "):
            state = "text"
        elif state == "hashes":
            state = "signed" if not line.strip() else state
        elif state == "signed":
            kept.append(line.removeprefix("- "))
        elif state == "text":
            kept.append(line)
    return kept


def _read(lines: Iterable[OwnLine], own: Own, shown: set[str]) -> None:
    """Add a block of the sender's lines. ``shown``: the long lines of the same text in HTML, which are not wrapped."""
    above = ""
    told = prose = False
    for line in lines:
        if len(own.said) >= MOST_LINES:
            return
        text = safe_line(line.text)
        if not text:
            above = ""
            continue
        found = _command(text)
        certain = found is not None and _is_certain(*found)
        wide = len(above) + 1 + len(text.split()[0]) if above and len(above) <= _WIDEST else 0
        if told and wide and _goes_on(own.lines[-1], text, shown, wide > _WRAPPED_AT and not certain):
            own.lines[-1] = safe_line(f"{own.lines[-1]} {text}")
            own.said[-1] = safe_line(f"{own.said[-1]} {text}")
            above = line.text.rstrip()
            continue
        if above and own.said and (plan := _plan_going_on(own.said[-1], text, wide > _WRAPPED_AT)):
            if own.lines[-1:] == own.said[-1:]:
                own.lines.pop()
            own.lines.append(plan)
            own.said[-1] = plan
            above = line.text.rstrip()
            continue
        own.said.append(text)
        rest = prose and wide > _PROSE_WRAPPED_AT and not above.endswith(_ENDS)
        told = False
        if found is not None and (certain or not line.after) and not (rest and (not certain or _is_text(found[1]))):
            own.lines.append(found[0])
            told = _is_text(found[1])
            prose = False
        else:
            prose = True
        above = line.text.rstrip()


def _is_certain(line: str, command: Command | Mistake) -> bool:
    """Whether this is a command wherever it stands; a word, a number or a name may as well be a piece of prose."""
    return " " in line and not isinstance(command, Mistake | Setting)


def _is_text(command: Command | Mistake) -> bool:
    return isinstance(command, Say | Note)


def _plan_going_on(first: str, text: str, wrapped: bool) -> str:
    """The whole of a plan that goes on in the next line; empty if it does not.

    A piece of a plan would be another plan, and its rest a move.
    """
    if not wrapped and not text.lower().startswith(_IN_A_PLAN):
        return ""
    whole = safe_line(f"{first} {text}")
    command = command_in(whole)
    if isinstance(command, Order) and command.kind == "plan":
        return whole
    broken = wrapped and first.lower().startswith("plan ") and not isinstance(command_in(first), Order)
    return whole if broken and isinstance(command, Mistake) else ""


def _goes_on(told: str, text: str, shown: set[str], probable: bool) -> bool:
    """Whether a text that is told goes on in the next line; where the HTML shows the whole, that decides."""
    whole = f"{told} {text}"
    if any(line.startswith(whole) for line in shown):
        return True
    if any(line == told for line in shown):
        return False
    return probable


def _command(text: str) -> tuple[str, Command | Mistake] | None:
    """The command in a line as it was typed, and what it is.

    People make lists, say what a line is, and copy from ours: ``‣ t1 m3 gem``, ``Move: 3`` and ``2) t1 m3 gem`` mean
    what stands after. A line that begins with ``>`` is a quote, whoever typed it.
    """
    if (plain := _BULLET.sub("", text, count=1)) != text and command_in(plain) is not None:
        text = plain
    command = command_in(text)
    if command is None or isinstance(command, Mistake):
        for before in (_LABEL, _NUMBERED):
            rest = before.sub("", text, count=1)
            inner = command_in(rest) if rest != text else None
            # After a number only a move of several words: "1. 3" and "3) stop" may mean anything.
            if (
                inner is None
                or isinstance(inner, Mistake)
                or (before is _NUMBERED and not (isinstance(inner, Play) and " " in rest))
            ):
                continue
            return rest, inner
    return None if command is None else (text, command)
