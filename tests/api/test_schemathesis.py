"""Schemathesis against the whole API: no fault, no undocumented status or header, no answer off its schema."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis.strategies import SearchStrategy, one_of
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from service.api.app import create_app
from service.config import Settings
from service.db import db
from tests.api.games import new_game, play_on
from tests.api.people import Person, mailed_code, person
from tests.support.postgres import PostgresServer

# Which names look like others', which zones exist and which moves are legal is no matter of schemas: a request that
# fits its schema may be refused with 422, and the tests of each route say when.
BEYOND_SCHEMAS: list[Any] = [positive_data_acceptance]


class World:
    """An application with people and games in every state, for the requests to hit upon."""

    def __init__(self, url: str, folder: str) -> None:
        settings = Settings(secret_key="x" * 40, database_url=url, mail_url=f"folder:{folder}", rate_limit=None)
        self.app = create_app(settings)
        self.people = [person(self.app, name) for name in ("Anna", "Bert", "Cleo")]
        anna, bert, _ = self.people
        rng = random.Random(1)
        self.games = [new_game(self.people, first=0), new_game(self.people[:2], first=0)]
        play_on(self.people, self.games[0], rng, decisions=25)
        over = new_game([anna, bert])
        play_on([anna, bert], over, rng)
        seats = [{"kind": "me"}, {"kind": "invite", "name": "Anna"}, {"kind": "open"}]
        waiting = bert.does("/games", {"seats": seats}, 201)["id"]
        self.games += [over, waiting]
        anna.does("/me/addresses", {"email": "anna@work.example"}, 202)
        code = {"email": "anna@work.example", "code": mailed_code(self.app, "anna@work.example")}
        self.addresses = [anna.does("/me/addresses/confirm", code)["id"]]
        self.feeds = [one.does("/me/feed", status=201)["ics"].split("/")[-2] for one in self.people[:2]]
        anna.ask("PUT", f"/games/{self.games[0]}/orders/bribe", {"order": "lowest"})
        self.tokens = [anna.does("/me/tokens", {"name": "spare"}, 201)["info"]["id"] for _ in range(3)]

    def close(self) -> None:
        """Give the database back."""
        with self.app.app_context():
            db.engine.dispose()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, sqlite_folder: Path) -> Iterator[World]:
    """One world for all the requests of this module."""
    path = shutil.copyfile(sqlite_template, sqlite_folder / "world.db")
    made = World(f"sqlite:///{path}", str(tmp_path_factory.mktemp("world") / "mail"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def postgres_world(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer, postgres_template: str
) -> Iterator[World]:
    """The same on PostgreSQL, which refuses more than SQLite does."""
    name = postgres.create(template=postgres_template)
    made = World(postgres.url(name), str(tmp_path_factory.mktemp("world") / "mail"))
    yield made
    made.close()
    postgres.drop(name)


def requests_fit(world: World, examples: int, who: Person, seed: int) -> None:
    """Send so many generated requests to each operation and check every answer in every way there is."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", world.app)
    headers = {} if who.token is None else {"Authorization": f"Bearer {who.token}"}
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.given(case=cases(world, operation))
        def send(case: schemathesis.Case[Any]) -> None:
            case.call_and_validate(headers=headers, excluded_checks=BEYOND_SCHEMAS)

        send()


def cases(world: World, operation: schemathesis.APIOperation[Any, Any, Any, Any]) -> SearchStrategy[Any]:
    """Requests that fit and that do not; an id that was made up hits nothing, so most bear one that is there."""
    places: list[dict[str, str] | None] = [None]
    if "{game_id}" in operation.path:
        places += [{"game_id": game} for game in world.games]
    if "{token_id}" in operation.path:
        places += [{"token_id": token} for token in world.tokens]
    if "{address_id}" in operation.path:
        places += [{"address_id": address} for address in world.addresses]
    if "{secret}" in operation.path:
        places += [{"secret": secret} for secret in world.feeds]
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    wanted: list[SearchStrategy[Any]] = [
        operation.as_strategy(generation_mode=mode, path_parameters=place) for place in places for mode in modes
    ]
    return one_of(wanted)


@pytest.mark.xdist_group("schemathesis")  # they share the world
@pytest.mark.parametrize("who", ["a player", "a stranger"])
def test_every_operation(world: World, who: str) -> None:
    requests_fit(world, 12, world.people[0] if who == "a player" else Person(world.app.test_client()), seed=1)


@pytest.mark.proof
@pytest.mark.parametrize("who", ["a player", "a stranger"])
def test_every_operation_at_length(postgres_world: World, who: str) -> None:
    world = postgres_world
    requests_fit(world, 300, world.people[0] if who == "a player" else Person(world.app.test_client()), seed=2)
