"""Mail both ways: what came in, how what went out fared, addresses that fail, and what somebody wants by mail."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"

MOMENT = sa.DateTime(timezone=True)
JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
OPEN_ROWS = "state in ('pending', 'queued', 'running')"
# SQLite makes a changed table anew: ids that name rows in queues must go on never coming again.
AUTOINCREMENT = {"sqlite_autoincrement": True}


def upgrade() -> None:
    op.create_table(
        "inbound_mails",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=400), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("via", sa.String(length=10), nullable=False),
        sa.Column("envelope_from", sa.String(length=320), nullable=True),
        sa.Column("envelope_to", JSON, nullable=False),
        sa.Column("received_at", MOMENT, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=True),
        sa.Column("handled_at", MOMENT, nullable=True),
        sa.Column("user_id", sa.String(length=12), nullable=True),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("outcome", JSON, nullable=True),
        sa.CheckConstraint("state in ('received', 'answered', 'noted')", name=op.f("ck_inbound_mails_state")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_inbound_mails_game_id_games")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_inbound_mails_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound_mails")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_inbound_mails_fingerprint")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_inbound_mails_game_id_seat_handled_at", "inbound_mails", ["game_id", "seat", "handled_at"])
    op.create_index("ix_inbound_mails_received_at", "inbound_mails", ["received_at"])
    op.create_index("ix_inbound_mails_user_id", "inbound_mails", ["user_id"])

    op.create_table(
        "deliveries",
        sa.Column("outbox_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("email_key", sa.String(length=254), nullable=False),
        sa.Column("user_id", sa.String(length=12), nullable=True),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("sent_at", MOMENT, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("state_at", MOMENT, nullable=True),
        sa.Column("status", sa.String(length=20), nullable=True),
        sa.CheckConstraint("state in ('sent', 'delayed', 'bounced', 'complained')", name=op.f("ck_deliveries_state")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deliveries_game_id_games")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_deliveries_user_id_users")),
        sa.PrimaryKeyConstraint("outbox_id", name=op.f("pk_deliveries")),
    )
    for column in ("message_id", "email_key", "user_id", "sent_at"):
        op.create_index(f"ix_deliveries_{column}", "deliveries", [column])

    op.create_table(
        "opt_outs",
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("who", "kind", name=op.f("pk_opt_outs")),
    )
    op.create_table(
        "absences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.String(length=12), nullable=False),
        sa.Column("starts_at", MOMENT, nullable=False),
        sa.Column("ends_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_absences_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absences")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_absences_user_id", "absences", ["user_id"])

    # What the rows there are shall hold is said by a default, which then goes: the code gives these values itself.
    with op.batch_alter_table("users") as table:
        table.add_column(sa.Column("mail_drawing", sa.Boolean(), nullable=False, server_default=sa.true()))
        table.add_column(sa.Column("mail_cards", sa.Boolean(), nullable=False, server_default=sa.true()))
        table.add_column(sa.Column("digest_hour", sa.Integer(), nullable=False, server_default="8"))
        table.add_column(sa.Column("mail_paused_at", MOMENT, nullable=True))
    with op.batch_alter_table("users") as table:
        for column in ("mail_drawing", "mail_cards", "digest_hour"):
            table.alter_column(column, server_default=None)

    with op.batch_alter_table("addresses") as table:
        table.add_column(sa.Column("state", sa.String(length=10), nullable=False, server_default="ok"))
        table.add_column(sa.Column("failing_since", MOMENT, nullable=True))
        table.add_column(sa.Column("soft_bounces", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("last_status", sa.String(length=20), nullable=True))
        table.add_column(sa.Column("tried_at", MOMENT, nullable=True))
        table.add_column(sa.Column("preferred", sa.Boolean(), nullable=False, server_default=sa.false()))
        table.create_check_constraint(op.f("ck_addresses_state"), "state in ('ok', 'failing', 'complained')")
    with op.batch_alter_table("addresses") as table:
        for column in ("state", "soft_bounces", "preferred"):
            table.alter_column(column, server_default=None)

    with op.batch_alter_table("challenges", table_kwargs=AUTOINCREMENT) as table:
        table.add_column(sa.Column("user_id", sa.String(length=12), nullable=True))
        table.add_column(sa.Column("inbound_id", sa.Integer(), nullable=True))
        table.create_foreign_key(op.f("fk_challenges_user_id_users"), "users", ["user_id"], ["id"])
        table.create_foreign_key(
            op.f("fk_challenges_inbound_id_inbound_mails"), "inbound_mails", ["inbound_id"], ["id"]
        )
    op.create_index("ix_challenges_user_id", "challenges", ["user_id"])

    with op.batch_alter_table("seats") as table:
        table.add_column(sa.Column("digest", sa.Boolean(), nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("resign_asked_at", MOMENT, nullable=True))
    with op.batch_alter_table("seats") as table:
        table.alter_column("digest", server_default=None)

    with op.batch_alter_table("outbox", table_kwargs=AUTOINCREMENT) as table:
        table.add_column(sa.Column("recipient", sa.String(length=80), nullable=True))
        table.add_column(sa.Column("merged_into", sa.Integer(), nullable=True))
        table.add_column(sa.Column("digested", sa.Boolean(), nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("alone", sa.Boolean(), nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("due_at", MOMENT, nullable=True))
    op.execute("update outbox set due_at = next_at")
    with op.batch_alter_table("outbox", table_kwargs=AUTOINCREMENT) as table:
        table.alter_column("digested", server_default=None)
        table.alter_column("alone", server_default=None)
        table.alter_column("due_at", existing_type=MOMENT, nullable=False)
    op.create_index(
        "ix_outbox_open_recipient",
        "outbox",
        ["recipient", "next_at"],
        postgresql_where=sa.text(OPEN_ROWS),
        sqlite_where=sa.text(OPEN_ROWS),
    )

    with op.batch_alter_table("games") as table:
        table.create_unique_constraint(op.f("uq_games_join_code"), ["join_code"])


def downgrade() -> None:
    with op.batch_alter_table("games") as table:
        table.drop_constraint(op.f("uq_games_join_code"), type_="unique")
    op.drop_index("ix_outbox_open_recipient", table_name="outbox")
    with op.batch_alter_table("outbox", table_kwargs=AUTOINCREMENT) as table:
        for column in ("recipient", "merged_into", "digested", "alone", "due_at"):
            table.drop_column(column)
    with op.batch_alter_table("seats") as table:
        table.drop_column("digest")
        table.drop_column("resign_asked_at")
    op.drop_index("ix_challenges_user_id", table_name="challenges")
    with op.batch_alter_table("challenges", table_kwargs=AUTOINCREMENT) as table:
        table.drop_constraint(op.f("fk_challenges_inbound_id_inbound_mails"), type_="foreignkey")
        table.drop_constraint(op.f("fk_challenges_user_id_users"), type_="foreignkey")
        table.drop_column("inbound_id")
        table.drop_column("user_id")
    with op.batch_alter_table("addresses") as table:
        table.drop_constraint(op.f("ck_addresses_state"), type_="check")
        for column in ("state", "failing_since", "soft_bounces", "last_status", "tried_at", "preferred"):
            table.drop_column(column)
    with op.batch_alter_table("users") as table:
        for column in ("mail_drawing", "mail_cards", "digest_hour", "mail_paused_at"):
            table.drop_column(column)
    for table_name in ("absences", "opt_outs", "deliveries", "inbound_mails"):
        op.drop_table(table_name)
