"""What the caller wants by mail, and what was mailed to them."""

from __future__ import annotations

from typing import Any

from service.api.auth import caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.mail import (
    GameMail,
    GameMailChange,
    MailChanges,
    MailSettings,
    SentMailList,
)
from service.clock import now
from service.usecases import deliveries, wishes
from service.usecases.results import ACCOUNT, GAMES_PLAY, GAMES_READ

blueprint = Blueprint("Mail", __name__, description="What you want by mail, and what was mailed to you.")


@blueprint.route("/me/mail")
@contract("getMailSettings", scope=ACCOUNT)
@blueprint.response(200, MailSettings)
def get_mail_settings() -> Any:
    """Show what you want by mail"""
    return wishes.mail_wishes(caller=caller())


@blueprint.route("/me/mail", methods=["PATCH"])
@contract("changeMailSettings", scope=ACCOUNT)
@blueprint.arguments(MailChanges)
@blueprint.response(200, MailSettings)
def change_mail_settings(body: dict[str, Any]) -> Any:
    """Change what you want by mail

    What is not said stays as it is. Codes, and answers to your own mails, always come. When mail is wanted again, those
    of the turns come that wait for you then.
    """
    return wishes.change(caller=caller(), **body, now=now())


@blueprint.route("/me/mail/sent")
@contract("listSentMails", scope=ACCOUNT)
@blueprint.response(200, SentMailList)
def list_sent_mails() -> Any:
    """List the newest mails to you

    Newest first, and how each fared.
    """
    return {"items": deliveries.mails_to(caller=caller())}


@blueprint.route("/games/<id:game_id>/mail")
@contract("getGameMail", scope=GAMES_READ, refuses=("not-found", "not-a-player"))
@blueprint.response(200, GameMail)
def get_game_mail(game_id: str) -> Any:
    """Show how a game's mails come to you"""
    return wishes.game_mail(caller=caller(), game_id=game_id, now=now())


@blueprint.route("/games/<id:game_id>/mail", methods=["PUT"])
@contract("setGameMail", scope=GAMES_PLAY, refuses=("not-found", "not-a-player"))
@blueprint.arguments(GameMailChange)
@blueprint.response(200, GameMail)
def set_game_mail(body: dict[str, Any], game_id: str) -> Any:
    """Have a game's mails come at once, or in a daily digest

    What waits for a digest that is no longer wanted comes at once.
    """
    next_digest = wishes.set_digest(caller=caller(), game_id=game_id, on=body["digest"], now=now())
    return {"digest": body["digest"], "next_digest": next_digest}
