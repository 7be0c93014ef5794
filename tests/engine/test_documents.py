"""What docs/RULES.md and docs/RECORD.md say is what the engine does."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.chance import Stream, game_key
from tests.engine.positions import final

DOCS = Path(__file__).parents[2] / "docs"
RULES_PAGE = (DOCS / "RULES.md").read_text()
RECORD_PAGE = (DOCS / "RECORD.md").read_text()


def test_the_rules_page_tells_every_rule_once_and_no_other() -> None:
    told = re.findall(r"^- \*\*(R-[A-Z]+-[0-9]+)\*\*", RULES_PAGE, re.MULTILINE)
    assert told == list(engine.RULES)
    assert set(re.findall(r"R-[A-Z]+-[0-9]+", RULES_PAGE)) == set(engine.RULES)


def test_the_record_page_names_every_key_of_a_position() -> None:
    for key in engine.after(final(3, 1)):
        assert f"`{key}`" in RECORD_PAGE, key


def test_the_example_of_a_record_reads_as_json() -> None:
    example = re.search(r"```json\n(.+?)```", RECORD_PAGE, re.DOTALL)
    assert example
    record: dict[str, Any] = json.loads(example[1])
    assert record["format"] == engine.FORMAT
    assert record["result"].keys() == engine.result_to_json(final(2, 1)).keys()
    for step in record["steps"]:
        engine.action_from_json(step["action"])


def test_the_example_of_a_seed_is_right() -> None:
    example = RECORD_PAGE[RECORD_PAGE.index("An example to") :]
    said = dict(re.findall(r"^\| ([^|-]+?) \| ([^|]+?) \|$", example, re.MULTILINE))
    seed = bytes.fromhex(said["seed"].strip("`"))
    entropy = ["", "x", ""]
    key = game_key(seed, entropy)
    dealt = engine.deal(3, seed, entropy, None)
    gold = Stream(key, "gold")
    gems = ", ".join(engine.GEMS[gem] for gem in dealt.gem_piles[0])
    assert said == {
        "seed": f"`{seed.hex()}`",
        "commitment": f"`{engine.commitment(seed)}`",
        "key": f"`{key.hex()}`",
        "first words of `gold`": " ".join(f"`{gold.word():08x}`" for _ in range(3)),
        "at `c1`": f"gold {', '.join(map(str, dealt.gold_piles[0]))}; gems {gems}",
        "first seat": str(dealt.first),
        "first throws": ", ".join(map(str, dealt.dice[:6])),
    }


@pytest.mark.parametrize("page", [RULES_PAGE, RECORD_PAGE], ids=["rules", "record"])
def test_links_and_pictures_are_there(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)|src=\"([^\"]+)\"", page):
        assert (DOCS / (target[0] or target[1])).exists(), target
