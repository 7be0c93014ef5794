"""The first schema: accounts, games, outbox."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None

MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def upgrade() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("email_key", sa.String(length=254), nullable=False),
        sa.Column("nonce", sa.String(length=64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("used_at", MOMENT, nullable=True),
        sa.Column("display_name", sa.String(length=64), nullable=True),
        sa.Column("language", sa.String(length=20), nullable=True),
        sa.Column("time_zone", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_challenges_email_key_created_at", "challenges", ["email_key", "created_at"])

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("next_at", MOMENT, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("last_error", sa.String(length=500), nullable=True),
        sa.CheckConstraint(
            "state in ('pending', 'queued', 'running', 'done', 'dropped', 'failed')", name=op.f("ck_outbox_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_state_next_at_id", "outbox", ["state", "next_at", "id"])
    op.create_index("ix_outbox_state_topic", "outbox", ["state", "topic"])

    op.create_table(
        "users",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("display_name", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=200), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name_key", name=op.f("uq_users_name_key")),
    )
    op.create_table(
        "addresses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.String(length=12), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("email_key", sa.String(length=254), nullable=False),
        sa.Column("verified_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_addresses_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_addresses")),
        sa.UniqueConstraint("email_key", name=op.f("uq_addresses_email_key")),
    )
    op.create_index("ix_addresses_user_id", "addresses", ["user_id"])

    op.create_table(
        "games",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("join_code", sa.String(length=12), nullable=False),
        sa.Column("creator_id", sa.String(length=12), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("first_set", sa.Integer(), nullable=True),
        sa.Column("days_per_move", sa.Integer(), nullable=True),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("rematch_of", sa.String(length=12), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("log_seq", sa.Integer(), nullable=False),
        sa.Column("position", JSON, nullable=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("to_act", sa.Integer(), nullable=True),
        sa.Column("phase", sa.String(length=10), nullable=True),
        sa.Column("turn_ply", sa.Integer(), nullable=False),
        sa.Column("turn_since", MOMENT, nullable=True),
        sa.Column("deadline", MOMENT, nullable=True),
        sa.Column("result", JSON, nullable=True),
        sa.CheckConstraint("status in ('waiting', 'playing', 'over', 'cancelled')", name=op.f("ck_games_status")),
        sa.ForeignKeyConstraint(["creator_id"], ["users.id"], name=op.f("fk_games_creator_id_users")),
        sa.ForeignKeyConstraint(["rematch_of"], ["games.id"], name=op.f("fk_games_rematch_of_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("rematch_of", name=op.f("uq_games_rematch_of")),
    )
    op.create_index("ix_games_creator_id", "games", ["creator_id"])
    op.create_index("ix_games_status_public_created_at_id", "games", ["status", "public", "created_at", "id"])

    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("user_id", sa.String(length=12), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("hint", sa.String(length=4), nullable=False),
        sa.Column("scopes", JSON, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("last_used_at", MOMENT, nullable=True),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_tokens_hash")),
    )
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"])

    op.create_table(
        "log_entries",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("public", JSON, nullable=True),
        sa.Column("private", JSON, nullable=True),
        sa.Column("private_seat", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_log_entries_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_log_entries")),
    )
    op.create_table(
        "moves",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", JSON, nullable=False),
        sa.Column("by", sa.String(length=10), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_moves_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "ply", name=op.f("pk_moves")),
    )
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("user_id", sa.String(length=12), nullable=True),
        sa.Column("bot_level", sa.String(length=20), nullable=True),
        sa.Column("invited_user_id", sa.String(length=12), nullable=True),
        sa.Column("invited_email", sa.String(length=254), nullable=True),
        sa.Column("invited_email_key", sa.String(length=254), nullable=True),
        sa.Column("entropy", sa.String(length=64), nullable=False),
        sa.Column("joined_at", MOMENT, nullable=True),
        sa.Column("resigned_at", MOMENT, nullable=True),
        sa.Column("acted_seq", sa.Integer(), nullable=False),
        sa.Column("told_seq", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind in ('open', 'invited', 'human', 'bot')", name=op.f("ck_seats_kind")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id_games")),
        sa.ForeignKeyConstraint(["invited_user_id"], ["users.id"], name=op.f("fk_seats_invited_user_id_users")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seats_user_id_users")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "user_id", name=op.f("uq_seats_game_id_user_id")),
    )
    op.create_index("ix_seats_invited_email_key", "seats", ["invited_email_key"])
    op.create_index("ix_seats_invited_user_id", "seats", ["invited_user_id"])
    op.create_index("ix_seats_user_id", "seats", ["user_id"])

    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=True),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_submissions_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("game_id", "seat", "fingerprint", name=op.f("uq_submissions_game_id_seat_fingerprint")),
        sa.UniqueConstraint("game_id", "seat", "key", name=op.f("uq_submissions_game_id_seat_key")),
    )


def downgrade() -> None:
    op.drop_table("submissions")
    op.drop_index("ix_seats_user_id", table_name="seats")
    op.drop_index("ix_seats_invited_user_id", table_name="seats")
    op.drop_index("ix_seats_invited_email_key", table_name="seats")

    op.drop_table("seats")
    op.drop_table("moves")
    op.drop_table("log_entries")
    op.drop_index("ix_tokens_user_id", table_name="tokens")

    op.drop_table("tokens")
    op.drop_index("ix_games_status_public_created_at_id", table_name="games")
    op.drop_index("ix_games_creator_id", table_name="games")

    op.drop_table("games")
    op.drop_index("ix_addresses_user_id", table_name="addresses")

    op.drop_table("addresses")
    op.drop_table("users")
    op.drop_index("ix_outbox_state_topic", table_name="outbox")
    op.drop_index("ix_outbox_state_next_at_id", table_name="outbox")

    op.drop_table("outbox")
    op.drop_index("ix_challenges_email_key_created_at", table_name="challenges")

    op.drop_table("challenges")
