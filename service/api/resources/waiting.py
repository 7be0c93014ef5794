"""What those who wait can do: look at the pace of a game, and vote."""

from __future__ import annotations

from typing import Any

from service.api.auth import caller, maybe_caller
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.waiting import CastVote, Pace, Votes
from service.clock import now
from service.usecases import pace, votes
from service.usecases.results import GAMES_PLAY, GAMES_READ

blueprint = Blueprint("Waiting", __name__, description="Whom a game waits for, and what the others can do about it.")


@blueprint.route("/games/<id:game_id>/pace")
@contract("getPace", scope=GAMES_READ, signed_in=False, refuses=("not-found",))
@blueprint.response(200, Pace)
def get_pace(game_id: str) -> Any:
    """Show whom the game waits for

    Since when and until when, and how soon its players usually answer.
    """
    return pace.pace(caller=maybe_caller(), game_id=game_id)


@blueprint.route("/games/<id:game_id>/votes")
@contract("getVotes", scope=GAMES_READ, refuses=("not-found", "not-a-player"))
@blueprint.response(200, Votes)
def get_votes(game_id: str) -> Any:
    """Show what can be voted on

    And how the votes stand; for the players of the game.
    """
    return votes.votes(caller=caller(), game_id=game_id, now=now())


@blueprint.route("/games/<id:game_id>/votes", methods=["POST"])
@contract(
    "vote",
    scope=GAMES_PLAY,
    refuses=("not-found", "not-a-player", "game-not-playing", "no-vote", "seat-held", "stale-ply"),
)
@blueprint.arguments(CastVote)
@blueprint.response(200, Votes)
def vote(body: dict[str, Any], game_id: str) -> Any:
    """Vote

    For more time for whoever is to act, or for the end of the game. The vote that makes more than half has its effect
    at once. Voting twice does no more than voting once.
    """
    return votes.cast(caller=caller(), game_id=game_id, kind=body["vote"], turn_ply=body["turn_ply"], now=now())


@blueprint.route("/games/<id:game_id>/votes/<any(extend, end):kind>", methods=["DELETE"])
@contract("takeVoteBack", scope=GAMES_PLAY, refuses=("not-found", "not-a-player", "game-not-playing", "seat-held"))
@blueprint.response(200, Votes)
def take_vote_back(game_id: str, kind: votes.VoteKind) -> Any:
    """Take your vote back

    As long as it has not decided. Harmless if there is none.
    """
    return votes.take_back(caller=caller(), game_id=game_id, kind=kind, now=now())
