"""The record of a finished game."""

from __future__ import annotations

from typing import Any

from flask import jsonify

from service.api.auth import maybe_caller
from service.api.blueprint import Blueprint
from service.api.etags import tagged
from service.api.openapi import ETAG, IF_NONE_MATCH, contract
from service.api.schemas.record import Record
from service.usecases import queries
from service.usecases.results import GAMES_READ

blueprint = Blueprint("Records", __name__, description="A finished game, whole, to keep and to check.")


@blueprint.route("/games/<id:game_id>/record")
@contract(
    "getRecord",
    scope=GAMES_READ,
    signed_in=False,
    refuses=("not-found", "game-not-over"),
    parameters=(IF_NONE_MATCH,),
)
@blueprint.response(200, Record, headers=ETAG)
@blueprint.alt_response(304, description="It is what you have.", headers=ETAG)
def get_record(game_id: str) -> Any:
    """Take the game with you

    Once it is over: an `emerald-record/1`, with the seed, from which anyone can deal the game again and
    check every step (`emerald verify`).
    """
    return tagged(jsonify(queries.record(caller=maybe_caller(), game_id=game_id)))
