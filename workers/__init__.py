"""Everything that happens beside a request: relay the outbox, send mail, let bots think, run out clocks.

Read ``topics`` first: the one table that says which outbox row becomes which task.
"""
