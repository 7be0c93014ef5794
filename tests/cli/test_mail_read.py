"""`emerald mail-read`: the very reading of the service, a JSON object a file."""

import json
from pathlib import Path

from tests.cli.conftest import Emerald

GIVEN = Path(__file__).parents[1] / "mail" / "letters" / "given"


def test_one_object_a_file(emerald: Emerald) -> None:
    paths = sorted(GIVEN.glob("*.eml"))
    ended = emerald("mail-read", *paths)
    said = [json.loads(line) for line in ended.out.splitlines()]
    assert (ended.status, [line["file"] for line in said]) == (0, [str(path) for path in paths])
    assert said[1] == {"file": str(paths[1]), "kind": "command", "lines": ["T1 m3 gem", "Say “good luck all” 🍀"]}
    assert said[-1] == {"file": str(paths[-1]), "kind": "loop", "lines": []}


def test_from_standard_input_and_what_is_no_mail(emerald: Emerald) -> None:
    ended = emerald("mail-read", "-", stdin=b"\xff\x00 nothing \xfe")
    assert json.loads(ended.out) == {"file": "-", "kind": "malformed", "lines": []}
    assert emerald("mail-read").status == 2
    assert emerald("mail-read", "/no/such/file").status == 2


def test_our_own_address_can_be_said(emerald: Emerald, tmp_path: Path) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(b"From: emerald@example.org\n\nstatus\n")
    assert json.loads(emerald("mail-read", path).out)["kind"] == "command"
    assert json.loads(emerald("mail-read", "--own", "emerald@example.org", path).out)["kind"] == "loop"
