"""The rules of the game, by id."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from engine import RULES
from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.base import Output

blueprint = Blueprint("Rules", __name__, description="What the game's rules say, by the ids that refusals quote.")


class Rule(Output):
    """A rule."""

    id = fields.String(required=True, metadata={"description": "As refusals quote it, such as `R-MOVE-3`."})
    text = fields.String(required=True, metadata={"description": "What it says, in one sentence."})


class RuleList(Output):
    """All the rules."""

    items = fields.List(fields.Nested(Rule), required=True)


@blueprint.route("/rules")
@contract("listRules", signed_in=False)
@blueprint.response(200, RuleList)
def list_rules() -> Any:
    """List the rules

    Every rule of the game in one sentence, by the id that a refused move quotes.
    """
    return {"items": [{"id": rule, "text": text} for rule, text in RULES.items()]}, {
        "Cache-Control": "public, max-age=300"
    }
