"""What can be written in a mail: from the one table of commands, and from what the engine says of orders and plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response

from engine import BribeOrder, CatchOrder, explain, explain_plan, parse_bribe, parse_catch, parse_plan
from service.commands.table import ENTRIES, SECTIONS
from service.db import settings
from service.i18n import gettext as _
from service.i18n import told
from service.web.headers import findable
from service.web.rendering import page

_BRIBES: Final = ("lowest", "never", "at most 2", "lowest while I have 3 cards")
_CATCHES: Final = ("purple>yellow", "leader", "never me")
_PLAN: Final = "if t1 and m3 then t1 m3 gem else t2 stop"
_TESTS: Final = (
    *("m3", "purple c4", "dragon c5", "gold 3 at c2", "gem at c4", "ruby at c4", "m3 to c1", "c9 to chamber"),
    "not m3",
)


@dataclass(frozen=True, slots=True)
class Line:
    """A command as a page shows it: how it is written, a line that works, and what there is to say about it."""

    anchor: str
    usage: str
    example: str
    summary: str
    detail: str


@dataclass(frozen=True, slots=True)
class Group:
    """The commands of one section, under its name."""

    anchor: str
    heading: str
    lines: Sequence[Line]


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/help/mail")
    def mail_help() -> Response:
        """The whole help."""
        answer = page(
            "reading/mail.html",
            groups=_groups(),
            address=settings().service_address,
            bribes=_explained(_BRIBES, parse_bribe),
            catches=_explained(_CATCHES, parse_catch),
            plan=(_PLAN, told(explain_plan(parse_plan(_PLAN)))),
            tests=_TESTS,
        )
        return findable(answer)


def _explained(orders: Sequence[str], parse: Callable[[str], BribeOrder | CatchOrder | None]) -> list[tuple[str, str]]:
    """Orders, each with the sentence that the engine has for it."""
    read = ((text, parse(text)) for text in orders)
    return [(text, told(explain(order))) for text, order in read if order is not None]


def _groups() -> list[Group]:
    """The table of commands in the language that is spoken now."""
    return [
        Group(
            anchor=section.lower().replace(" ", "-"),
            heading=_(section),
            lines=[
                Line(
                    anchor=f"say-{entry.name.replace(' ', '-')}",
                    usage=entry.usage,
                    example=entry.example,
                    summary=_(entry.summary),
                    detail=_(entry.detail),
                )
                for entry in ENTRIES
                if entry.section == section
            ],
        )
        for section in SECTIONS
    ]
