"""Who may import whom, and how long a file may be."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT

PACKAGES = ("engine", "service", "workers")
LONGEST = 450  # a file of more than about 400 lines is asking to be two
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_import_contracts_hold() -> None:
    """The contracts are in pyproject.toml; this is `lint-imports` of the very interpreter that runs the tests."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_a_worker_never_loads_the_http_layer() -> None:
    """What is loaded, not what is written: a lazy import somewhere would escape the contracts."""
    program = "import sys, workers.celery_app; print([m for m in sys.modules if m.startswith('service.api')])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_the_engine_needs_the_standard_library_only() -> None:
    """`-S` hides site-packages: what is not in the standard library cannot be found."""
    program = (
        "import importlib, pkgutil, engine\n"
        "for module in pkgutil.walk_packages(engine.__path__, 'engine.'): importlib.import_module(module.name)\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_module_is_long(path: Path) -> None:
    lines = len(path.read_text().splitlines())
    assert lines <= LONGEST, f"{lines} lines: split it by reason to change"
