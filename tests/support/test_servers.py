"""The servers of the tests survive what the fault tests do to them."""

import smtplib
import threading
from contextlib import suppress
from email.message import EmailMessage

import psycopg
import pytest
import redis

from tests.support.ports import HOST, accepts
from tests.support.postgres import PostgresServer
from tests.support.processes import wait_until
from tests.support.redis import RedisServer
from tests.support.smtp import SmtpServer


def _open(server: PostgresServer) -> psycopg.Connection:
    return psycopg.connect(host=HOST, port=server.port, user="emerald", dbname="postgres", autocommit=True)


def test_postgres_comes_back_from_a_kill_with_a_busy_backend(own_postgres: PostgresServer) -> None:
    with _open(own_postgres) as connection:
        connection.execute("create table kept (number int)")
        connection.execute("insert into kept values (7)")

    def sleep_in_the_server() -> None:
        with suppress(psycopg.OperationalError), _open(own_postgres) as connection:
            connection.execute("select pg_sleep(60)")

    busy = threading.Thread(target=sleep_in_the_server)
    busy.start()
    with _open(own_postgres) as connection:
        sleeping = "select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'"
        wait_until(lambda: connection.execute(sleeping).fetchone(), what="the backend to be busy")
    own_postgres.kill()
    busy.join(timeout=10)
    assert not busy.is_alive(), "the backend outlived its server"
    assert not accepts(own_postgres.port)

    own_postgres.start()
    with _open(own_postgres) as connection:
        assert connection.execute("select number from kept").fetchall() == [(7,)]


def test_a_clone_of_a_database_is_its_own(postgres: PostgresServer) -> None:
    first = postgres.create()
    second = postgres.create(template=first)
    with psycopg.connect(host=HOST, port=postgres.port, user="emerald", dbname=second) as connection:
        connection.execute("create table mine ()")
    with psycopg.connect(host=HOST, port=postgres.port, user="emerald", dbname=first) as connection:
        assert connection.execute("select to_regclass('mine')").fetchone() == (None,)
    postgres.drop(second)
    postgres.drop(first)


def test_redis_keeps_what_it_holds_over_a_kill_and_loses_it_when_asked_to(own_redis: RedisServer) -> None:
    def value() -> object:
        with redis.Redis(host=HOST, port=own_redis.port) as client:
            return client.get("key")

    with redis.Redis(host=HOST, port=own_redis.port) as client:
        client.set("key", "kept")
    own_redis.restart()
    assert value() == b"kept"
    own_redis.restart_empty()
    assert value() is None


def _mail(to: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "game@example.org", to, "Hello"
    message.set_content("Your turn.\n")
    return message


def _send(server: SmtpServer, to: str) -> None:
    with smtplib.SMTP(HOST, server.port, timeout=5) as client:
        client.send_message(_mail(to))


def test_the_mail_server_keeps_refuses_and_fails(smtp_server: SmtpServer) -> None:
    _send(smtp_server, "anna@example.org")
    [mail] = smtp_server.wait_for(to="anna@example.org")
    assert mail.text == "Your turn.\n"
    assert mail.message["Subject"] == "Hello"

    smtp_server.refuse("gone@example.org")
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        _send(smtp_server, "gone@example.org")
    smtp_server.fail(1)
    with pytest.raises(smtplib.SMTPDataError):
        _send(smtp_server, "anna@example.org")
    smtp_server.stop()
    with pytest.raises(OSError):
        _send(smtp_server, "anna@example.org")
    smtp_server.start()
    _send(smtp_server, "anna@example.org")
    assert len(smtp_server.received) == 2
