"""The listener, with a real client at the other end of a real connection."""

from __future__ import annotations

import dataclasses
import smtplib
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from flask import Flask

from service.config import Settings
from service.db import db
from service.doorways import listener
from service.doorways.listener import Listener
from tests.doorways.conftest import TAGGED, MakeApp, kept, letter, started
from tests.e2e.stack import program
from tests.support.imap import SERVICE
from tests.support.mta import Lmtp
from tests.support.ports import HOST, accepts, free_port
from tests.support.postgres import PostgresServer
from tests.support.processes import wait_until

LANGUAGES = {"lmtp": Lmtp, "smtp": smtplib.SMTP}
on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture(params=list(LANGUAGES))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def app(make_app: MakeApp, language: str, port: int) -> Iterator[Flask]:
    """An application that listens."""
    app, settings = make_app(INBOUND_LISTEN=f"{language}://{HOST}:{port}")
    with started(Listener(app, settings)):
        yield app


@contextmanager
def client(language: str, port: int) -> Iterator[smtplib.SMTP]:
    """A connection that somebody has said hello on."""
    with LANGUAGES[language](HOST, port, timeout=20) as server:
        server.ehlo_or_helo_if_needed()
        yield server


def test_a_mail_is_kept_to_the_byte_with_its_envelope(app: Flask, language: str, port: int) -> None:
    raw = letter(text="catch blue\n.\n..dots\n" + "long " * 2000 + "\nGrüße").replace(b"Re: Your", b"Re:\xff Your")
    with client(language, port) as server:
        refused = server.sendmail("ada@example.org", [SERVICE, TAGGED], raw)
    assert not refused
    [mail] = kept(app)
    assert mail.raw == raw
    assert (mail.via, mail.sender, mail.recipients) == (language, "ada@example.org", (SERVICE, TAGGED))


@on_sqlite
def test_the_sender_of_bounces_is_nobody(app: Flask, language: str, port: int) -> None:
    with client(language, port) as server:
        server.sendmail("", [TAGGED], letter())
    assert kept(app)[0].sender == ""


@on_sqlite
def test_only_our_addresses_are_taken(app: Flask, language: str, port: int) -> None:
    foreign = ["bob@example.org", "emerald@example.com", "emerald+@example.org", "emeraldx@example.org"]
    with client(language, port) as server:
        refused = server.sendmail("ada@example.org", [*foreign, TAGGED.upper()], letter())
        assert {address: code for address, (code, _) in refused.items()} == dict.fromkeys(foreign, 550)
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            server.sendmail("ada@example.org", foreign, letter(2))
    assert [mail.recipients for mail in kept(app)] == [(TAGGED.upper(),)]


@on_sqlite
def test_what_is_too_big_is_refused_for_good(app: Flask, language: str, port: int) -> None:
    with client(language, port) as server:
        with pytest.raises(smtplib.SMTPResponseException) as told:  # as it says how big it is
            server.sendmail("ada@example.org", [TAGGED], letter(text="x\n" * 100_000), ["SIZE=300000"])
        assert told.value.smtp_code == 552
        server.rset()
        server.mail("ada@example.org")
        server.rcpt(TAGGED)
        assert server.data(letter(text="x\n" * 100_000))[0] == 552
    assert not kept(app)


@on_sqlite
def test_a_mail_that_comes_twice_is_kept_once(app: Flask, language: str, port: int) -> None:
    for _ in range(2):
        with client(language, port) as server:
            assert not server.sendmail("ada@example.org", [TAGGED], letter())
    assert len(kept(app)) == 1


def test_many_at_once_are_kept_each_once(app: Flask, language: str, port: int) -> None:
    def bring(number: int) -> None:
        with client(language, port) as server:
            server.sendmail("ada@example.org", [TAGGED], letter(number % 20))

    with ThreadPoolExecutor(8) as people:
        list(people.map(bring, range(40)))
    assert len(kept(app)) == 20


@pytest.mark.parametrize("language", ["lmtp"])
@on_sqlite
def test_lmtp_answers_for_each_recipient(app: Flask, port: int) -> None:
    with Lmtp(HOST, port) as server:
        server.ehlo_or_helo_if_needed()

        def answers_to(content: bytes) -> list[int]:
            server.mail("ada@example.org")
            for address in (SERVICE, "bob@example.org", TAGGED):
                server.rcpt(address)
            server.data(content)
            assert server.noop()[0] == 250, "nothing is said beside the answers"
            return server.answers

        assert answers_to(letter()) == [250, 250]
        assert answers_to(letter(text="x" * 300_000)) == [552, 552]
        with app.app_context():
            db.metadata.drop_all(db.engine)
        assert answers_to(letter(3)) == [451, 451]


