"""Stored once, whichever door it comes through and however often; and never half."""

from datetime import timedelta
from functools import partial

import pytest
from flask import Flask

from service.db import reading
from service.errors import INVALID, Refusal
from service.mail.tokens import AccountToken
from service.models import InboundMail
from service.usecases import inbound
from tests.service.inbound.postman import Postman, address, compose
from tests.service.table import Table, refused, rows
from tests.service.test_races import at_once

MAIL = (
    b"Received: from one.example by two.example; Wed, 12 Mar 2025 09:14:26 +0000\r\n"
    b"From: Anna <anna@example.org>\r\nTo: <emerald@localhost>\r\nSubject: Re: your turn\r\n"
    b"Date: Wed, 12 Mar 2025 10:14:22 +0100\r\nMessage-ID:\r\n <one@example.org>\r\n\r\nt1 m3 gem\r\n"
)


def _receive(table: Table, raw: bytes, *to: str, via: inbound.Via = "lmtp") -> inbound.Received:
    return inbound.receive(raw=raw, via=via, envelope_from="anna@example.org", envelope_to=to, now=table.now)


def _kept(id: int) -> InboundMail:
    with reading() as session:
        mail = session.get(InboundMail, id)
    assert mail is not None
    return mail


def test_a_mail_is_stored_and_its_reading_promised_once(table: Table) -> None:
    first = _receive(table, MAIL, "emerald@localhost")
    assert first.new
    mail = _kept(first.id)
    assert (mail.raw, mail.state, mail.message_id) == (MAIL, "received", "<one@example.org>")
    by_imap = b"Delivered-To: emerald@localhost\n" + MAIL.replace(b"\r\n", b"\n").replace(b"two.example", b"three")
    assert _receive(table, by_imap + b"\n", via="imap") == inbound.Received(first.id, new=False)
    promised = rows("inbound.read")
    assert [(row.key, row.payload) for row in promised] == [(f"inbound:{first.id}", {"mail": first.id})]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"t1 m3 gem", b"t1 m3 gold"),
        (b"<one@", b"<two@"),
        (b"anna@", b"bert@"),
    ],
)
def test_another_mail_is_another_mail(table: Table, before: bytes, after: bytes) -> None:
    assert _receive(table, MAIL).new
    assert _receive(table, MAIL.replace(before, after)).new


@pytest.mark.parametrize(
    "again",
    [
        MAIL.replace(b"t1 m3 gem", b"t1  m3\tgem"),
        MAIL.replace(b"gem\r\n", b"gem \t\r\n\r\n"),
        b"Message-ID: <two@example.org>\r\nDate: Thu, 13 Mar 2025 10:14:22 +0100\r\n" + MAIL,
    ],
)
def test_what_a_signature_lets_change_makes_no_other_mail(table: Table, again: bytes) -> None:
    """Whoever has seen a mail can send it again, its DKIM signature whole, with white space and headers added."""
    first = _receive(table, MAIL)
    assert _receive(table, again) == inbound.Received(first.id, new=False)


def test_without_a_message_id_date_and_subject_tell_mails_apart(table: Table) -> None:
    bare = MAIL.replace(b"Message-ID:\r\n <one@example.org>\r\n", b"")
    assert _receive(table, bare).new
    assert not _receive(table, bare).new
    assert _receive(table, bare.replace(b"10:14:22", b"10:14:23")).new
    assert _receive(table, bare.replace(b"Re: your", b"your")).new


def test_a_recipient_that_only_the_second_copy_names_counts_until_the_mail_is_read(table: Table) -> None:
    first = _receive(table, MAIL, via="imap")
    _receive(table, MAIL, "emerald+abc@localhost")
    _receive(table, MAIL, "emerald+abc@localhost", "emerald+def@localhost")
    assert _kept(first.id).envelope_to == ["emerald+abc@localhost", "emerald+def@localhost"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff\xfe",
        b"Message-ID: <\x00\x80\xff>\r\nFrom: \xf0\x9f\r\n\r\n\x00",
        b"Message-ID: <" + b"x" * 5000 + b">\n\nt1",
        b"\n\nno headers at all",
        b": \r: \r\r\r",
    ],
)
def test_any_bytes_are_stored(table: Table, raw: bytes) -> None:
    strange = "\x00\ud800" + "x" * 1000
    kept = inbound.receive(raw=raw, via="pipe", envelope_from=strange, envelope_to=[strange] * 500, now=table.now)
    assert _kept(kept.id).raw == raw
    assert not inbound.receive(raw=raw, via="pipe", envelope_from=None, envelope_to=[], now=table.now).new


def test_a_mail_that_is_too_large_is_refused(table: Table) -> None:
    with refused(INVALID):
        _receive(table, b"x" * (10 * 1024 * 1024 + 1))
    assert rows("inbound.read") == []


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_many_doors_at_once(app: Flask, table: Table) -> None:
    got = at_once(app, [partial(_receive, table, MAIL, f"{n}@localhost") for n in range(8)])
    kept = [one for one in got if not isinstance(one, Refusal)]
    assert len(kept) == 8
    assert len({one.id for one in kept}) == 1
    assert sum(one.new for one in kept) == 1
    assert len(rows("inbound.read")) == 1
    assert sorted(_kept(kept[0].id).envelope_to) == [f"{n}@localhost" for n in range(8)]


def test_texts_are_forgotten_when_they_are_old_and_read(table: Table) -> None:
    first = _receive(table, MAIL)
    later = table.clock.forward(days=31)
    assert inbound.forget(before=later, strangers_before=later) == 0  # nobody has read it yet
    inbound.read_mail(mail_id=first.id, now=table.now)
    assert inbound.forget(before=later, strangers_before=later) == 1
    assert (_kept(first.id).raw, _kept(first.id).envelope_to) == (b"", [])
    assert inbound.forget(before=later, strangers_before=later) == 0
    assert not _receive(table, MAIL).new


def test_what_strangers_send_is_kept_less_long(table: Table, postman: Postman) -> None:
    anna = table.person("Anna")
    ours = postman.bring(compose("anna@example.org", address(AccountToken(anna.user_id)), "games"))
    theirs = postman.bring(compose("mallory@example.net", "emerald@localhost", "x" * 10_000))
    table.post()
    later = table.clock.forward(days=8)
    assert inbound.forget(before=later - timedelta(days=30), strangers_before=later - timedelta(days=7)) == 1
    assert (_kept(theirs).raw, bool(_kept(ours).raw)) == (b"", True)
