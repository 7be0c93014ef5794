"""The engine's hot modules, compiled by mypyc when EMERALD_MYPYC=1; everything else is in pyproject.toml.

Off by default: a plain install needs no compiler. A compile that fails leaves the pure modules in use.
"""

import os

from setuptools import setup

# The one list of what is compiled. One group, so that calls between these modules are direct C calls.
COMPILED = [
    "engine/board.py",
]

extensions = []
if os.environ.get("EMERALD_MYPYC") == "1":
    from mypyc.build import mypycify

    extensions = mypycify(COMPILED, opt_level="3")
    for extension in extensions:
        extension.optional = True

setup(ext_modules=extensions)
