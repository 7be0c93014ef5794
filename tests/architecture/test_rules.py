"""The rules have ids, and the engine's list, its code, its tests and docs/RULES.md know the same ones."""

import re
from pathlib import Path

import engine
from tests.support.processes import ROOT

ID = re.compile(r"\bR-[A-Z]+-[0-9]+\b")
LIST = ROOT / "engine" / "rules.py"  # texts of the rules; naming a rule there is not implementing it


def named_in(*paths: Path) -> set[str]:
    """All rule ids in these files."""
    return {rule for path in paths for rule in ID.findall(path.read_text())}


ENGINE = [path for path in (ROOT / "engine").rglob("*.py") if path != LIST]
OTHER_CODE = [path for package in ("service", "workers") for path in (ROOT / package).rglob("*.py")]
TESTS = [path for path in (ROOT / "tests").rglob("test_*.py") if path.parent.name != "architecture"]


def test_every_rule_is_named_where_it_is_implemented() -> None:
    missing = set(engine.RULES) - named_in(*ENGINE)
    assert not missing, f"no code says it implements {sorted(missing)}"


def test_every_rule_is_named_in_a_test() -> None:
    missing = set(engine.RULES) - named_in(*TESTS)
    assert not missing, f"no test says it covers {sorted(missing)}"


def test_nothing_names_a_rule_that_does_not_exist() -> None:
    unknown = named_in(*ENGINE, *OTHER_CODE, *TESTS, *(ROOT / "docs").rglob("*.md")) - set(engine.RULES)
    assert not unknown, f"no such rules: {sorted(unknown)}"


def test_every_rule_has_its_sentence() -> None:
    for rule, text in engine.RULES.items():
        assert ID.fullmatch(rule), rule
        assert re.fullmatch(r"[A-Z].+[.]", text), f"{rule} is not told in a sentence: {text!r}"
