"""What whoever means harm sends, and what they must not learn: odd requests, secrets in what is counted and kept."""

from __future__ import annotations

import pytest
from flask import Flask

from service.usecases import talk
from tests.service.table import Table
from tests.web.browsing import signed_in_client

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@SQLITE
def test_the_pulse_of_ones_games_beats_for_what_one_may_see_and_for_nothing_else(table: Table, api_app: Flask) -> None:
    ada, bo = signed_in_client(api_app, table, "Ada"), signed_in_client(api_app, table, "Bo")
    game = table.game(ada.caller, bo.caller)

    def beat() -> str:
        return str(bo.get("/pulse").get_json()["version"])

    before = beat()
    talk.note(caller=ada.caller, game_id=game, text="my plan is secret", now=table.now)
    assert beat() == before, "that she writes notes is hers alone"
    talk.note(caller=bo.caller, game_id=game, text="mine", now=table.now)
    own = beat()
    assert own != before
    talk.say(caller=ada.caller, game_id=game, text="hello", now=table.now)
    said = beat()
    assert said != own
    table.move(ada.caller, game)
    assert beat() != said
