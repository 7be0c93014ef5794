"""What the service can do, one module a chapter: the only place with transactions.

Functions with keyword arguments, ``now`` handed in, plain frozen results out (``results``), ``Refusal`` when not. HTTP,
workers and mail are thin adapters on these and reach no table but through them.
"""
