"""What of a mail's lines is the sender's own, and what is quoted from another mail.

Mail programs mark quotes with ``>``, or not at all: then a line ("On Monday NAME wrote:"), a line of dashes or a block
of headers ("From: ... Sent: ...") stands above the old mail. They are recognised by their shape first (a date, a time,
an address, a colon at the end), as no list of languages is complete.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from service.commands import read_line
from service.commands.model import Command, Mistake
from service.mail.reading.text import folded, safe_line
from service.mail.reading.words import FORWARDED, FROM, HEADINGS, OTHER_HEADERS, WROTE

#: As much of a line is looked at to see what it is.
_LOOKED_AT: Final = 500
#: A command in angle quotes of another kind is none; a line that only begins with a bracket deep inside is no quote.
_QUOTED: Final = re.compile(r"\s{0,3}([>＞]|[A-Z]{2,3}> |\| )|\s{0,8}[A-Z][^\W\d_]{0,19}>{1,3}(\s|$)")
#: Marks of direction around what mail programs write in Hebrew and Arabic, and what else cannot be seen.
_UNSEEN: Final = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_DATE: Final = re.compile(r"\b(19|20)\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d年|\d월")
_TIME: Final = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|\d時|\d시")
_ADDRESS: Final = re.compile(r"[^\s@<>\[\](),;:]+@[^\s@<>\[\](),;:]+")
_ENDS: Final = re.compile(r"[:：]\s*[*_>]*\s*$")
_WROTE: Final = re.compile(
    "|".join(
        rf"(?<!\w){re.escape(word)}(?!\w)" if word.isascii() or word[0] < "\u0590" else re.escape(word)
        for word in WROTE
    )
)
_RULED: Final = re.compile(r"\s*[-_—–=*]{2,}\s*(?P<what>[^\W\d_][^\n]{1,200}?)\s*[-_—–=*]{2,}\s*:?\s*$")
#: Yahoo ends no lines here: ``----- Forwarded Message -----From: NAME <...>To: ...``.
_GLUED: Final = re.compile(r"\s*-{3,}\s?(?P<what>[^\W\d_][^\n-]{3,60}?)\s?-{3,}\s*[^\W\d_][^:：\n]{0,20}[:：]\s*\S")
#: GroupWise: ``>>> NAME 4/3/2025 6:40 PM >>>``.
_BETWEEN_MARKS: Final = re.compile(r"\s*>>> [^>\s][^\n]{0,200}>>>\s*$")
_LABEL: Final = re.compile(r"\s*[*_]{0,2}([^\W\d_][^:：*<>@]{0,28}?)[\s*_]{0,3}(?::[*_]{0,2}(?:\s|$)|：)(.*)")
#: NetEase has its headers in a table: ``| From | NAME |``.
_ROW: Final = re.compile(r"\s*\|\s*([^|:：\n]{1,28}?)\s*\|([^|\n]*)\|?\s*$")
_UNDERSCORES: Final = re.compile(r"\s*(_{10,}|-{20,}|={20,})\s*$")
_FORWARDED: Final = frozenset(FORWARDED)
_HEADINGS: Final = frozenset(HEADINGS)
_FROM: Final = frozenset(FROM)
_HEADERS: Final = frozenset((*FROM, *OTHER_HEADERS))
_BOARD: Final = re.compile(r"\s{0,20}\+(-{3,30}\+){2}")
_NUMBERED: Final = re.compile(r"\s*(\d{1,2})[.)]\s+(\S.*)")
#: Lines that an attribution may be wrapped over.
_MOST_WRAPPED: Final = 5
#: Lines of a block of headers.
_MOST_HEADERS: Final = 12


def is_quoted(line: str) -> bool:
    """Whether the line is marked as a quote."""
    return _QUOTED.match(line) is not None


@lru_cache(maxsize=256)
def command_in(text: str) -> Command | Mistake | None:
    """What the grammar makes of a safe line; asked more than once for most lines of a mail."""
    return read_line(text)


def is_command(text: str) -> bool:
    """Whether a safe line is a command as it stands."""
    command = command_in(text)
    return command is not None and not isinstance(command, Mistake)


def own_blocks(lines: Sequence[str]) -> tuple[list[list[str]], bool]:
    """The sender's own lines in blocks parted by quotes, and whether a quote was seen.

    Nothing that might be quoted is in them: where it cannot be told, it is left out.
    """
    lines = [_UNSEEN.sub("", line) for line in lines]
    blocks: list[list[str]] = [[]]
    seen = False
    at = 0
    while at < len(lines):
        line = lines[at]
        if is_quoted(line):
            seen = True
            if _only_headers_are_marked(lines, at):
                break
            _drop_attribution(blocks[-1])
            blocks.append([])
            at += 1
            continue
        taken = _old_mail(lines, at)
        if taken:
            seen = True
            _drop_rule(blocks[-1])
            after = _next_filled(lines, at + taken)
            if after is None or not is_quoted(lines[after]):
                break
            # The old mail is quoted with marks all the same, so what comes after it may be the sender's own.
            blocks.append([])
            at = after
            continue
        blocks[-1].append(line)
        at += 1
    return [block for block in blocks if any(line.strip() for line in block)], seen


def _next_filled(lines: Sequence[str], at: int) -> int | None:
    return next((number for number in range(at, len(lines)) if lines[number].strip()), None)


def _old_mail(lines: Sequence[str], at: int) -> int:
    """How many lines here say that an old mail begins; 0 if they do not."""
    line = lines[at][:_LOOKED_AT]
    if not line.strip():
        return 0
    if _is_rule(line):
        return 1 + (_header_block(lines, at + 1) or (_attribution(lines, at + 1) if at + 1 < len(lines) else 0))
    return _header_block(lines, at) or _attribution(lines, at) or _ours(lines, at)


def _is_rule(line: str) -> bool:
    """``-----Original Message-----`` in any language, and what stands for it."""
    low = line.strip().strip("*_ ").rstrip(":： .").casefold()
    if low in _FORWARDED:
        return True
    ruled = _RULED.match(line) or _GLUED.match(line)
    return ruled is not None and not is_command(safe_line(ruled["what"])) and "PGP" not in line


def _header_block(lines: Sequence[str], at: int) -> int:
    """The lines of a block of headers that begins here (or after an empty line or two)."""
    start = at
    while start < min(len(lines), at + 3) and not lines[start].strip():
        start += 1
    if start >= len(lines) or not _label(lines[start][:_LOOKED_AT]):
        return 0
    labels: list[str] = []
    has_address = has_date = False
    end = start
    for number in range(start, min(len(lines), start + _MOST_HEADERS)):
        line = lines[number][:_LOOKED_AT]
        label = _label(line)
        if label:
            labels.append(folded(label[1].strip()))
            has_address = has_address or _ADDRESS.search(label[2]) is not None
            has_date = has_date or (_DATE.search(label[2]) is not None and _TIME.search(label[2]) is not None)
        elif is_quoted(line):
            break
        elif not line.strip():
            if len(labels) >= 2:
                break
            continue  # some programs leave lines free between the headers
        end = number + 1
        if number > start + 1 and len(labels) < 2:
            return 0
    known = sum(label in _HEADERS for label in labels)
    if (labels[:1] and labels[0] in _HEADERS and known >= 3) or (
        known >= 2 and labels[0] in _FROM and (has_address or has_date)
    ):
        return end - at
    if len(labels) >= 3 and has_address and has_date and not is_command(safe_line(lines[start])):
        return end - at
    return 0


def _label(line: str) -> re.Match[str] | None:
    return _LABEL.match(line) or _ROW.match(line)


def _only_headers_are_marked(lines: Sequence[str], at: int) -> bool:
    """Whether the marks that begin here are those of the headers above an old mail, which itself has none."""
    if at and is_quoted(lines[at - 1]):
        return False
    marked = list(takewhile(is_quoted, lines[at : at + _MOST_HEADERS]))
    below = _next_filled(lines, at + len(marked))
    if below is None or is_quoted(lines[below]):
        return False
    if len(marked) == 1 and _BETWEEN_MARKS.match(lines[at][:_LOOKED_AT]):
        return True
    plain = [line.lstrip(" >") for line in marked]
    # Orange says first from which day it is: "> Message du 03/04/25 18:40".
    for start in (0, 1):
        taken = _header_block(plain, start)
        if taken and not any(line.strip() for line in plain[start + taken :]):
            return True
    return False


def _attribution(lines: Sequence[str], at: int) -> int:
    """The lines of an attribution that begins here and stands above an old mail without quote marks."""
    for taken in range(1, _MOST_WRAPPED + 1):
        line = lines[at + taken - 1][:_LOOKED_AT] if at + taken <= len(lines) else ""
        if not line.strip() or is_quoted(line):
            return 0
        if _ENDS.search(line[-40:]):
            joined = " ".join(line[:_LOOKED_AT].strip() for line in lines[at : at + taken])
            return taken if _says_who_and_when(joined) and not is_command(safe_line(lines[at])) else 0
    return 0


def _says_who_and_when(text: str) -> bool:
    low = folded(text)
    wrote, address = _WROTE.search(low) is not None, _ADDRESS.search(low) is not None
    date, time = _DATE.search(low) is not None, _TIME.search(low) is not None
    return (wrote and (date or time or address)) or (address and date and time)


def _drop_attribution(block: list[str]) -> None:
    """Take away the attribution that stands above a quote with marks; it may end lines earlier, and be wrapped."""
    end = len(block)
    while end and not block[end - 1].strip():
        end -= 1
    if not end or len(block) - end > 2:
        return
    joined = ""
    for start in range(end - 1, max(-1, end - 1 - _MOST_WRAPPED), -1):
        line = block[start][:_LOOKED_AT]
        if not line.strip() or is_command(safe_line(line)):
            break
        joined = f"{line} {joined}".strip()
        if not (_ENDS.search(joined) or _WROTE.search(folded(joined))):
            break
        if _introduces(joined):
            while start and _belongs_to_attribution(block[start - 1]):
                start -= 1  # noqa: PLW2901 - the loop ends here
            del block[start:]
            return


def _introduces(text: str) -> bool:
    """Whether this, right above a quote, says whose it is: less is asked than where nothing marks the quote."""
    low = folded(text)
    return any(pattern.search(low) for pattern in (_WROTE, _DATE, _TIME, _ADDRESS))


def _belongs_to_attribution(line: str) -> bool:
    text = line[:_LOOKED_AT]
    if not text.strip() or is_command(safe_line(text)):
        return False
    return bool(_DATE.search(text) or _TIME.search(text) or text.rstrip().endswith(("<", ","))) and len(text) < 120


def _drop_rule(block: list[str]) -> None:
    """Take away the line of underscores that Outlook draws above its block of headers."""
    while block and (not block[-1].strip() or _UNDERSCORES.match(block[-1])):
        block.pop()


def _ours(lines: Sequence[str], at: int) -> int:
    """Our own mail, quoted without any mark: its headings, its board, or its list of actions, nobody's answer."""
    if lines[at].strip().casefold() in _HEADINGS or _BOARD.match(lines[at]):
        return 1
    if not _NUMBERED.match(lines[at][:_LOOKED_AT]):
        return 0
    items = [item for line in lines[at : at + 8] if (item := _NUMBERED.match(line[:_LOOKED_AT])) is not None][:3]
    numbers = [int(item[1]) for item in items]
    if len(items) < 3 or numbers != list(range(numbers[0], numbers[0] + 3)):
        return 0
    return int(all(is_command(safe_line(re.split(r"\s+[-–—|]\s", item[2])[0])) for item in items))
