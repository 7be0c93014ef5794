"""Bytes to text, whatever the mail says they are."""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

#: Names that mail programs use and Python does not know, or knows in a narrower sense than their users do.
_MEANT: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "iso-8859-8-i": "cp1255",
    "iso-8859-8": "cp1255",
    "big5": "cp950",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "utf8": "utf-8",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "ansi_x3.4-1968": "us-ascii",
}
#: What a program writes that does not know the charset itself: no claim, so nothing that could be wrong.
_NO_CLAIM: Final = frozenset(
    {"", "us-ascii", "ascii", "unknown-8bit", "x-unknown", "unknown", "default", "x-user-defined"}
)
#: Only charsets, none of Python's other codecs (``unicode_escape``, ``punycode``, ...).
_CHARSET: Final = re.compile(
    r"utf-(7|8|16|32)(-[bl]e)?|utf_(16|32)_[bl]e|ascii|iso8859-\d+|cp\d{3,4}|koi8-[rtu]|mac-\w+|gb18030|big5\w*|euc_\w+|"
    r"shift_jis\w*|iso2022_\w+|johab|hz|ptcp154|kz1048|tis-620|latin\d+"
)
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_JAPANESE: Final = re.compile(rb"\x1b\$[@B]")


#: Charsets in which what UTF-8 makes of a letter reads as letters that never stand together.
_WESTERN: Final = frozenset({"cp1252", "iso8859-1", "iso8859-15"})


class Decoded(NamedTuple):
    """A text, and whether it is what the mail said it would be: a known charset, and no byte that is none of it."""

    text: str
    as_said: bool


def decode(data: bytes, charset: str) -> Decoded:
    """The text of these bytes; never raises. ``charset``: as the mail says, in any case, perhaps empty."""
    said = charset.strip().strip("\"'").lower()
    for bom, name in _BOMS:
        if data.startswith(bom):
            return Decoded(data.decode(name, "replace"), True)
    if said in _NO_CLAIM:
        return Decoded(_guessed(data), True)
    known = _known(said)
    if known is None:
        return Decoded(_guessed(data), False)
    if known in ("utf-16", "utf-32"):
        # Without a byte order mark it should be big-endian (RFC 2781); where the zeros stand tells what it is.
        known += "-be" if data[:2000:2].count(0) >= data[1:2000:2].count(0) else "-le"
    if known in _WESTERN and (really := _utf8(data)) is not None:
        return Decoded(really, True)  # no byte contradicts the claim, and people read such mails every day
    try:
        return Decoded(data.decode(known), True)
    except (UnicodeError, ValueError):
        pass
    if known.startswith("cp125"):
        # The few bytes that windows-125x leaves open are no error of the sender's that anybody sees.
        return Decoded(data.decode(known, "replace"), True)
    return Decoded(_mended(data, known), False)


def _utf8(data: bytes) -> str | None:
    """The text, if there is more in it than ASCII and all of it is UTF-8: nobody writes ``GrÃ¼ÃŸe``."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if text.isascii() else text


def _known(said: str) -> str | None:
    try:
        name = codecs.lookup(_MEANT.get(said, said)).name
    except (LookupError, ValueError):
        return None
    return name if _CHARSET.fullmatch(name) else None


def _guessed(data: bytes) -> str:
    if _JAPANESE.search(data):
        return data.decode("iso2022_jp_ext", "replace")
    if len(data) > 7 and data[:400].count(0) * 3 > len(data[:400]):
        return data.decode("utf-16-be" if data[0] == 0 else "utf-16-le", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _mended(data, "utf-8")


def _mended(data: bytes, known: str) -> str:
    """What does not decode as it should: UTF-8 if most of it is, else what it was said to be with holes."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    foreign = len(data) - len(data.decode("ascii", "ignore"))
    if wrong * 2 <= foreign - wrong:  # more letters came out whole than broke
        return text
    return data.decode("cp1252" if known in ("utf-8", "ascii") else known, "replace")
