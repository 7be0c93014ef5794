"""A mail as its reader has it: sent as bytes and read back by the standard library."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser

from service.mail import kinds
from service.mail.render import mail
from service.mail.tokens import unseal
from tests.mail.samples import SETTINGS


def sent(notice: kinds.Notice) -> EmailMessage:
    parsed = message_from_bytes(mail(notice, SETTINGS).as_bytes(), policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    assert not parsed.defects
    return parsed


def text_of(notice: kinds.Notice) -> str:
    body = sent(notice).get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def html_of(notice: kinds.Notice) -> str:
    body = sent(notice).get_body(("html",))
    assert body is not None
    return str(body.get_content())


class Page(HTMLParser):
    """The words of a page, and which elements it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def token_of(address: str) -> object:
    """What an answer to this address may do."""
    sealed = SETTINGS.token_in(address)
    return None if sealed is None else unseal(SETTINGS.secret_key, sealed)


def flat(text: str) -> str:
    """On one line."""
    return " ".join(text.split())
