"""What the docstrings of the engine show is what happens."""

import doctest
import importlib
import pkgutil

import engine


def test_examples_in_the_engine_run() -> None:
    names = ["engine", *(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(result.attempted for result in results) > 0
    assert sum(result.failed for result in results) == 0
