"""What can be written in a mail, as data."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.api.blueprint import Blueprint
from service.api.openapi import contract
from service.api.schemas.base import Output, one_of
from service.commands.table import ENTRIES, SECTIONS

blueprint = Blueprint("Commands", __name__, description="What can be written in a mail, as `help` there says it.")


class Command(Output):
    """A command."""

    name = fields.String(required=True, metadata={"description": "How it begins."})
    usage = fields.String(
        required=True,
        metadata={"description": "How it is written: arguments in capitals, in brackets what may be left out."},
    )
    summary = fields.String(required=True, metadata={"description": "What it does, in a few words."})
    example = fields.String(required=True, metadata={"description": "A line that works."})
    section = one_of(*SECTIONS, about="Under which heading it stands.")
    detail = fields.String(required=True, metadata={"description": "The rest there is to know."})


class CommandList(Output):
    """All the commands."""

    items = fields.List(fields.Nested(Command), required=True)


@blueprint.route("/commands")
@contract("listCommands", signed_in=False)
@blueprint.response(200, CommandList)
def list_commands() -> Any:
    """List the commands of a mail

    One table: what is listed here is what a mail is read by, and what `help` answers.
    """
    return {"items": ENTRIES}, {"Cache-Control": "public, max-age=300"}
