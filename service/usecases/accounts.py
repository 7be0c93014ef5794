"""Accounts: sign-up and sign-in by a mailed code, bearer tokens, one's own settings."""

from collections.abc import Sequence
from datetime import datetime

from service.usecases.results import Account, Caller, NewToken, TokenInfo


def sign_up(*, email: str, display_name: str, language: str = "en", time_zone: str = "UTC", now: datetime) -> None:
    """Mail a code that will make this account. The same answer, by the same road, if the address has one already."""
    raise NotImplementedError


def request_code(*, email: str, now: datetime) -> None:
    """Mail a sign-in code. The same answer, by the same road, whether the address is known or not."""
    raise NotImplementedError


def redeem_code(
    *, email: str, code: str, token_name: str = "", scopes: Sequence[str] | None = None, now: datetime
) -> NewToken:
    """A token for a code. Every wrong code counts, also the refused ones."""
    raise NotImplementedError


def authenticate(*, token: str, now: datetime) -> Caller:
    """Who bears ``token``."""
    raise NotImplementedError


def me(*, caller: Caller) -> Account:
    """The caller's own account."""
    raise NotImplementedError


def update_account(
    *,
    caller: Caller,
    display_name: str | None = None,
    language: str | None = None,
    time_zone: str | None = None,
    now: datetime,
) -> Account:
    """Change what is given (None: leave it)."""
    raise NotImplementedError


def list_tokens(*, caller: Caller) -> tuple[TokenInfo, ...]:
    """The caller's tokens that are in force, newest first."""
    raise NotImplementedError


def create_token(*, caller: Caller, name: str, scopes: Sequence[str], now: datetime) -> NewToken:
    """Another token, with no more scopes than the caller's own."""
    raise NotImplementedError


def revoke_token(*, caller: Caller, token_id: str, now: datetime) -> None:
    """End a token of the caller's, its own included."""
    raise NotImplementedError
