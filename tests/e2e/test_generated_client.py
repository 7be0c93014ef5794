"""A client generated from openapi.yaml, as any client author would make it, plays a whole game in production.

Nothing of ours speaks HTTP here: the generated package does. PostgreSQL, Redis, gunicorn, worker, beat and the mail
server are processes (the last a thread) of their own.
"""

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.cli import letters
from tests.e2e.people import Made, Person, Played, wait_for_the_end
from tests.e2e.post import Letter
from tests.e2e.proof import examine
from tests.e2e.stack import Stack, production
from tests.support.hurry import haste
from tests.support.processes import ROOT, python_program, wait_until

PACKAGE = "emerald_client_made_for_this_test"
PATIENCE = 60.0


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The generated package, importable while this module's tests run."""
    folder = tmp_path_factory.mktemp("generated")
    done = subprocess.run(
        [
            *python_program("-m", "openapi_python_client", "generate", "--path", str(ROOT / "openapi.yaml")),
            *("--config", str(ROOT / "docs" / "client.yaml"), "--fail-on-warning"),
            *("--meta", "none", "--output-path", str(folder / PACKAGE)),
        ],
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def part(name: str) -> Any:
    """A module of the generated package."""
    return importlib.import_module(f"{PACKAGE}.{name}")


def new_person(stack: Stack, name: str) -> tuple[Person, Any]:
    """A person, and the generated client signed in for them."""
    client_part, models = part("client"), part("models")
    address = f"{name.lower()}@example.org"
    nobody = client_part.Client(base_url=stack.url, raise_on_unexpected_status=True)
    accepted = part("api.sign_in.sign_up").sync(
        client=nobody, body=models.SignUp(email=address, display_name=name, time_zone="Europe/Berlin")
    )
    assert isinstance(accepted, models.Accepted), accepted
    [mail] = stack.smtp.wait_for(to=address, seconds=PATIENCE)
    code = letters.code_in(mail.message)
    assert code is not None
    made = part("api.sign_in.redeem_code").sync(client=nobody, body=models.RedeemCode(email=address, code=code))
    assert isinstance(made, models.SignedIn), made
    nobody.get_httpx_client().close()
    client = client_part.AuthenticatedClient(
        base_url=stack.url, token=made.token, raise_on_unexpected_status=True, timeout=20
    )
    # The record of a game and its mails are looked at by the same eyes as in the fault tests.
    return Person(name, address, None, stack.smtp), client  # type: ignore[arg-type]


def wait_for_turn(person: Person, decision: letters.Decision) -> Letter:
    def come() -> list[Letter]:
        return [letter for letter in person.letters() if letter.turn == decision]

    wait_until(come, seconds=PATIENCE, what=f"the mail for {decision}")
    return come()[0]


def play(people: list[Person], clients: list[Any], rng: Random) -> Played:
    """A game of two people and a bot; both move when their mail has come, by number, notation or action."""
    models = part("models")
    look = part("api.games.get_game").sync
    created = part("api.games.create_game").sync(
        client=clients[0],
        body=models.CreateGame(
            seats=[
                models.MySeat(kind=models.MySeatKind.ME),
                models.OpenSeat(kind=models.OpenSeatKind.OPEN),
                models.BotSeat(kind=models.BotSeatKind.BOT, level=models.BotSeatLevel.STEADY),
            ],
            entropy="what the first one adds",
        ),
    )
    assert isinstance(created, models.Game), created
    assert created.seed is None
    joined = part("api.seats.join_game").sync(
        created.id, client=clients[1], body=models.JoinGame(entropy="what the second one adds")
    )
    assert isinstance(joined, models.Game), joined
    played = Played(created.id, seats=3, people=2)
    end = time.monotonic() + 200
    while (game := look(created.id, client=clients[0])).status != models.GameStatus.OVER:
        assert time.monotonic() < end, f"the game does not end; it is at ply {game.ply}"
        if game.to_act == 2:
            time.sleep(0.05)
            continue
        seat = game.to_act
        if game.ply == game.turn_ply:
            played.turns.add((seat, game.ply))
            wait_for_turn(people[seat], letters.Decision(game.id, game.ply))
            waiting = part("api.your_games.list_turns").sync(client=clients[seat])
            assert [turn.game.id for turn in waiting.items] == [game.id]
        mine = look(game.id, client=clients[seat])
        chosen = max(mine.legal, key=lambda one: haste(one.notation))
        body = rng.choice(
            [
                models.MakeMove(ply=mine.ply, line=str(chosen.number)),
                models.MakeMove(ply=mine.ply, line=chosen.notation),
                models.MakeMove(ply=mine.ply, actions=[chosen.action]),
            ]
        )
        answer = part("api.moves.make_move").sync(game.id, client=clients[seat], body=body)
        assert isinstance(answer, models.MoveAnswer), answer
        actions = tuple(applied.action.to_dict() for applied in answer.applied)
        played.made.append(Made(seat, answer.ply, answer.next_ply, actions))
    played.record = part("api.records.get_record").sync(created.id, client=clients[0]).to_dict()
    return played


@pytest.mark.timeout(400)
def test_a_generated_client_plays_a_whole_game(generated: Path) -> None:
    with production() as stack:
        people, clients = map(list, zip(*(new_person(stack, name) for name in ("Ada", "Ben")), strict=True))
        played = play(people, clients, Random(2))
        for person in people:
            wait_for_the_end(person, played)
        found = examine(played, people)
        assert not found.wrong, f"{found.wrong}\n{stack.logs()}"
        assert found.resent == 0
        assert found.turns > 10
        assert found.moves == sum(step["action"]["seat"] < 2 for step in played.record["steps"])
        log = part("api.log.list_events").sync(played.id, client=clients[0])
        assert log.items
        for client in clients:
            client.get_httpx_client().close()
