"""The commands that people write: one table, and what reads it."""
