"""The fetcher, on real mailboxes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from imap_tools import BaseMailBox

from service.config import PREFIX, Settings
from service.db import db
from service.doorways import imap
from service.doorways.imap import Fetcher, Mailbox
from tests.doorways.conftest import MakeApp, kept, letter
from tests.e2e.stack import program
from tests.support.dovecot import Dovecot
from tests.support.imap import PASSWORD, MailHouse, append, contents, imap_url, mailbox
from tests.support.postgres import PostgresServer
from tests.support.processes import Process, wait_until
from tests.support.proxy import Wire

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

DONE, REFUSED = "Emerald", "Emerald-refused"
PUTTING_AWAY = rb" UID (MOVE|COPY) "


@contextmanager
def fetching(app: Flask, settings: Settings, house: MailHouse, *, port: int | None = None) -> Iterator[None]:
    """The fetcher at work on our mailbox; ``port``: by a wire to it."""
    url = imap_url(house)
    if port is not None:
        url = url.replace(f":{house.imap_port}/", f":{port}/")
    stop = threading.Event()
    thread = threading.Thread(target=Fetcher(app, replace(settings, inbound_imap_url=url), stop).run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(20)
        assert not thread.is_alive()


def wait_kept(app: Flask, count: int, seconds: float = 40.0) -> None:
    """Wait until so many mails lie in the database."""
    wait_until(lambda: len(kept(app)) >= count, seconds=seconds, every=0.1, what=f"{count} mails to be kept")


def wait_empty(house: MailHouse) -> None:
    """Wait until nothing is left where mail arrives."""
    wait_until(lambda: not contents(house), seconds=40, every=0.1, what="the mailbox to be empty")


def test_mail_is_kept_to_the_byte_and_put_away(make_app: MakeApp, house: MailHouse) -> None:
    app, settings = make_app()
    first = letter(1, "Grüße\n.\nfrom before")
    append(house, first)
    with fetching(app, settings, house):
        wait_kept(app, 1)
        append(house, letter(2))
        wait_kept(app, 2, seconds=10)  # it is told of new mail: polling would take longer
        wait_empty(house)
    assert contents(house, folder=DONE) == [first, letter(2)]
    assert [(mail.raw, mail.via) for mail in kept(app)] == [(first, "imap"), (letter(2), "imap")]
    with mailbox(house) as box:
        box.folder.set(DONE)
        assert len(box.uids("UNSEEN")) == 2, "nobody has read them yet"


def test_fetchers_that_start_at_once_share_the_folders(make_app: MakeApp, house: MailHouse) -> None:
    app, settings = make_app()
    for number in range(4):
        append(house, letter(number))
    with ExitStack() as running:
        for _ in range(4):
            running.enter_context(fetching(app, settings, house))
        wait_kept(app, 4)
        wait_empty(house)
    # Two that move one mail in the same moment may leave a copy each (Dovecot does): it is kept, and read, once.
    assert sorted(set(contents(house, folder=DONE))) == sorted(letter(number) for number in range(4))
    assert sorted(mail.raw for mail in kept(app)) == sorted(letter(number) for number in range(4))


@pytest.mark.parametrize("missing", [("IDLE",), ("MOVE",), ("IDLE", "MOVE", "UIDPLUS")], ids="+".join)
def test_servers_that_can_do_less_will_do(
    make_app: MakeApp, house: MailHouse, monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]
) -> None:
    app, settings = make_app()
    whole = Mailbox.open

    def less(mailbox: Mailbox) -> BaseMailBox:
        box = whole(mailbox)
        box.client.capabilities = tuple(set(box.client.capabilities) - set(missing))
        return box

    monkeypatch.setattr(Mailbox, "open", less)
    monkeypatch.setattr(imap, "POLL", 0.5)
    with fetching(app, settings, house):
        append(house, letter(1))
        wait_kept(app, 1)
        append(house, letter(2))
        wait_kept(app, 2)
        wait_empty(house)
    assert contents(house, folder=DONE) == [letter(1), letter(2)]


def test_what_is_too_big_is_put_aside_in_sight_of_all(
    make_app: MakeApp, house: MailHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    app, settings = make_app()
    big = letter(1, "a word not to be seen " * 20_000)
    append(house, big)
    append(house, letter(2))
    with fetching(app, settings, house):
        wait_kept(app, 1)
        wait_empty(house)
    assert contents(house, folder=REFUSED) == [big]
    assert [mail.raw for mail in kept(app)] == [letter(2)]
    said = capsys.readouterr().err
    assert "inbound.refused" in said
    for secret in ("not to be seen", "ada", PASSWORD):
        assert secret not in said


@pytest.mark.parametrize("done", ["", "bad//folder/name"])
def test_where_nothing_can_be_moved_mails_are_flagged(make_app: MakeApp, house: MailHouse, done: str) -> None:
    if done and not isinstance(house, Dovecot):
        pytest.skip("takes a folder of any name")
    app, settings = make_app(INBOUND_IMAP_DONE=done)
    append(house, letter(1))
    append(house, letter(2, "x" * 300_000))
    with fetching(app, settings, house):
        wait_kept(app, 1)
        with mailbox(house) as box:
            wait_until(lambda: not box.uids("UNSEEN"), every=0.1, what="both to be flagged")
            assert len(box.uids("FLAGGED")) == 1, "the one that was refused"
    assert len(kept(app)) == 1


def test_killed_between_keeping_and_putting_away_it_keeps_a_mail_once(
    make_app: MakeApp, house: MailHouse, environment: dict[str, str], tmp_path: Path
) -> None:
    app, _ = make_app()
    append(house, letter(1))
    with Wire(house.imap_port) as wire:
        wire.hold(PUTTING_AWAY)
        fetcher = _command(house, environment, tmp_path, port=wire.port)
        fetcher.start()
        wire.wait_held()
        assert len(kept(app)) == 1
        fetcher.kill()
        wire.cut()  # what was held does not arrive any more
        wire.release()
    assert len(contents(house)) == 1
    with _command(house, environment, tmp_path, port=house.imap_port):
        wait_empty(house)
    assert len(kept(app)) == 1
    assert contents(house, folder=DONE) == [letter(1)]


def test_while_the_database_is_away_mail_stays_in_its_mailbox(
    mortal_app: tuple[Flask, Settings], own_postgres: PostgresServer, house: MailHouse, caplog: pytest.LogCaptureFixture
) -> None:
    app, settings = mortal_app
    with fetching(app, settings, house):
        append(house, letter(1))
        wait_kept(app, 1)
        own_postgres.kill()
        append(house, letter(2))
        wait_until(lambda: caplog.text.count("imap.nothing_kept") >= 2, seconds=40, what="two tries in vain")
        assert contents(house) == [letter(2)]
        with mailbox(house) as box:
            assert box.uids("UNSEEN")
        own_postgres.start()
        wait_kept(app, 2)
        wait_empty(house)


def test_a_server_that_goes_away_is_come_back_to(make_app: MakeApp, house: MailHouse) -> None:
    app, settings = make_app()
    with Wire(house.imap_port) as wire, fetching(app, settings, house, port=wire.port):
        append(house, letter(1))
        wait_kept(app, 1)
        wire.cut()
        append(house, letter(2))
        wire.mend()
        wait_kept(app, 2)
        wait_empty(house)


def test_news_that_arrive_in_pieces_are_news(
    make_app: MakeApp, house: MailHouse, caplog: pytest.LogCaptureFixture
) -> None:
    app, settings = make_app()
    append(house, letter(1))
    with Wire(house.imap_port) as wire:
        wire.hold(rb" IDLE\r\n")
        with fetching(app, settings, house, port=wire.port):
            wait_kept(app, 1)
            wire.wait_held()
            wire.break_up(7)
            wire.release()
            for number in (2, 3):
                time.sleep(1)  # until the server knows that we wait
                append(house, letter(number))
                wait_kept(app, number)
            wait_empty(house)
    assert "imap.lost" not in caplog.text


def test_two_fetchers_of_one_mailbox_do_no_harm(make_app: MakeApp, house: MailHouse) -> None:
    app, settings = make_app()
    for number in range(30):
        append(house, letter(number))
    with fetching(app, settings, house), fetching(app, settings, house):
        wait_kept(app, 30)
        for number in range(30, 40):
            append(house, letter(number))
        wait_kept(app, 40)
        wait_empty(house)
    assert len(kept(app)) == 40
    assert set(contents(house, folder=DONE)) == {letter(number) for number in range(40)}


def test_one_mail_that_cannot_be_kept_does_not_stop_the_others(
    make_app: MakeApp, house: MailHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, settings = make_app()
    monkeypatch.setattr(imap, "IDLE", 2)
    with app.app_context(), db.engine.begin() as connection:
        connection.exec_driver_sql(
            "create trigger fault before insert on inbound_mails when new.message_id like '%letter-1@%' "
            "begin select raise(abort, 'a fault of ours'); end"
        )
    append(house, letter(1))
    append(house, letter(2))
    with fetching(app, settings, house):
        wait_kept(app, 1)
        wait_until(lambda: contents(house) == [letter(1)], every=0.1, what="the other to be put away")
        with app.app_context(), db.engine.begin() as connection:
            connection.exec_driver_sql("drop trigger fault")
        wait_kept(app, 2)
        wait_empty(house)


def _command(house: MailHouse, environment: dict[str, str], folder: Path, *, port: int) -> Process:
    """`emerald inbound imap`, as an operator runs it."""
    url = imap_url(house).replace(f":{house.imap_port}/", f":{port}/")
    settings = {**environment, f"{PREFIX}INBOUND_IMAP_URL": url}
    return program("imap", folder, settings, "-m", "service.cli", "inbound", "imap")
