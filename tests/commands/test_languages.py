"""Help, hints and refusals in another language: nothing stays English but commands and what goes with them."""

from __future__ import annotations

import re

from service.commands import ENTRIES, help_lines, read_line, reference_markdown, short_help
from service.commands.model import Mistake
from service.commands.reading import LONGEST_SAID
from service.commands.standing import IN_PLANS, PHRASES
from service.commands.table import BY_WORD, NOTATION, SECTIONS
from service.i18n import speaking
from tests.commands.commands import COMMANDS, MISTAKES
from tests.i18n.marking import facts, marking

#: English in every language: commands, what they go with, examples; and a German "or", which is Babel's.
GRAMMAR = {"oder"} | {
    word
    for text in (*BY_WORD, *NOTATION, *PHRASES, *IN_PLANS, *(f"{row.usage} {row.example}" for row in ENTRIES))
    for word in re.findall(r"[\w-]+", text.lower())
}
MORE_MISTAKES = [
    *(f"say {'x' * (LONGEST_SAID + 1)}", "vote", "vote end end", "help t1 t1", "digest on 7 8", "concede", "commands"),
    *("new 3 seats 9 bots", "new 3 seats 9 cats", "new 3 seats no way", "new 5 seats with A, B, C, D, E"),
    *("new 3 seats bank x y", "new 2 seats with " + "x" * 300, "away from 1 Jan 1066 to 3 Jan 1066", "Night 13pm-7am"),
]


def test_what_is_wrong_with_a_line_is_told_in_the_language_that_is_spoken() -> None:
    lines = [*(line for line, _, _ in MISTAKES), *MORE_MISTAKES]
    with marking():
        told = {line: read_line(line) for line in lines}
    assert [line for line, mistake in told.items() if not isinstance(mistake, Mistake)] == []
    for line, mistake in told.items():
        assert isinstance(mistake, Mistake)
        assert (mistake.message[0], mistake.message[-1]) == ("⟦", "⟧"), line
        left = set(re.findall(r"[\w-]+", facts(mistake.message).lower())) - GRAMMAR
        assert [word for word in left if word not in line.lower() and not word.isdecimal()] == [], line
        english = read_line(line)
        assert isinstance(english, Mistake)
        assert (english.word, english.suggestion) == (mistake.word, mistake.suggestion)


def test_commands_are_the_same_in_every_language() -> None:
    with marking():
        told = {line: read_line(line) for line, _ in COMMANDS}
    assert told == dict(COMMANDS)


def test_help_is_told_in_the_language_that_is_spoken() -> None:
    with marking():
        pages = [help_lines(), help_lines("nonsense"), *(help_lines(entry.name) for entry in ENTRIES), *[short_help()]]
        pages.append(short_help(game=False))
    usages = " ".join(f"{row.usage} {row.example} {row.name}" for row in ENTRIES)
    for page in pages:
        left = facts("\n".join(page))
        for usage in sorted((f"{row.usage}" for row in ENTRIES), key=len, reverse=True):
            left = left.replace(" ".join(usage.split()), " ")
        strange = [word for word in re.findall(r"[\w-]+", left) if word not in usages and word != "nonsense"]
        assert [word for word in strange if word not in GRAMMAR and not word.isdecimal()] == []
    with marking():
        assert not any(section in "\n".join(help_lines()) for section in SECTIONS)


def test_the_reference_and_help_are_english_where_nothing_else_is_spoken() -> None:
    english = help_lines(), reference_markdown()
    with speaking("en"):
        assert (help_lines(), reference_markdown()) == english
    assert english[0][0] == "Moves"
