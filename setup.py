"""The engine's hot modules, compiled by mypyc when EMERALD_MYPYC=1; everything else is in pyproject.toml.

Off by default: a plain install needs no compiler. `make compiled` compiles in place; an installation does it with
`EMERALD_MYPYC=1 pip install --no-build-isolation .` where mypy[mypyc] is installed. Where the C compiler is missing
or fails, the pure modules stay in use.
"""

import os

from setuptools import setup

# The one list of what is compiled: all that `apply` and `deal` run through. They are built as one group, so that
# calls between them are direct C calls.
COMPILED = [
    "engine/board.py",
    "engine/cards.py",
    "engine/actions.py",
    "engine/events.py",
    "engine/position.py",
    "engine/knights.py",
    "engine/treasure.py",
    "engine/dragon.py",
    "engine/scoring.py",
    "engine/turn.py",
    "engine/setup.py",
    "engine/chance.py",
]

extensions = []
if os.environ.get("EMERALD_MYPYC") == "1":
    try:
        from mypyc.build import mypycify
    except ImportError:
        raise SystemExit("EMERALD_MYPYC=1 needs mypy[mypyc], which `make setup` installs") from None

    extensions = mypycify(COMPILED, opt_level="3")
    for extension in extensions:
        extension.optional = True

setup(ext_modules=extensions)
