"""RFC 9457."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.actions import LegalAction
from service.api.schemas.base import Output


class Problem(Output):
    """What went wrong, why, and what would be right."""

    type = fields.String(
        required=True,
        metadata={
            "format": "uri-reference",
            "description": "`urn:emerald:problem:` and the code.",
        },
    )
    title = fields.String(required=True, metadata={"description": "The kind of problem in a few words."})
    status = fields.Integer(required=True, metadata={"description": "The HTTP status."})
    detail = fields.String(required=True, metadata={"description": "This problem, for people."})
    code = fields.String(required=True, metadata={"description": "Stable; what a program looks at."})
    rule = fields.String(metadata={"description": "The rule that forbids the move (see GET /rules)."})
    rule_text = fields.String(metadata={"description": "What that rule says."})
    word = fields.String(metadata={"description": "The word of the line that cannot be read."})
    legal = fields.List(fields.Nested(LegalAction), metadata={"description": "What is legal instead."})
    ply = fields.Integer(metadata={"description": "The ply the game is at now."})
    to_act = fields.Integer(allow_none=True, metadata={"description": "The seat that is to act now."})
    game_status = fields.String(metadata={"description": "The status of the game."})
    scope = fields.String(metadata={"description": "The scope the token lacks."})
    left_days = fields.Float(metadata={"description": "How many days of the year's allowance are left."})
    errors = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata={"description": "For each place in the request that is wrong, what is wrong there."},
    )
