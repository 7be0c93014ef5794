"""A game step by step: its log, its replay, its end, its record, the proof of its shuffle."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, request
from markupsafe import Markup

from engine import View
from service.pictures.svg import board_svg
from service.pictures.text import board_lines, headline
from service.usecases import queries
from service.usecases import replay as use
from service.usecases.journal import TALK
from service.usecases.replay import Chapter, Step
from service.usecases.results import GameInfo, GameView, LogLine
from service.web import games, results, telling
from service.web.rendering import page
from service.web.visitor import visitor


def finished_page(seen: GameView) -> Response:
    """A game that is over: who won and why, and all that was hidden while it was on."""
    info, view, result = seen.info, seen.view, seen.info.result
    if view is None or result is None:
        raise AssertionError(f"game {info.id} is not over")
    heading, why = results.verdict(info, view, result)
    return page(
        "finished/page.html",
        info=info,
        title=games.title(info),
        names=games.names(info),
        verdict=heading,
        why=why,
        sheets=results.sheets(info, view, result),
        majorities=results.majorities(info, view, result),
        **_board(info, view),
    )


def register(web: Blueprint) -> None:
    """Its routes."""

    @web.get("/games/<game_id>/log")
    def log(game_id: str) -> Response:
        """All that happened, turn by turn, the newest first."""
        story = use.story(caller=visitor().caller, game_id=game_id, upto=request.args.get("upto", type=int))
        info = story.info
        return page(
            "finished/log.html",
            info=info,
            title=games.title(info),
            names=games.names(info),
            colors=_colors(info),
            story=story,
            chapters=[(chapter.turn, _steps(chapter, info)) for chapter in reversed(story.chapters)],
            a_page=use.TURNS_A_PAGE,
        )

    @web.get("/games/<game_id>/replay")
    def replay(game_id: str) -> Response:
        """The board after one decision, and the way to the others."""
        shown = use.at_step(caller=visitor().caller, game_id=game_id, step=request.args.get("step", type=int))
        info = shown.info
        return page(
            "finished/replay.html",
            info=info,
            title=games.title(info),
            names=games.names(info),
            colors=_colors(info),
            shown=shown,
            told=telling.sentences(shown.lines, info),
            turn=_turn(shown),
            before=max((turn.step for turn in shown.turns if turn.step < shown.step), default=None),
            after=min((turn.step for turn in shown.turns if turn.step > shown.step), default=None),
            **_board(info, shown.view),
        )

    @web.get("/games/<game_id>/verify")
    def verify(game_id: str) -> Response:
        """The shuffle, to be done again by the browser or by a command."""
        info = games.seen(game_id).info
        return page("finished/verify.html", info=info, title=games.title(info), names=games.names(info))

    @web.get("/games/<game_id>/record.json")
    def record(game_id: str) -> Response:
        """The record of a finished game, as a file to keep."""
        text = json.dumps(queries.record(caller=visitor().caller, game_id=game_id), indent=1)
        answer = Response(text, mimetype="application/json")
        answer.headers["Content-Disposition"] = f'attachment; filename="emerald-{game_id}.json"'
        return answer


def _colors(info: GameInfo) -> list[list[int]]:
    return [telling.color_numbers(seat) for seat in info.seats]


def _board(info: GameInfo, view: View) -> dict[str, Any]:
    names = games.names(info)
    picture = Markup(board_svg(view, names, theme="page", bare=True))  # noqa: S704 - escaped where it is drawn
    return {"view": view, "picture": picture, "headline": headline(view, names), "sections": board_lines(view, names)}


def _turn(shown: Step) -> use.Turn | None:
    """The turn in which the step was made; at the start, the first."""
    begun = [turn for turn in shown.turns if turn.step < shown.step] or list(shown.turns[:1])
    return begun[-1] if begun else None


def _steps(chapter: Chapter, info: GameInfo) -> list[tuple[int, list[tuple[LogLine, str]]]]:
    """The entries of a turn by the decision they came of: the step that shows what they led to, and their words.

    What was said stands alone.
    """
    steps: list[tuple[int, list[tuple[LogLine, str]]]] = []
    for line in chapter.lines:
        if line.kind == "turn":
            continue
        step, talk = line.ply + 1, line.kind in TALK
        if not steps or steps[-1][0] != step or talk or steps[-1][1][-1][0].kind in TALK:
            steps.append((step, []))
        steps[-1][1].append((line, telling.sentence(line, info)))
    return steps
