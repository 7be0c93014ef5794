"""Real servers for the tests: PostgreSQL, Redis and a mail server, each on a free loopback port.

They are classes with `start`, `kill`, `restart` and `stop`, so that fault tests can be unkind to them.
"""
