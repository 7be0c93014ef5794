"""One table: its examples work, its beginnings work, its help fits a mail, and it knows the kinds of mail."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import legal_actions, play_line
from engine.lines import parse_line
from service.commands import ENTRIES, Entry, help_lines, read_line, reference_markdown, short_help
from service.commands.arguments import MAILS
from service.commands.model import Help, Join, Mistake, New, Play, Say
from service.commands.reading import LONGEST_SAID
from service.commands.standing import IN_PLANS, PHRASES
from service.commands.table import BY_WORD, NOTATION, SECTIONS
from service.commands.tables import MOST_BANK, MOST_DAYS, MOST_INCREMENT
from service.commands.times import DAY_NAMES, LONGEST_AWAY
from service.mail.tokens import KINDS
from service.usecases import absences, clock_choice
from service.usecases.words import LONGEST_TALK
from tests.engine.positions import position as a_position

WIDTH = 77


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_example_is_its_command(entry: Entry) -> None:
    command = read_line(entry.example)
    assert command is not None
    assert not isinstance(command, Mistake)
    assert isinstance(command, Play) == (entry.section == "Moves")
    many = sum(other.word == entry.word and other.section != "Moves" for other in ENTRIES) > 1
    assert read_line(f"help {entry.word}") == Help(entry.word if many else entry.name)
    assert read_line(f"help {entry.name}") == Help(entry.word if many and entry.name == entry.word else entry.name)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_help_tells_usage_example_and_detail_in_the_width_of_a_mail(entry: Entry) -> None:
    told = help_lines(entry.name)
    assert all(len(line) <= WIDTH for line in told)
    for part in (entry.usage, entry.example, entry.detail.split(".")[0]):
        assert part in " ".join(told)


def test_the_whole_help_has_every_command_in_its_section() -> None:
    told = help_lines()
    assert all(len(line) <= WIDTH for line in told)
    assert [line for line in told if line in SECTIONS] == list(SECTIONS)
    for entry in ENTRIES:
        assert any(line.startswith(f"  {entry.usage}") for line in told)
    both = help_lines("order")
    assert (both[: len(help_lines("order bribe"))], both[-1]) == (
        help_lines("order bribe"),
        help_lines("order catch")[-1],
    )
    strange = help_lines("nonsense")
    assert "nonsense" in strange[0]
    assert strange[-len(told) :] == told


def test_two_lines_are_in_every_mail() -> None:
    moves, others = short_help()
    assert max(len(moves), len(others)) <= WIDTH
    assert all(not isinstance(read_line(line), Mistake | None) for line in moves.removeprefix("Move: ").split(" | "))
    assert all(word in BY_WORD for word in others.removeprefix("Also: ").split())
    begin, others = short_help(game=False)
    assert max(len(begin), len(others)) <= WIDTH
    assert [type(read_line(line)) for line in begin.removeprefix("Play: ").split(" | ")] == [New, Join]
    assert all(word in BY_WORD for word in others.removeprefix("Also: ").split())


def test_the_reference_has_every_row() -> None:
    told = reference_markdown()
    for entry in ENTRIES:
        assert f"| `{entry.example.replace('|', chr(92) + '|')}` |" in told
        assert f"- `{entry.name}`: {entry.detail}" in told


def test_every_clear_beginning_works() -> None:
    checked = 0
    for entry in ENTRIES:
        if entry.section == "Moves" or entry.shortest is None:
            continue
        rest = entry.example.removeprefix(entry.word)
        for length in range(entry.shortest, len(entry.word)):
            beginning = entry.word[:length]
            others = [word for word in BY_WORD if word.startswith(beginning)]
            if len(others) == 1:
                assert read_line(beginning + rest) == read_line(entry.example), beginning
                checked += 1
            else:
                assert isinstance(read_line(beginning), Mistake), beginning
    assert checked > 40


def test_no_word_of_the_notation_is_a_command_of_ours() -> None:
    assert not set(NOTATION) & set(BY_WORD)
    for word in NOTATION:
        try:
            parse_line(word)
        except ValueError:
            assert isinstance(read_line(word), Mistake), word  # not all: catch, bribe, a colour, lowest
        else:
            assert read_line(word) == Play(word)


def test_every_legal_action_of_a_game_is_read_and_played() -> None:
    position = a_position(4)
    for number, action in enumerate(legal_actions(position), start=1):
        command = read_line(str(number))
        assert isinstance(command, Play)
        assert play_line(position, command.line).steps[0].action == action


def test_kinds_of_mail_and_lengths_are_those_of_the_house() -> None:
    assert set(MAILS.values()) == set(KINDS)
    assert LONGEST_SAID == LONGEST_TALK
    assert absences.LONGEST.days == LONGEST_AWAY
    limits = (clock_choice.MOST_DAYS, clock_choice.MOST_BANK, clock_choice.MOST_INCREMENT)
    assert limits == (MOST_DAYS, MOST_BANK, MOST_INCREMENT)


_WORDS = st.sampled_from(
    [
        *(*BY_WORD, *NOTATION, *PHRASES, *IN_PLANS, *sorted(DAY_NAMES)),
        *(
            "with",
            "on",
            "off",
            "open",
            "5d",
            "12",
            ">",
            ",",
            "the",
            "Robin",
            "3.",
            "22-7",
            "20",
            "Dec",
            "-",
            "always",
            "bank",
        ),
    ]
)
_LINES = st.one_of(
    st.text(max_size=60),
    st.lists(st.one_of(_WORDS, st.text(max_size=8)), max_size=8).map(" ".join),
    st.sampled_from([entry.example for entry in ENTRIES]).flatmap(
        lambda line: st.tuples(st.just(line), st.integers(0, len(line)), st.text(max_size=2)).map(
            lambda cut: cut[0][: cut[1]] + cut[2] + cut[0][cut[1] + 1 :]
        )
    ),
)


@given(_LINES)
@example("\ud800 t1")
@example("new \udfff seats with \ud800")
@example("\x00")
@example("m25 closed today")
@example("the with and")
@example("rules ")
def test_no_line_raises_and_what_is_suggested_works(line: str) -> None:
    read = read_line(line)
    if isinstance(read, Mistake):
        assert read.word.isprintable()
        assert read.message
        assert len(read.suggestion) <= len(line) + 40
        if read.suggestion:
            assert not isinstance(read_line(read.suggestion), Mistake | None)
    if isinstance(read, Play):
        parse_line(read.line)
    assert read_line(line) == read


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=50))
@example(":-)")
def test_what_is_said_is_kept_as_typed(text: str) -> None:
    assert read_line(f"say {text}") == Say(text)


@given(
    st.sampled_from([line for line in (entry.example for entry in ENTRIES) if not line.startswith(("say", "no", "na"))])
)
def test_case_and_what_phones_add_change_nothing(line: str) -> None:
    command = read_line(line)
    for typed in (
        line.upper(),
        line.capitalize(),
        f"{line}.",
        f"  {line} ",
        f"“{line}”",
        f"{line} 👍",
        f"{line}\u200b",
    ):
        again = read_line(typed)
        if isinstance(command, Play):
            assert isinstance(again, Play)
            assert again.line.lower() == command.line
        elif not line.startswith("new"):
            assert again == command
        else:
            assert not isinstance(again, Mistake | None)
