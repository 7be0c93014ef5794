"""One look at the clocks among many games: `python -m bench.clock_sweep` (docs/PERFORMANCE.md, Clocks).

Fills a PostgreSQL of its own with games that have a deadline, of which a hundred are due, and times the scheduler's
sweep of those hundred; then fills it up to a million games, and times the same again. `--plan` shows how PostgreSQL
finds what is due.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Final

from rich.console import Console
from rich.table import Table
from sqlalchemy import select, text, update

from service.bootstrap import create_base_app, migrate_database
from service.codes import sign_in_code
from service.config import Settings
from service.db import db, reading, settings, transaction
from service.models import Challenge, Game
from service.usecases import accounts, clocks, lobby, tokens
from service.usecases.results import Caller, ClockSpec, SeatSpec
from tests.support.postgres import PostgresServer

NOW: Final = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DUE: Final = 100
SIZES: Final = (10_000, 1_000_000)
ROUNDS: Final = 15

_COPY_GAME = """
insert into games ({columns})
select {values} from games g cross join generate_series({first}, {last}) as n where g.id = :pattern
"""
_COPY_SEATS = """
insert into seats ({columns})
select {values} from seats s cross join generate_series({first}, {last}) as n where s.game_id = :pattern
"""
#: Copied rows have these columns of their own; all others are those of the pattern, its whole position too.
_OWN_GAME = {
    "id": "'x' || lpad(n::text, 11, '0')",
    "join_code": "'x' || lpad(n::text, 9, '0')",
    # Spread over the days to come, as deadlines are.
    "clock_at": "g.clock_at + interval '1 day' + n * interval '0.7 second'",
    "deadline": "g.deadline + interval '1 day' + n * interval '0.7 second'",
}
_OWN_SEAT = {
    "game_id": "'x' || lpad(n::text, 11, '0')",
}


@contextmanager
def database() -> Iterator[None]:
    """A migrated PostgreSQL of our own, and the application in its context."""
    with PostgresServer() as server:
        url = server.url(server.create())
        app = create_base_app(Settings(secret_key="a key for a bench, long enough for it", database_url=url))  # noqa: S106
        migrate_database(app)
        with app.app_context():
            yield
            db.engine.dispose()


def person(name: str) -> Caller:
    """An account made as everybody makes one; its code is taken from where it is sent."""
    accounts.sign_up(email=f"{name}@example.org", display_name=name, now=NOW)
    with reading() as session:
        nonce = session.scalars(select(Challenge.nonce).order_by(Challenge.id.desc())).first() or ""
    code = sign_in_code(settings().secret_key, nonce)
    new = accounts.redeem_code(email=f"{name}@example.org", code=code, now=NOW)
    return tokens.authenticate(token=new.token, now=NOW)


def games(number: int, anna: Caller, bert: Caller) -> list[str]:
    """So many real games that have just begun, with three days a turn."""
    made = []
    for _ in range(number):
        game = lobby.create_game(
            caller=anna, seats=[SeatSpec("me"), SeatSpec("open")], clock=ClockSpec("days", days=3), now=NOW
        )
        lobby.join(caller=bert, game_id=game, now=NOW)
        made.append(game)
    return made


def copy(pattern: str, first: int, last: int) -> None:
    """Store copies of a game, its seats with it."""
    for statement, alias, own, table in (
        (_COPY_GAME, "g", _OWN_GAME, "games"),
        (_COPY_SEATS, "s", _OWN_SEAT, "seats"),
    ):
        with transaction() as session:
            columns = session.scalars(
                text("select column_name from information_schema.columns where table_name = :t order by 1"),
                {"t": table},
            ).all()
            values = ", ".join(own.get(column, f"{alias}.{column}") for column in columns)
            session.execute(
                text(statement.format(columns=", ".join(columns), values=values, first=first, last=last)),
                {"pattern": pattern},
            )
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("vacuum analyze"))


def due_again(ids: list[str]) -> None:
    """The same games are due once more, each for its reminder."""
    with transaction() as session:
        session.execute(text("delete from outbox where topic = 'mail.reminder'"))
        session.execute(
            update(Game)
            .where(Game.id.in_(ids))
            .values(clock_step="began", extra_seconds=0, clock_at=NOW + timedelta(hours=1), turn_since=NOW)
        )


def sweeps(ids: list[str], rounds: int) -> list[float]:
    """Seconds for one sweep of what is due, so many times; each takes one step in these games, and in no other."""
    taken = []
    at = NOW + timedelta(days=2, hours=10)  # the reminder's time is past, and that of the last call still ahead
    for _ in range(rounds):
        due_again(ids)
        begun = time.perf_counter()
        stepped = clocks.sweep(now=at, limit=len(ids))
        taken.append(time.perf_counter() - begun)
        with reading() as session:
            reminded = session.scalar(text("select count(*) from games where clock_step = 'reminded'"))
        if (stepped, reminded) != (len(ids), len(ids)):
            raise AssertionError(f"{stepped} games were looked at and {reminded} reminded, of {len(ids)} that were due")
    return taken


def plan(now: datetime) -> str:
    """How PostgreSQL answers the sweep's question, with what it read for it."""
    with reading() as session:
        connection = session.connection()
        asked = clocks.due(now, DUE).compile(dialect=connection.dialect)
        found = connection.exec_driver_sql(f"explain (analyze, buffers) {asked}", asked.params)
        return "\n".join(found.scalars())


def main() -> None:
    """Fill, time, fill more, time again, and tell the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=SIZES[-1], help="how many games at last")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--plan", action="store_true")
    chosen = parser.parse_args()
    console = Console()
    with database():
        anna, bert = person("Anna"), person("Bert")
        pattern, *due = games(DUE + 1, anna, bert)
        table = Table("games stored", f"sweep of {DUE} due, median", "fastest", "a game")
        medians, stored = [], DUE + 1
        for size in (SIZES[0], chosen.games):
            console.log(f"storing {size:,} games")
            copy(pattern, stored, size)
            stored = size + 1
            sweeps(due, 3)
            taken = sweeps(due, chosen.rounds)
            medians.append(statistics.median(taken))
            table.add_row(
                f"{size:,}",
                f"{medians[-1] * 1e3:.0f} ms",
                f"{min(taken) * 1e3:.0f} ms",
                f"{medians[-1] / DUE * 1e3:.2f} ms",
            )
            if chosen.plan:
                due_again(due)
                console.print(plan(NOW + timedelta(days=2, hours=10)), highlight=False)
        console.print(table)
        console.print(f"{chosen.games:,} games beside {SIZES[0]:,}: {medians[1] / medians[0]:.2f} x (at most 1.2)")


if __name__ == "__main__":
    main()
