"""The tasks: each is a few lines around one use case, and is handed the id of its outbox row."""