@on_sqlite
def test_while_the_database_is_away_mail_stays_with_who_brings_it(
    mortal_app: tuple[Flask, Settings], own_postgres: PostgresServer, language: str, port: int
) -> None:
    app, settings = mortal_app
    listening = dataclasses.replace(settings, inbound_listen=f"{language}://{HOST}:{port}")
    with started(Listener(app, listening)), client(language, port) as server:
        own_postgres.kill()
        with pytest.raises(smtplib.SMTPDataError) as told:
            server.sendmail("ada@example.org", [TAGGED], letter())
        assert told.value.smtp_code == 451
        own_postgres.start()
        assert not server.sendmail("ada@example.org", [TAGGED], letter())
        assert len(kept(app)) == 1


@on_sqlite
def test_a_stop_waits_for_the_mail_that_is_being_kept(make_app: MakeApp, language: str, port: int) -> None:
    app, settings = make_app(INBOUND_LISTEN=f"{language}://{HOST}:{port}")
    door = Listener(app, settings)
    door.start()
    with app.app_context(), db.engine.connect() as writer, client(language, port) as server:
        server.mail("ada@example.org")
        server.rcpt(TAGGED)
        writer.exec_driver_sql("select 1")  # begins, and so shuts every other writer out
        answers: list[int] = []
        bringing = threading.Thread(target=lambda: answers.append(server.data(letter())[0]))
        bringing.start()
        wait_until(lambda: door.storing, what="the mail to be at hand")
        stopping = threading.Thread(target=door.stop)
        stopping.start()
        stopping.join(0.5)
        assert stopping.is_alive()
        writer.rollback()
        bringing.join(20)
        stopping.join(20)
        assert answers == [250]
        assert not accepts(port)
    assert len(kept(app)) == 1


@on_sqlite
def test_the_command_listens_until_it_is_told_to_stop_and_logs_nobody(
    app: Flask, environment: dict[str, str], tmp_path: Path, language: str
) -> None:
    port = free_port()
    settings = {**environment, "EMERALD_INBOUND_LISTEN": f"{language}://{HOST}:{port}", "EMERALD_LOG_LEVEL": "DEBUG"}
    command = program("listen", tmp_path, settings, "-m", "service.cli", "inbound", "listen")
    command.ready = lambda: accepts(port)
    with command:
        with client(language, port) as server:
            server.sendmail("ada@example.org", [TAGGED], letter(text="a word that is not to be seen"))
        assert command.stop() == 0
    said = command.log.read_text()
    assert "inbound.received" in said
    for secret in ("ada", TAGGED.split("@")[0], "not to be seen", "letter-1"):
        assert secret not in said
    assert len(kept(app)) == 1


def test_an_address_that_is_taken_is_told_in_one_line(environment: dict[str, str], tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as other:
        settings = {**environment, "EMERALD_INBOUND_LISTEN": f"lmtp://{HOST}:{other.getsockname()[1]}"}
        command = program("listen", tmp_path, settings, "-m", "service.cli", "inbound", "listen")
        command.ready = lambda: not command.running
        with suppress(RuntimeError):
            command.start()
    assert command.stop() == 1
    assert "cannot listen at EMERALD_INBOUND_LISTEN" in command.log.read_text()
    assert "Traceback" not in command.log.read_text()


@on_sqlite
def test_too_many_at_once_are_asked_to_come_again_and_who_left_counts_no_more(
    app: Flask, language: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "MOST_CONNECTIONS", 2)
    for _ in range(20):
        socket.create_connection((HOST, port)).close()  # as port scanners and health checks do

    def greeted() -> bool:
        with socket.create_connection((HOST, port), timeout=20) as connection:
            return connection.recv(3) == b"220"

    wait_until(greeted, what="the others to be gone")
    with (
        client(language, port),
        client(language, port),
        socket.create_connection((HOST, port), timeout=20) as third,
    ):
        assert third.recv(3) == b"421"
        while third.recv(100):  # to the end: it hangs up
            pass
    wait_until(greeted, what="a free place")
    # of many who come at the same moment, as many as there is room for are let in
    crowd = [socket.create_connection((HOST, port), timeout=20) for _ in range(12)]
    said = [connection.recv(3) for connection in crowd]
    for connection in crowd:
        connection.close()
    assert sorted(said) == [b"220"] * 2 + [b"421"] * 10
