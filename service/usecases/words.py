"""Words that people send us: what is accepted, how it is kept, and what is said when it is not."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from zoneinfo import available_timezones

from engine import valid_entropy
from service.errors import SCOPE_MISSING, Refusal, invalid, not_found
from service.i18n import gettext as _
from service.ids import ID_PATTERN
from service.usecases.results import GAMES_READ, SCOPES, Caller

NAME_LENGTHS = (2, 32)
LONGEST_TALK = 2000
LONGEST_LINE = 300
LONGEST_PAGE = 100
LARGEST_NUMBER = 2**31 - 1

_ID = re.compile(ID_PATTERN)
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?")
_PRINTABLE_ASCII = re.compile(r"[\x20-\x7e]+")
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_TOO_MANY_MARKS = 4
#: Letters, marks and symbols that draw nothing: with them a name looks like another that is taken.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
#: Which of a sign's shapes is meant, as in emoji: part of a name, but not of what tells it from others.
_VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def email(text: str, *, field: str = "email") -> str:
    """An address with its domain in lower case (and in ASCII, where it is international)."""
    address = text.strip()
    local, _at, domain = address.rpartition("@")
    try:
        domain = domain.encode("idna").decode().lower()
    except UnicodeError:
        domain = ""
    labels = domain.split(".")
    if (
        len(local) > 64
        or len(local) + len(domain) + 1 > 254
        or not _LOCAL.fullmatch(local)
        or not all(_LABEL.fullmatch(label) for label in labels)
    ):
        raise invalid(field, _("That is not an e-mail address we can write to. It looks like anna@example.org."))
    return f"{local}@{domain}"


def email_key(address: str) -> str:
    """What two spellings of one mailbox share: no mail system in use tells Anna@ from anna@."""
    return address.lower()


def display_name(text: str, *, field: str = "display_name") -> str:
    """A name of 2 to 32 characters that is what it looks like: nothing invisible, no reordering, no piled marks."""
    name = " ".join(unicodedata.normalize("NFC", text).split(" ")).strip()
    name = re.sub(" +", " ", name)
    shortest, longest = NAME_LENGTHS
    if not shortest <= len(name) <= longest:
        raise invalid(
            field, _("A name has {shortest} to {longest} characters.").format(shortest=shortest, longest=longest)
        )
    marks = 0
    for character in name:
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith("M") else 0
        unseen = category[0] == "C" or category in {"Zl", "Zp"} or character in _BLANKS
        if unseen or (category == "Zs" and character != " "):
            raise invalid(field, _("A name cannot hold invisible or control characters."))
        if character == "@" or marks >= _TOO_MANY_MARKS:
            raise invalid(field, _("A name cannot hold an @ or piles of accents."))
    if not any(character.isalnum() for character in name):
        raise invalid(field, _("A name needs at least one letter or digit."))
    if len(name_key(name)) > 2 * longest:
        raise invalid(field, _("That name is too long when written out in plain letters."))
    return name


def name_key(name: str) -> str:
    """A name folded: two names that look alike but for case, width or spaces have one key."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return _VARIANTS.sub("", folded.replace(" ", ""))


def language(text: str) -> str:
    """A language tag like ``en`` or ``de-AT``; mails fall back to English where they have no such words."""
    if not _LANGUAGE.fullmatch(text):
        raise invalid("language", _("A language is a tag like en, de or pt-BR."))
    return text


def time_zone(text: str) -> str:
    """An IANA time zone name."""
    if text not in _zones():
        raise invalid("time_zone", _("A time zone is a name like Europe/Berlin, America/New_York or UTC."))
    return text


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def entropy(text: str) -> str:
    """A seat's part in the shuffle, kept as given."""
    if not valid_entropy(text):
        raise invalid("entropy", _("Entropy is at most 64 characters of plain ASCII (space to ~), without |."))
    return text


def talk(text: str) -> str:
    """Something said or noted: lines of text, without what could disguise or reorder it."""
    said = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not said:
        raise invalid("text", _("There is nothing in it."))
    if len(said) > LONGEST_TALK:
        raise invalid(
            "text", _("That is {number} characters; {most} are the most.").format(number=len(said), most=LONGEST_TALK)
        )
    for character in said:
        if character in _BIDI or (unicodedata.category(character) in {"Cc", "Cs"} and character not in "\n\t"):
            raise invalid("text", _("It holds control characters; plain text is fine, line breaks too."))
    return said


def label(text: str, *, field: str, default: str, longest: int = 60) -> str:
    """A short name for one's own use, like a token's."""
    given = unicodedata.normalize("NFC", text).strip() or default
    if len(given) > longest or any(unicodedata.category(c)[0] == "C" or c in _BIDI for c in given):
        raise invalid(field, _("That is at most {most} visible characters.").format(most=longest))
    return given


def scopes(wanted: Sequence[str]) -> list[str]:
    """Scopes in their canonical order."""
    strange = [scope for scope in wanted if scope not in SCOPES]
    if strange or not wanted:
        raise invalid("scopes", _("Scopes are some of {scopes}.").format(scopes=", ".join(SCOPES)))
    return [scope for scope in SCOPES if scope in wanted]


def idempotency_key(key: str | None) -> str | None:
    """1 to 200 printable ASCII characters."""
    if key is None:
        return None
    if len(key) > 200 or not _PRINTABLE_ASCII.fullmatch(key):
        raise invalid("Idempotency-Key", _("An idempotency key is 1 to 200 printable ASCII characters."))
    return key


def game_id(text: str) -> str:
    """An id of the right form; anything else is a game that does not exist."""
    if not _ID.fullmatch(text):
        raise not_found()
    return text


def number(value: int, *, field: str) -> int:
    """A number the database can hold."""
    if not 0 <= value <= LARGEST_NUMBER:
        raise invalid(field, _("{field} is a whole number from 0 on.").format(field=field))
    return value


def limit(value: int) -> int:
    """How many items a page may have."""
    if not 1 <= value <= LONGEST_PAGE:
        raise invalid("limit", _("limit is a number from 1 to {most}.").format(most=LONGEST_PAGE))
    return value


def require(caller: Caller, scope: str) -> None:
    """Refuse a caller whose token was not given ``scope``."""
    if scope not in caller.scopes:
        held = ", ".join(sorted(caller.scopes)) or "none"
        raise Refusal(
            SCOPE_MISSING,
            _("This needs the scope {scope}; the token has: {held}. Make a token that has it.").format(
                scope=scope, held=held
            ),
            scope=scope,
        )


def require_reader(caller: Caller | None) -> None:
    """Refuse a token that may not read games. Strangers (None) may look: what they see of a game is asked later."""
    if caller is not None:
        require(caller, GAMES_READ)
