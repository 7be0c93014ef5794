"""`emerald mail-read`: how the service reads a mail, told to who wants to know why it did (not) do something."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from service.mail.reading import read


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True, dir_okay=False, allow_dash=True)
)
@click.option("--own", multiple=True, metavar="ADDRESS", help="An address of the service itself; may repeat.")
def mail_read(files: tuple[str, ...], own: tuple[str, ...]) -> None:
    """Read mails as the service does: one JSON object a file, its kind and the command lines in it.

    Each FILE holds one mail as it came in; - is standard input.
    """
    for name in files:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        letter = read(raw, own=own)
        said = {"file": name, "kind": letter.kind, "lines": list(letter.lines)}
        # As bytes: a file's name may hold what is no UTF-8, and a terminal may want none.
        click.echo(json.dumps(said, ensure_ascii=False).encode("utf-8", "backslashreplace"))
