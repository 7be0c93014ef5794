"""Sending for real: to an SMTP server on this machine, and into a folder."""

import errno
import threading
import time
from email.message import EmailMessage
from pathlib import Path
from socket import socket

import pytest

from service.mail.errors import PermanentMailError, TemporaryMailError
from service.mail.folder import list_messages, read_message
from service.mail.render import mail
from service.mail.transports import Folder, Smtp, file_name, transport_from
from tests.mail.samples import SETTINGS, every_kind, turn
from tests.support.smtp import SmtpServer


@pytest.fixture(scope="module")
def message() -> EmailMessage:
    return mail(turn(), SETTINGS)


# -- SMTP


def test_a_mail_arrives_as_it_was_written(smtp_server: SmtpServer, message: EmailMessage) -> None:
    transport_from(smtp_server.url).send(message)
    (received,) = smtp_server.wait_for(1)
    assert received.sender == "emerald@emerald.example"
    assert received.recipients == ("anna@example.org",)
    assert received.raw == message.as_bytes()


def test_where_a_mail_comes_back_to_is_its_envelopes_and_not_in_it(
    smtp_server: SmtpServer, message: EmailMessage
) -> None:
    transport_from(smtp_server.url).send(message, sender="emerald+token@emerald.example")
    (received,) = smtp_server.wait_for(1)
    assert received.sender == "emerald+token@emerald.example"
    assert received.raw == message.as_bytes()


@pytest.mark.parametrize(
    ("answer", "no_mailbox"),
    [
        ("550 5.1.1 unknown", "5.1.1"),
        ("550 5.1.10 unknown", "5.1.10"),
        ("550 5.2.1 disabled", "5.2.1"),
        ("550 no such user", None),
        ("550 5.7.1 relay access denied", None),
        ("550 5.1.8 your own address is bad", None),
        ("552 5.2.2 mailbox full", None),
    ],
)
def test_only_a_status_that_says_so_means_that_there_is_no_such_mailbox(
    smtp_server: SmtpServer, message: EmailMessage, answer: str, no_mailbox: str | None
) -> None:
    """A server that turns all our mail away must not make all our players look as if they had no mailbox."""
    smtp_server.refuse("anna@example.org", answer)
    with pytest.raises(PermanentMailError) as refused:
        transport_from(smtp_server.url).send(message)
    assert refused.value.no_mailbox == no_mailbox


def test_a_connection_lost_before_the_answer_leaves_it_open_whether_the_mail_is_out(message: EmailMessage) -> None:
    with socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        thread = threading.Thread(target=_take_one_and_slam, args=(server,), kwargs={"answer": False})
        thread.start()
        with pytest.raises(TemporaryMailError, match="connection lost") as lost:
            Smtp("127.0.0.1", server.getsockname()[1], "smtp", timeout=5).send(message)
        thread.join(5)
    assert lost.value.unsure


def test_a_refusal_is_no_open_question(smtp_server: SmtpServer, message: EmailMessage) -> None:
    smtp_server.fail(1)
    with pytest.raises(TemporaryMailError) as refused:
        transport_from(smtp_server.url).send(message)
    assert not refused.value.unsure
    smtp_server.stop()
    with pytest.raises(TemporaryMailError) as away:
        transport_from(smtp_server.url).send(message)
    assert not away.value.unsure


def test_sent_again_it_is_the_same_mail(smtp_server: SmtpServer, message: EmailMessage) -> None:
    for _ in range(2):
        transport_from(smtp_server.url).send(mail(turn(), SETTINGS))
    first, second = smtp_server.wait_for(2)
    assert first.raw == second.raw


def test_come_back_later_is_temporary(smtp_server: SmtpServer, message: EmailMessage) -> None:
    smtp_server.fail(1)
    with pytest.raises(TemporaryMailError, match="451"):
        transport_from(smtp_server.url).send(message)
    transport_from(smtp_server.url).send(message)
    assert len(smtp_server.received) == 1


