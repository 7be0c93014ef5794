"""The log of a game, and what is said in it."""

from __future__ import annotations

from typing import Any

from service.api.auth import caller, maybe_caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.log import LogEntry, LogPage, LogQuery, logged
from service.api.schemas.play import Say
from service.clock import now
from service.usecases import queries, talk
from service.usecases.results import GAMES_PLAY, GAMES_READ

blueprint = Blueprint("Log", __name__, description="What happened in a game, and what was said.")


@blueprint.route("/games/<id:game_id>/events")
@contract("listEvents", scope=GAMES_READ, signed_in=False, refuses=("not-found",))
@blueprint.arguments(LogQuery, location="query")
@blueprint.response(200, LogPage)
def list_events(page: dict[str, Any], game_id: str) -> Any:
    """Read the log

    Oldest first, as you may see it, from after the entry `after`. `next` is where the next request goes on,
    also when nothing is new.
    """
    found = queries.events(caller=maybe_caller(), game_id=game_id, **page)
    return {"items": [logged(line) for line in found.items], "next": int(found.next or page["after"])}


@blueprint.route("/games/<id:game_id>/says", methods=["POST"])
@contract("say", scope=GAMES_PLAY, refuses=("not-found", "not-a-player"))
@blueprint.arguments(Say)
@blueprint.response(201, LogEntry)
def say(body: dict[str, Any], game_id: str) -> Any:
    """Say something

    To everyone who may see the game.
    """
    return logged(talk.say(caller=caller(), game_id=game_id, **body, now=now()))


@blueprint.route("/games/<id:game_id>/notes", methods=["POST"])
@contract("note", scope=GAMES_PLAY, refuses=("not-found", "not-a-player"))
@blueprint.arguments(Say)
@blueprint.response(201, LogEntry)
def note(body: dict[str, Any], game_id: str) -> Any:
    """Note something to yourself

    Nobody else will see it.
    """
    return logged(talk.note(caller=caller(), game_id=game_id, **body, now=now()))
