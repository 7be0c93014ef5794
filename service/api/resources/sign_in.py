"""Signing up, signing in, and the token a mailed code is exchanged for."""

from __future__ import annotations

from typing import Any

from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.accounts import Accepted, RedeemCode, SignedIn, SignIn, SignUp
from service.clock import now
from service.usecases import accounts

blueprint = Blueprint(
    "Sign-in", __name__, description="An account, and a token for it, by a code that is sent by mail."
)

NO_STORE = {"Cache-Control": "no-store"}


@blueprint.route("/accounts", methods=["POST"])
@contract("signUp", signed_in=False, refuses=("name-taken",))
@blueprint.arguments(SignUp)
@blueprint.response(202, Accepted)
def sign_up(body: dict[str, Any]) -> Any:
    """Sign up

    A code goes to the address; hand it to POST /tokens and the account is made. The answer is the same
    whether or not the address is known.
    """
    accounts.sign_up(**body, now=now())
    return {"detail": "A mail with a code is on its way; hand the code to POST /api/v1/tokens."}


@blueprint.route("/sign-in", methods=["POST"])
@contract("requestCode", signed_in=False)
@blueprint.arguments(SignIn)
@blueprint.response(202, Accepted)
def request_code(body: dict[str, Any]) -> Any:
    """Ask for a sign-in code

    If the address has an account, a code goes there: good for 10 minutes, once, and 5 tries. The answer is
    the same whether or not the address is known.
    """
    accounts.request_code(**body, now=now())
    return {"detail": "If this address has an account, a mail with a code is on its way to it."}


@blueprint.route("/tokens", methods=["POST"])
@contract("redeemCode", signed_in=False, refuses=("bad-code",))
@blueprint.arguments(RedeemCode)
@blueprint.response(201, SignedIn)
def redeem_code(body: dict[str, Any]) -> Any:
    """Exchange a code for a token

    The token is shown this once. Send it with every request as `Authorization: Bearer emerald_...`. Addresses of
    yours at which mail does not arrive are told here too.
    """
    return accounts.redeem_code(**body, now=now()), NO_STORE
