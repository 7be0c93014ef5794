"""Indexes of what is open alone: seats to be taken, outbox rows to be done."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _create_partial("ix_seats_open", "seats", ["game_id"], "kind = 'open'")
    _create_partial("ix_outbox_open", "outbox", ["next_at", "id"], "state in ('pending', 'queued', 'running')")
    op.drop_index("ix_outbox_state_next_at_id", table_name="outbox")


def downgrade() -> None:
    op.create_index("ix_outbox_state_next_at_id", "outbox", ["state", "next_at", "id"])
    op.drop_index("ix_outbox_open", table_name="outbox")
    op.drop_index("ix_seats_open", table_name="seats")


def _create_partial(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, postgresql_where=sa.text(where), sqlite_where=sa.text(where))
