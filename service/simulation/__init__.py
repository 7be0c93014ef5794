"""How long a game by mail takes: people who look at their mail now and then, the real rules, the real notation.

Pure: the engine and a seed, no clock and no database, and the same seed gives the same games. Start at ``pace.py``,
which plays one game by mail; ``habits.py`` says when people look, ``people.py`` what they then write, and
``figures.py`` sums up. The model, and what it leaves out, is docs/decisions/0012-pace-model.md.
"""
