"""Accounts, sign-in and tokens."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.api.auth import SCOPES
from service.api.schemas.base import Input, Instant, Output, Pattern, ident, one_of, text
from service.usecases.results import ADDRESS_STATES
from service.usecases.words import NAME_LENGTHS

_EMAIL = "^[^@\\s\\x00-\\x1f]+@[^@\\s\\x00-\\x1f]+$"


def email() -> fields.String:
    """An address; what is right beyond its shape is known only when a mail arrives."""
    return fields.String(
        required=True,
        validate=[validate.Length(min=3, max=254), Pattern(_EMAIL, error="Not an e-mail address.")],
        metadata={"format": "email", "description": "An e-mail address."},
    )


def code() -> fields.String:
    """A mailed code, as it may be typed."""
    return fields.String(
        required=True,
        validate=Pattern(r"^[0-9 -]{1,20}$", error="A code is 8 digits, as in the mail."),
        metadata={"description": "The 8 digits from the mail."},
    )


def scopes() -> fields.Field[Any]:
    """Which scopes a token has."""
    return fields.List(
        fields.String(validate=validate.OneOf(sorted(SCOPES))),
        load_default=None,
        validate=validate.Length(min=1, max=len(SCOPES)),
        metadata={"description": "What the token may do; if not said, all that it can."},
    )


def display_name(*, required: bool = True) -> fields.String:
    """A name."""
    shortest, longest = NAME_LENGTHS
    return text(
        longest, least=shortest, required=required, about="How the others see you; no two accounts look the same."
    )


def language(**kwargs: object) -> fields.String:
    """A language tag."""
    return fields.String(
        validate=Pattern(r"^[a-z]{2,3}(-[A-Z]{2})?$", error="Not a language tag such as en, de or pt-BR."),
        metadata={"description": "A language tag (BCP 47), such as `en`."},
        **kwargs,  # type: ignore[arg-type]
    )


def time_zone(**kwargs: object) -> fields.String:
    """An IANA time zone."""
    return fields.String(
        validate=validate.Length(min=1, max=64),
        metadata={"description": "An IANA time zone, such as `Europe/Berlin`."},
        **kwargs,  # type: ignore[arg-type]
    )


class SignUp(Input):
    """Who wants to play."""

    email = email()
    display_name = display_name()
    language = language(load_default="en")
    time_zone = time_zone(load_default="UTC")


class SignIn(Input):
    """Who wants a code."""

    email = email()


class Accepted(Output):
    """The same answer for a known and an unknown address."""

    detail = fields.String(required=True, metadata={"description": "What happens next, for people."})


class RedeemCode(Input):
    """A code for a token."""

    email = email()
    code = code()
    token_name = text(60, least=0, required=False, load_default="", about="What to call the token in your list.")
    scopes = scopes()


class NewTokenRequest(Input):
    """A further token."""

    name = text(60, about="What to call the token in your list.")
    scopes = scopes()


class TokenInfo(Output):
    """A token, without what it is."""

    id = ident("The token's id, by which it is revoked.")
    name = fields.String(required=True)
    prefix = fields.String(required=True, metadata={"description": "How every token begins."})
    hint = fields.String(required=True, metadata={"description": "Its last four characters."})
    scopes = fields.List(fields.String(validate=validate.OneOf(sorted(SCOPES))), required=True)
    created_at = Instant(required=True)
    last_used_at = Instant(required=True, allow_none=True)
    expires_at = Instant(
        required=True,
        allow_none=True,
        metadata={"description": "When it ends by itself (a browser's session does); null: not before it is revoked."},
    )
    current = fields.Boolean(required=True, metadata={"description": "Whether this request bears it."})


class NewToken(Output):
    """A token, shown this once."""

    token = fields.String(required=True, metadata={"description": "Keep it: it is shown once only."})
    info = fields.Nested(TokenInfo, required=True)


class TokenList(Output):
    """All live tokens of the account."""

    items = fields.List(fields.Nested(TokenInfo), required=True)


class Address(Output):
    """One of your addresses, and how mail to it fares."""

    id = ident("What the address is called in the API.")
    email = fields.String(required=True)
    state = one_of(
        *ADDRESS_STATES,
        about="`ok`; `failing`: mail does not arrive; `complained`: a mail was reported as unwanted from there. "
        "A code mailed there that comes back makes it `ok`.",
    )
    failing_since = Instant(required=True, allow_none=True, metadata={"description": "Since when it is not `ok`."})
    last_status = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "What its mail server last said, as a status code of RFC 3463, such as `5.1.1`."},
    )
    preferred = fields.Boolean(
        required=True,
        metadata={"description": "Whether mail goes here first. If none is preferred, the oldest one comes first."},
    )
    verified_at = Instant(required=True, metadata={"description": "When it was added, or last mended."})


class AddressList(Output):
    """All addresses of the account, in the order in which mail tries them."""

    items = fields.List(fields.Nested(Address), required=True)


class AddAddress(Input):
    """An address to be added."""

    email = email()


class ConfirmAddress(Input):
    """The code that was mailed to an address."""

    email = email()
    code = code()


def failing_addresses() -> fields.Field[Any]:
    """Which addresses need their owner's eye."""
    return fields.List(
        fields.Nested(Address),
        required=True,
        attribute="failing",
        metadata={
            "description": "Those of your addresses at which mail does not arrive. POST "
            "/me/addresses/{address_id}/test sends a code there; that it comes back mends it."
        },
    )


class SignedIn(NewToken):
    """A token for a code, shown this once; and what you should know now that you are here."""

    failing_addresses = failing_addresses()


class Account(Output):
    """The caller."""

    id = ident("The account's id.")
    email = fields.String(required=True, metadata={"description": "The address that mail goes to now."})
    display_name = fields.String(required=True)
    language = fields.String(required=True)
    time_zone = fields.String(required=True)
    created_at = Instant(required=True)
    failing_addresses = failing_addresses()


class AccountChanges(Input):
    """What to change; what is not said stays."""

    display_name = display_name(required=False)
    language = language()
    time_zone = time_zone()
