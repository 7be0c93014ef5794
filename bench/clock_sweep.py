"""One look at the clocks among many games: `python -m bench.clock_sweep` (docs/PERFORMANCE.md, Clocks).

Fills two databases of a PostgreSQL of its own with games that have a deadline, one with ten thousand and one with a
million, of which a hundred are due in each. Then times the scheduler's sweep of those hundred, here and there by turns,
so that whatever else the machine does meanwhile falls on both. `--plan` shows how PostgreSQL finds what is due.
"""

import argparse
import statistics
import time
from datetime import UTC, datetime, timedelta
from typing import Final

from rich.console import Console
from rich.table import Table
from sqlalchemy import func, select, text, update

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
WARM_UP: Final = 3
ROUNDS: Final = 21
#: The reminder's time is past then, and that of the last call still ahead.
LOOK: Final = NOW + timedelta(days=2, hours=10)

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


class Stored:
    """A database of so many games, a hundred of which are due, and what the sweeps of those took (seconds)."""

    def __init__(self, server: PostgresServer, size: int) -> None:
        url = server.url(server.create())
        self.size, self.taken = size, list[float]()
        self.app = create_base_app(Settings(secret_key="a key for a bench, long enough for it", database_url=url))  # noqa: S106
        migrate_database(self.app)
        with self.app.app_context():
            pattern, *self.due = games(DUE + 1, person("Anna"), person("Bert"))
            copy(pattern, DUE + 2, size)

    def sweep(self) -> float:
        """Seconds for one sweep of what is due: each takes one step in these games."""
        with self.app.app_context():
            due_again(self.due)
            begun = time.perf_counter()
            stepped = clocks.sweep(now=LOOK, limit=len(self.due))
            seconds = time.perf_counter() - begun
            with reading() as session:
                reminded = select(func.count()).where(Game.id.in_(self.due), Game.clock_step == "reminded")
                if (stepped, session.scalar(reminded)) != (DUE, DUE):
                    raise AssertionError(f"{stepped} games were looked at, of {DUE} that were due")
        return seconds

    def check(self) -> None:
        """No other game than those that were due has had a step."""
        with self.app.app_context(), reading() as session:
            found = session.scalar(select(func.count()).where(Game.clock_step != "began"))
            if found != DUE:
                raise AssertionError(f"a step was taken in {found} games, and {DUE} were due")

    def plan(self) -> str:
        """How PostgreSQL finds what is due here."""
        with self.app.app_context():
            due_again(self.due)
            return plan(LOOK)

    @property
    def median(self) -> float:
        """Of all sweeps that were timed."""
        return statistics.median(self.taken)


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
            session.execute(text("set local statement_timeout = 0"))
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
        connection.execute(text("set statement_timeout = 0"))
        connection.execute(text("vacuum analyze"))
        connection.execute(text("checkpoint"))  # so that what was just written is not written on while others are timed
        connection.execute(text("reset statement_timeout"))


def due_again(ids: list[str]) -> None:
    """The same games are due once more, each for its reminder."""
    with transaction() as session:
        session.execute(text("delete from outbox where topic = 'mail.reminder'"))
        session.execute(
            update(Game)
            .where(Game.id.in_(ids))
            .values(clock_step="began", extra_seconds=0, clock_at=NOW + timedelta(hours=1), turn_since=NOW)
        )


def plan(now: datetime) -> str:
    """How PostgreSQL answers the sweep's question, with what it read for it."""
    with reading() as session:
        connection = session.connection()
        asked = clocks.due(now, DUE).compile(dialect=connection.dialect)
        found = connection.exec_driver_sql(f"explain (analyze, buffers) {asked}", asked.params)
        return "\n".join(found.scalars())


def main() -> None:
    """Fill both, time both by turns, and tell the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=SIZES[-1], help="how many games at last")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--plan", action="store_true")
    chosen = parser.parse_args()
    console = Console()
    with PostgresServer() as server:
        few, many = stored = [_filled(console, server, size) for size in (SIZES[0], chosen.games)]
        for number in range(WARM_UP + chosen.rounds):
            for one in stored if number % 2 else reversed(stored):
                seconds = one.sweep()
                if number >= WARM_UP:
                    one.taken.append(seconds)
        table = Table("games stored", f"sweep of {DUE} due, median", "fastest", "a game")
        for one in stored:
            one.check()
            milliseconds = f"{one.median * 1e3:.0f} ms", f"{min(one.taken) * 1e3:.0f} ms"
            table.add_row(f"{one.size:,}", *milliseconds, f"{one.median / DUE * 1e3:.2f} ms")
            if chosen.plan:
                console.print(one.plan(), highlight=False)
        console.print(table)
        medians, fastest = many.median / few.median, min(many.taken) / min(few.taken)
        console.print(
            f"{many.size:,} games beside {few.size:,}: {medians:.2f} x (at most 1.2); the fastest {fastest:.2f} x"
        )


def _filled(console: Console, server: PostgresServer, size: int) -> Stored:
    console.log(f"storing {size:,} games")
    return Stored(server, size)


if __name__ == "__main__":
    main()