def test_content_refused_is_permanent(smtp_server: SmtpServer, message: EmailMessage) -> None:
    smtp_server.fail(1, "554 5.6.0 We do not want this, anna@example.org")
    with pytest.raises(PermanentMailError, match="554") as refused:
        transport_from(smtp_server.url).send(message)
    assert "anna" not in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "error"),
    [("550 5.1.1 anna@example.org unknown", PermanentMailError), ("450 4.2.1 greylisted", TemporaryMailError)],
)
def test_a_refused_recipient(
    smtp_server: SmtpServer, message: EmailMessage, answer: str, error: type[Exception]
) -> None:
    smtp_server.refuse("anna@example.org", answer)
    with pytest.raises(error) as refused:
        transport_from(smtp_server.url).send(message)
    assert "anna" not in str(refused.value)
    assert not smtp_server.received


def test_no_server_is_temporary(smtp_server: SmtpServer, message: EmailMessage) -> None:
    smtp_server.stop()
    with pytest.raises(TemporaryMailError, match="no mail server"):
        transport_from(smtp_server.url).send(message)


def test_a_login_that_the_server_does_not_offer_is_temporary(smtp_server: SmtpServer, message: EmailMessage) -> None:
    """The installation is set up wrongly: the mails must wait for the operator, not be given up."""
    url = smtp_server.url.replace("smtp://", "smtp://user:pass%40word@")
    with pytest.raises(TemporaryMailError) as failed:
        transport_from(url).send(message)
    assert "word" not in str(failed.value)


def test_starttls_is_demanded(smtp_server: SmtpServer, message: EmailMessage) -> None:
    with pytest.raises(TemporaryMailError):
        transport_from(smtp_server.url.replace("smtp://", "smtp+starttls://")).send(message)
    assert not smtp_server.received


def test_a_silent_server_does_not_hold_us(message: EmailMessage) -> None:
    with socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        begun = time.monotonic()
        with pytest.raises(TemporaryMailError, match="no mail server"):
            Smtp("127.0.0.1", silent.getsockname()[1], "smtp", timeout=0.3).send(message)
        assert 0.2 < time.monotonic() - begun < 60


def test_a_server_rude_at_goodbye_has_taken_the_mail(message: EmailMessage) -> None:
    """An error after the mail was accepted would send it twice."""
    with socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        thread = threading.Thread(target=_take_one_and_slam, args=(server,))
        thread.start()
        Smtp("127.0.0.1", server.getsockname()[1], "smtp", timeout=5).send(message)
        thread.join(5)


def _take_one_and_slam(server: socket, *, answer: bool = True) -> None:
    connection, _ = server.accept()
    with connection, connection.makefile("rwb") as stream:

        def say(line: bytes) -> None:
            stream.write(line + b"\r\n")
            stream.flush()

        say(b"220 rude")
        for line in stream:
            if line.lower().startswith(b"data"):
                say(b"354 go on")
                while stream.readline() != b".\r\n":
                    pass
                if not answer:
                    return
                say(b"250 taken")
            elif line.lower().startswith(b"quit"):
                say(b"421 who cares")
                return
            else:
                say(b"250 well")


# -- settings


def test_urls() -> None:
    assert transport_from("folder:var/mail") == Folder(Path("var/mail"))
    assert transport_from("folder:/tmp/mail") == Folder(Path("/tmp/mail"))
    assert transport_from("folder:///tmp/mail") == Folder(Path("/tmp/mail"))
    assert transport_from("smtp://host") == Smtp("host", 25, "smtp")
    assert transport_from("smtps://u%40x:p%2Fq@host") == Smtp("host", 465, "smtps", "u@x", "p/q")
    assert transport_from("smtp+starttls://host:2525") == Smtp("host", 2525, "smtp+starttls")


