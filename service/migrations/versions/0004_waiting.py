"""Clocks and their ladder, hours, seats that a bot holds, standing orders, votes, and feeds of deadlines.

The reminders and time-outs that waited as outbox rows end here: the ladder of the games takes their place.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"

MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
HAS_CLOCK = "clock_at is not null"


def upgrade() -> None:
    # What the rows there are shall hold is said by a default, which then goes: the code gives these values itself.
    with op.batch_alter_table("users") as table:
        table.add_column(sa.Column("night_from", sa.Integer(), nullable=True, server_default="22"))
        table.add_column(sa.Column("night_to", sa.Integer(), nullable=True, server_default="7"))
        table.add_column(sa.Column("days_off", JSON, nullable=False, server_default="[]"))
    with op.batch_alter_table("users") as table:
        for column in ("night_from", "night_to", "days_off"):
            table.alter_column(column, server_default=None)

    with op.batch_alter_table("games") as table:
        table.add_column(sa.Column("clock", sa.String(length=4), nullable=False, server_default="none"))
        for column in ("bank_hours", "increment_hours", "cap_hours", "budget_seconds"):
            table.add_column(sa.Column(column, sa.Integer(), nullable=True))
        table.add_column(sa.Column("time_off", sa.Boolean(), nullable=False, server_default=sa.true()))
        table.add_column(sa.Column("clock_step", sa.String(length=12), nullable=True))
        table.add_column(sa.Column("clock_at", MOMENT, nullable=True))
        table.add_column(sa.Column("extra_seconds", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("hours", JSON, nullable=True))
        table.create_check_constraint(op.f("ck_games_clock"), "clock in ('none', 'days', 'bank')")
        table.create_check_constraint(
            op.f("ck_games_clock_step"),
            "clock_step in ('began', 'reminded', 'called', 'timed_out', 'standing_in')",
        )
    op.execute("update games set clock = 'days' where days_per_move is not null")
    with op.batch_alter_table("games") as table:
        for column in ("clock", "time_off", "extra_seconds"):
            table.alter_column(column, server_default=None)
    op.create_index(
        "ix_games_clock_at",
        "games",
        ["clock_at"],
        postgresql_where=sa.text(HAS_CLOCK),
        sqlite_where=sa.text(HAS_CLOCK),
    )

    with op.batch_alter_table("seats") as table:
        table.add_column(sa.Column("held_at", MOMENT, nullable=True))
        table.add_column(sa.Column("timeouts", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("bank_seconds", sa.Integer(), nullable=True))
    with op.batch_alter_table("seats") as table:
        table.alter_column("timeouts", server_default=None)

    op.add_column("moves", sa.Column("waited_seconds", sa.Integer(), nullable=True))

    op.create_table(
        "orders",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("text", sa.String(length=500), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind in ('bribe', 'catch', 'plan')", name=op.f("ck_orders_kind")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_orders_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "seat", "kind", name=op.f("pk_orders")),
    )
    op.create_table(
        "votes",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("turn_ply", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("kind in ('extend', 'end')", name=op.f("ck_votes_kind")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_votes_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "seat", "kind", name=op.f("pk_votes")),
    )
    op.create_table(
        "feeds",
        sa.Column("user_id", sa.String(length=12), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_feeds_user_id_users")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_feeds")),
        sa.UniqueConstraint("hash", name=op.f("uq_feeds_hash")),
    )

    # Games that are on: their turn goes on as it was promised, and the ladder counts from there.
    op.execute(
        "update games set clock_step = 'began', clock_at = coalesce(deadline, turn_since), "
        "budget_seconds = coalesce(days_per_move, 30) * 86400 "
        "where status = 'playing' and exists (select 1 from seats where seats.game_id = games.id "
        "and seats.number = games.to_act and seats.kind = 'human' and seats.resigned_at is null)"
    )
    # Whoever was reminded of this turn before is not reminded once more.
    op.execute(
        "update games set clock_step = 'reminded' where clock_step = 'began' and exists (select 1 from outbox "
        "where outbox.key = 'reminder:' || games.id || ':' || games.turn_ply and outbox.state = 'done')"
    )
    op.execute(
        "update outbox set state = 'dropped', ended_at = next_at, last_error = 'the ladder took its place' "
        "where topic in ('clock.timeout', 'mail.reminder') and state in ('pending', 'queued', 'running')"
    )


def downgrade() -> None:
    for name in ("feeds", "votes", "orders"):
        op.drop_table(name)
    op.drop_column("moves", "waited_seconds")
    with op.batch_alter_table("seats") as table:
        for column in ("held_at", "timeouts", "bank_seconds"):
            table.drop_column(column)
    op.drop_index("ix_games_clock_at", table_name="games")
    with op.batch_alter_table("games") as table:
        table.drop_constraint(op.f("ck_games_clock"), type_="check")
        table.drop_constraint(op.f("ck_games_clock_step"), type_="check")
        for column in (
            "clock",
            "bank_hours",
            "increment_hours",
            "cap_hours",
            "budget_seconds",
            "time_off",
            "clock_step",
            "clock_at",
            "extra_seconds",
            "hours",
        ):
            table.drop_column(column)
    with op.batch_alter_table("users") as table:
        for column in ("night_from", "night_to", "days_off"):
            table.drop_column(column)
