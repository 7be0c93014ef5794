"""What stands under a text: signatures, sign-offs, the line of a phone, the small print of an office."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.commands.model import Mistake
from service.mail.reading.quotes import command_in, is_command
from service.mail.reading.text import folded, safe_line
from service.mail.reading.words import DISCLAIMERS, SENT_FROM, SENT_FROM_ENDS, SIGN_OFFS, THANKS

_DELIMITER: Final = re.compile(r"\s*(-{2,}|—{1,3}|–{1,3}|_{2,}|={3,}|\*{3,}|~{3,}|[-_=*~]{5,})\s*$")
_REACHED_AT: Final = re.compile(r"\+\d[\d ()/.-]{6,}|\b0\d{2,4}[ /.-]?\d{3}[\d ./-]*|@|https?://|www\.")
_CONTACT: Final = re.compile(
    r"\b(tel|phone|fon|fax|mobile?|mob|cell|handy|ext|extension|extensión|durchwahl|apt|room|zimmer|desk|floor|"
    r"büro|bureau|oficina|ufficio|poste|interno|anknytning|lokalnummer)\b[.:]?",
    re.IGNORECASE,
)
_SENT_FROM: Final = tuple(word.casefold() for word in SENT_FROM)
_SENT_FROM_ENDS: Final = tuple(word.casefold() for word in SENT_FROM_ENDS)
_SIGN_OFFS: Final = frozenset(SIGN_OFFS)
_THANKS: Final = frozenset(THANKS)
_EDGES: Final = " \t,.;:!?~-–—*_)(🙂😀😊👋"
_LONGEST_NAME: Final = 60
#: Of the sign-offs of one word, those that nobody begins a sentence with.
_BEFORE_A_NAME: Final = frozenset((
    "lg", "vg", "mfg", "mvh", "mvg", "vh", "rgds", "regards", "gruß", "gruss", "groet", "groetjes", "pozdrawiam",
    "hilsen", "cdt",
))  # fmt: skip
#: A line that names a way to reach somebody is short, unless it holds a number or an address.
_LONGEST_CONTACT: Final = 50


class OwnLine(NamedTuple):
    """A line of the sender's, as it stood there.

    ``after``: it comes after what is most likely the end of the text (thanks, a name), so only what can be nothing but
    a command counts. An empty line parts paragraphs.
    """

    text: str
    after: bool


def without_signature(block: Sequence[str], name: str, *, spoken: bool) -> Iterator[OwnLine]:
    """The lines of a block above its signature.

    ``name``: the sender's, as in the header of the mail; ``spoken``: whether there is a command in an earlier block.
    """
    names = _names(name)
    after = small_print = contact = False
    for line in block:
        text = safe_line(line, 300)
        if not text:
            small_print = contact = False
            yield OwnLine("", after)
            continue
        command = is_command(text)
        if not command:
            if _DELIMITER.match(line[:300]) or _is_sign_off(text) or _is_whole_name(text, names):
                return
            small_print = small_print or _starts(text, DISCLAIMERS)
            if _is_sent_from(text):
                after = after or spoken
                continue
            if spoken and (_is_thanks(text) or folded(text).strip(_EDGES) in names):
                after = True
            contact = contact or (_is_contact(text) and not _is_nearly_command(text))
        if small_print:
            continue
        spoken = spoken or command
        yield OwnLine(line, after or contact)


def _is_nearly_command(text: str) -> bool:
    """Whether it is clear which command was meant: a game with somebody@example.org is no way to reach anybody."""
    found = command_in(text)
    return isinstance(found, Mistake) and bool(found.suggestion)


def _names(name: str) -> tuple[str, ...]:
    """The whole name if it has more than one word, then its words; casefolded."""
    words = folded(name).replace(",", " ").split()
    if not words or is_command(safe_line(name)):
        return ()
    return (" ".join(words), *words) if len(words) > 1 else ("\n", words[0])


def _is_whole_name(text: str, names: tuple[str, ...]) -> bool:
    """Whether the line is the sender's name of several words, perhaps with a title or two."""
    words = re.split(r"[\s,|()]+", folded(text).strip(_EDGES))
    return len(names) > 2 and len(words) <= len(names) + 1 and set(names[1:]) <= set(words)


def _is_sign_off(text: str) -> bool:
    low = folded(text).strip(_EDGES)
    if low in _SIGN_OFFS:
        return True
    if len(low) > _LONGEST_NAME:
        return False
    head, comma, rest = low.partition(",")
    if comma and head.strip() in _SIGN_OFFS:
        return len(rest.split()) <= 3
    words = low.split()
    # "LG Anna", "Best regards Jo": a greeting and no more than a name.
    heads = (" ".join(words[:count]) for count in range(max(1, len(words) - 2), len(words)))
    return any(head in _SIGN_OFFS and (" " in head or head in _BEFORE_A_NAME) for head in heads)


def _is_thanks(text: str) -> bool:
    low = folded(text).strip(_EDGES)
    head, comma, rest = low.partition(",")
    return low in _THANKS or (bool(comma) and head.strip() in _THANKS and len(rest.split()) <= 2)


def _is_contact(text: str) -> bool:
    return bool(_REACHED_AT.search(text) or (len(text) <= _LONGEST_CONTACT and _CONTACT.search(text)))


def _is_sent_from(text: str) -> bool:
    low = folded(text).strip("-–—_*[]() ")
    if len(low) > 160:
        return False
    return low.startswith(_SENT_FROM) or (low.endswith(_SENT_FROM_ENDS) and len(low) < 80)


def _starts(text: str, words: tuple[str, ...]) -> bool:
    return folded(text).lstrip("-–—_*[]()! ").startswith(words)
