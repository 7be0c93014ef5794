"""What must hold for a fresh clone on anybody's machine."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.support.processes import ROOT

LOCKS = sorted(ROOT.glob("requirements*.lock"))


def committed_files() -> list[Path]:
    """What a clone would hold: all files git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.split(b"\0")
    return [path for name in listed if name and (path := ROOT / name.decode()).is_file()]


def text_of(path: Path) -> str | None:
    """The text of a file; None of a picture and other binaries."""
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return None


def make_targets() -> set[str]:
    """The targets of the Makefile that a person would type."""
    return set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_names_no_host_and_hashes_everything(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    pins = re.findall(r"^[a-z0-9][\w.\[\],-]*==\S+", text, flags=re.MULTILINE)
    hashed = re.findall(r"^[a-z0-9][\w.\[\],-]*==[^\n]*\\\n +--hash=sha256:", text, flags=re.MULTILINE)
    assert pins
    assert len(pins) == len(hashed)


def test_the_locks_agree() -> None:
    """What runs in production is what was tested."""

    def pins(lock: str) -> set[str]:
        return set(re.findall(r"^[a-z0-9][\w.\[\],-]*==[^\s;]+", (ROOT / lock).read_text(), flags=re.MULTILINE))

    runtime, dev, bench = map(pins, ("requirements-run.lock", "requirements.lock", "requirements-bench.lock"))
    assert runtime <= dev <= bench


def test_every_direct_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = (ROOT / "requirements-run.lock").read_text()
    for requirement in project["dependencies"]:
        name = re.split(r"[\[<>=]", requirement)[0]
        assert re.search(rf"^{re.escape(name)}(\[\w+\])?==", locked, flags=re.MULTILINE), f"{name}: run `make lock`"


def test_make_help_lists_every_target() -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    listed = {line.split()[0] for line in shown.splitlines()}
    assert listed == make_targets()


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_documents_name_only_targets_that_exist(document: str) -> None:
    text = (ROOT / document).read_text()
    named = set(re.findall(r"(?:^|`|\s{2,})make ([a-z-]+)", text, flags=re.MULTILINE))
    assert named, "no make target named here at all"
    assert named <= make_targets()


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    """An absolute path below a home, or the folder of this very checkout, works for one person only."""
    private = re.compile(rf"(?:/home/|/Users/|/root/|[A-Z]:\\Users\\|{re.escape(str(ROOT))}/)[\w.-]+")
    for path in committed_files():
        found = private.search(text_of(path) or "")
        assert found is None, f"{path.relative_to(ROOT)} names {found}"


def test_no_file_names_an_index_of_packages() -> None:
    """Where packages come from is the business of whoever installs, not of the repository."""
    words = ("index" + "-url", "find" + "-links")
    for path in committed_files():
        text = text_of(path) or ""
        if path.name == "Makefile":
            text = text.replace("--no-emit-" + words[0], "")  # the switch that keeps it out of the locks
        assert not [word for word in words if word in text], path.relative_to(ROOT)


def test_a_wheel_holds_everything_that_the_service_reads(tmp_path: Path) -> None:
    """What an image installs: a folder without `__init__.py`, or a kind of file not listed, would miss there only."""
    source = tmp_path / "source"
    for path in committed_files():
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    program = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
    built = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], cwd=source, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    [wheel] = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in committed_files()
        if path.relative_to(ROOT).parts[0] in {"engine", "service", "workers"} and path.suffix != ".md"
    }
    assert wanted <= held, sorted(wanted - held)
    assert not [name for name in held if name.startswith(("tests/", "bench/"))]
