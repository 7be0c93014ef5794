"""Who may import whom, and how long a file may be."""

import ast
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
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


def test_what_runs_in_production_needs_no_development_package() -> None:
    """`make run` and the image install requirements-run.lock only; an import of anything else fails there first."""
    lock = (ROOT / "requirements-run.lock").read_text()
    locked = {canonical(name) for name in re.findall(r"^([A-Za-z0-9._-]+)(?:\[[\w,]+\])?==", lock, flags=re.MULTILINE)}
    owners = packages_distributions()
    for path in MODULES:
        for name in imported_by(path) - sys.stdlib_module_names - set(PACKAGES):
            distributions = {canonical(owner) for owner in owners.get(name, [])}
            assert distributions & locked, (
                f"{path.relative_to(ROOT)} imports {name}, which is not in the lock of `make run`"
            )


def imported_by(path: Path) -> set[str]:
    """The top-level names of all imports in a file, those inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def canonical(distribution: str) -> str:
    """The one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", distribution).lower()