@pytest.mark.parametrize(
    "url", ["", "folder:", "http://host", "smtp:host", "smtp://", "smtp://u:secret@host:99999", "smtp://h/x"]
)
def test_a_wrong_url_is_told_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="MAIL_URL") as wrong:
        transport_from(url)
    assert "secret" not in str(wrong.value)


def test_a_password_is_in_no_representation() -> None:
    assert "secret" not in repr(transport_from("smtp://user:secret@host"))


# -- folder


def test_the_folder_keeps_every_mail_readable(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "mail"
    notices = every_kind()
    for notice in notices:
        Folder(folder).send(mail(notice, SETTINGS))
    listed = list_messages(folder)
    assert len(listed) == len(notices)
    subjects = [str(mail(notice, SETTINGS)["Subject"]) for notice in notices]
    assert [line.subject for line in listed] == subjects[::-1]
    for line in listed:
        whole = read_message(folder, line.id)
        assert whole is not None
        assert whole.summary == line
        assert whole.text.startswith("Hello")
        assert "<html" in whole.html
        for cid in whole.attachments:
            assert f"cid:{cid}" in whole.html
            assert whole.attachments[cid].content_type == "image/png"
            assert whole.attachments[cid].content.startswith(b"\x89PNG")
        assert whole.html.count("cid:") == len(whole.attachments)
        assert str(line.to).endswith("anna@example.org>") or line.to == "anna@example.org"


def test_sent_again_it_is_one_file(tmp_path: Path, message: EmailMessage) -> None:
    for _ in range(3):
        Folder(tmp_path).send(message)
    (file,) = tmp_path.iterdir()
    assert file.read_bytes() == message.as_bytes()


def test_in_the_folder_a_mail_says_where_it_comes_back_to(tmp_path: Path, message: EmailMessage) -> None:
    Folder(tmp_path).send(message, sender="emerald+token@emerald.example")
    (file,) = tmp_path.iterdir()
    assert file.read_bytes() == b"Return-Path: <emerald+token@emerald.example>\n" + message.as_bytes()


def test_a_folder_that_cannot_be_written_is_temporary(tmp_path: Path, message: EmailMessage) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(TemporaryMailError):
        Folder(tmp_path / "file").send(message)


def test_file_names_are_safe_and_different() -> None:
    ids = ["<a@b>", "<a/../../b@c>", "<a_.._.._b@c>", "", "<.hidden@x>", "<" + "x" * 300 + "@y>"]
    names = [file_name(message_id) for message_id in ids]
    assert len(set(names)) == len(ids)
    for name in names:
        assert "/" not in name
        assert not name.startswith((".", "-"))
        assert len(name) < 100


@pytest.mark.parametrize("message_id", ["", "..", "../secret", "a/b", ".hidden", "nothing", "a\x00b", "x" * 5000])
def test_only_our_files_can_be_read(tmp_path: Path, message_id: str) -> None:
    (tmp_path / "secret.eml").write_text("Subject: no\n\n")
    folder = tmp_path / "mail"
    folder.mkdir()
    assert read_message(folder, message_id) is None


def test_no_folder_yet_is_an_empty_inbox(tmp_path: Path) -> None:
    assert list_messages(tmp_path / "none") == []


def test_a_full_disk_is_not_made_fuller(tmp_path: Path, message: EmailMessage, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    for _ in range(3):
        with pytest.raises(TemporaryMailError, match="No space"):
            Folder(tmp_path).send(message)
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_turns_everybody_away_is_temporary(message: EmailMessage) -> None:
    """Refused at the greeting, it is not about this mail: it waits until the operator or the server has mended it."""
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()

        def turn_away() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"220 hello\r\n")
                while connection.recv(1000):
                    connection.sendall(b"554 5.7.1 not you\r\n")

        server = threading.Thread(target=turn_away, daemon=True)
        server.start()
        with pytest.raises(TemporaryMailError):
            Smtp("127.0.0.1", listener.getsockname()[1], "smtp", timeout=5).send(message)
        server.join(5)
