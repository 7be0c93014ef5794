"""What our own receiving server found out about a sender (Authentication-Results, RFC 8601)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from service.mail.reading.addresses import mailboxes
from service.mail.reading.parse import Part, parse

_BY: Final = re.compile(r"\bby\s+([^\s();]+)")
_RESULT: Final = re.compile(r"([a-z0-9-]+)(?:/[0-9]+)?\s*=\s*([a-z0-9]+)", re.IGNORECASE)
#: A name and its value, some of which may stand in quotes, as strangers' addresses do: ``"any; thing"@example.org``.
_PROPERTY: Final = re.compile(r"([a-z][a-z0-9./-]*)\s*=\s*((?:\"[^\"]*\"|[^\s;\"])+)", re.IGNORECASE)
#: Headers are in the first part of a mail; what comes later is of no use here.
_LOOKED_AT: Final = 512 * 1024


def authenticated(raw: bytes, sender: str, authserv_ids: Collection[str]) -> bool:
    """Whether one of our own servers says that this mail is from this sender; never raises.

    ``authserv_ids``: the names by which those servers sign their results. Only the topmost header of one of them
    counts, and only where our own servers write: above the first trace of a server that is none of ours. It must say
    that DMARC passed for the domain in From, or that SPF or DKIM passed for that domain, a parent or a child of it.
    """
    whole = parse(raw[:_LOOKED_AT])
    froms = [box.address for value in whole.all("from") for box in mailboxes(value)]
    if len(whole.all("from")) != 1 or len(froms) != 1 or froms[0].lower() != sender.strip().lower():
        return False
    domain = froms[0].rpartition("@")[2].rstrip(".")
    results = _ours(whole, {name.strip().lower() for name in authserv_ids})
    return results is not None and _vouches(results, domain)


def _ours(whole: Part, ids: set[str]) -> str | None:
    """The results in the topmost header that one of our servers wrote, without comments."""
    for name, value in whole.headers:
        if name == "received" and _is_foreign(value, ids):
            return None
        if name != "authentication-results":
            continue
        said, _, results = _without_comments(value).partition(";")
        if (said.split() or [""])[0].strip('"').lower() in ids:
            return results if results.count('"') % 2 == 0 else None  # who leaves a quote open may have said anything
    return None


def _is_foreign(received: str, ids: set[str]) -> bool:
    """Whether another domain's server left this trace. An address or a bare host name is one of our own inner hops."""
    by = _BY.search(_without_comments(received))
    if by is None:
        return False
    host = by[1].lower().rstrip(".").strip("[]")
    if "." not in host or ":" in host or re.fullmatch(r"[\d.]+", host):
        return False
    return not any(_site(host) == _site(name) for name in ids)


def _site(host: str) -> str:
    """The end of a host's name that its owner has registered, roughly: two labels, or three under ``co.uk``."""
    labels = host.split(".")
    two_level = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3:] if two_level else labels[-2:])


def _vouches(results: str, domain: str) -> bool:
    passed = False
    for result in _parted(results):
        found = _RESULT.match(result.strip())
        if found is None:
            continue
        method, outcome = found[1].lower(), found[2].lower()
        said: dict[str, str] = {}
        for name, value in _PROPERTY.findall(result):
            said.setdefault(name.lower(), value.strip('"').lower())
        if method == "dmarc":
            about = said.get("header.from", domain).rpartition("@")[2]
            if about == domain:
                # The sender's own rule for its mails: what it says holds, whatever else has passed.
                return outcome == "pass"
        elif outcome == "pass" and method == "spf":
            passed = passed or _aligned(said.get("smtp.mailfrom", ""), domain)
        elif outcome == "pass" and method == "dkim":
            passed = passed or _aligned(said.get("header.d", "") or said.get("header.i", ""), domain)
    return passed


def _aligned(said: str, domain: str) -> bool:
    """Whether both are one domain, or one is a part of the other; a top-level domain is nobody's."""
    other = said.rpartition("@")[2].rstrip(".")
    if other == domain:
        return bool(other)
    shorter, longer = sorted((other, domain), key=len)
    return shorter.count(".") >= 1 and longer.endswith("." + shorter)


def _parted(results: str) -> list[str]:
    """The results, parted by semicolons that stand in no quotes."""
    return re.findall(r'(?:"[^"]*"|[^;"])+', results)


def _without_comments(text: str) -> str:
    """The header without what stands in brackets, which may be nested, or hold what looks like results.

    Nor with any letter that a backslash makes harmless, as it would be one no more.
    """
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for char in text:
        if escaped:
            escaped = False
            if not depth:
                kept.append("?")  # in quotes it means nothing, and must not end them
            continue
        if char == "\\" and (quoted or depth):
            escaped = True
            continue
        if char == '"' and not depth:
            quoted = not quoted
        elif char == "(" and not quoted:
            depth += 1
            continue
        elif char == ")" and depth:
            depth -= 1
            if not depth:
                kept.append(" ")
            continue
        if not depth:
            kept.append(char)
    return "".join(kept)
