"""The caller's own account and tokens."""

from __future__ import annotations

from typing import Any

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.resources.sign_in import NO_STORE
from service.api.schemas.accounts import Account, AccountChanges, NewToken, NewTokenRequest, TokenList
from service.clock import now
from service.usecases import accounts, tokens
from service.usecases.results import ACCOUNT

blueprint = Blueprint("Account", __name__, description="Your account and its tokens.")


@blueprint.route("/me")
@contract("getAccount", scope=ACCOUNT)
@blueprint.response(200, Account)
def get_account() -> Any:
    """Show your account"""
    return accounts.me(caller=caller())


@blueprint.route("/me", methods=["PATCH"])
@contract("changeAccount", scope=ACCOUNT, refuses=("name-taken",))
@blueprint.arguments(AccountChanges)
@blueprint.response(200, Account)
def change_account(body: dict[str, Any]) -> Any:
    """Change your account

    What is not said stays as it is.
    """
    return accounts.update_account(caller=caller(), **body, now=now())


@blueprint.route("/me/tokens")
@contract("listTokens", scope=ACCOUNT)
@blueprint.response(200, TokenList)
def list_tokens() -> Any:
    """List your tokens

    Those in force, newest first; never the tokens themselves.
    """
    return {"items": tokens.list_tokens(caller=caller(), now=now())}


@blueprint.route("/me/tokens", methods=["POST"])
@contract("createToken", scope=ACCOUNT, refuses=("forbidden",))
@blueprint.arguments(NewTokenRequest)
@blueprint.response(201, NewToken)
def create_token(body: dict[str, Any]) -> Any:
    """Make a further token

    With no more scopes than the token you make it with. It is shown this once.
    """
    body["scopes"] = body["scopes"] or sorted(caller().scopes)
    return tokens.create_token(caller=caller(), **body, now=now()), NO_STORE


@blueprint.route("/me/tokens/<id:token_id>", methods=["DELETE"])
@contract("revokeToken", refuses=("not-found", "scope-missing"))
@blueprint.response(204)
def revoke_token(token_id: str) -> Any:
    """Revoke a token

    At once. To revoke the token you send this with needs no scope.
    """
    tokens.revoke_token(caller=caller(), token_id=token_id, now=now())
