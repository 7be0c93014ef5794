"""Every command, once: the parser, the help, the hints, the mails and docs/MAIL.md are made from this table."""

from __future__ import annotations

from typing import Final

from engine.board import COLORS, SPACES
from engine.cards import CARD_KINDS
from service.commands import arguments, model, waiting
from service.commands.entry import SECTIONS, Entry, Section, move, simple
from service.i18n import marked

__all__ = ["BY_NAME", "BY_WORD", "ENTRIES", "NOTATION", "SECTIONS", "TEXTS", "Entry", "Section", "by_prefix", "topics"]

_KINDS: Final = tuple(arguments.MAILS)

ENTRIES: Final[tuple[Entry, ...]] = (
    move(
        "number",
        "3",
        marked("make the move with this number in the list"),
        "3",
        marked(
            "The list of what you may do now stands in every mail about your turn. The number stands alone in its line."
        ),
    ),
    move(
        "space",
        "[COLOUR] SPACE [[COLOUR] SPACE]",
        marked("move the knight that stands there, then another"),
        "t1 m3 gem",
        marked(
            "A move names where the knight stands, never where it goes: t1 to t4, hall, m1 to m6, c1 to c9. With two "
            "players the colour comes first if both of yours stand there: black t1. What may come up can be said ahead "
            "in the same line: t1 c3 gold catch purple>yellow bribe lowest."
        ),
    ),
    move(
        "gold",
        "gold",
        marked("take the gold card"),
        "t1 m3 gold",
        marked("Said after a move, or alone when you are asked."),
        brief=False,
    ),
    move(
        "gem",
        "gem",
        marked("take the gem"),
        "gem",
        marked("Said after a move, or alone when you are asked."),
        brief=False,
    ),
    move(
        "stop",
        "stop",
        marked("end the turn without a second knight"),
        "stop",
        marked("The first knight of a turn has to move; the second need not. Without stop you are asked for it."),
    ),
    move(
        "catch",
        "catch COLOUR[>COLOUR] | leader | never me",
        marked("whom the dragon shall catch, the most wanted first"),
        "catch purple>yellow",
        marked(
            "Colours are {colors}. Said ahead after a move, or alone when you are asked; order catch says it once and "
            "for all. Leader is who has the most open points."
        ),
        facts={"colors": ", ".join(COLORS)},
    ),
    move(
        "bribe",
        "bribe NUMBER | lowest | highest | at most NUMBER | never",
        marked("give the dragon a gold card and keep the knight"),
        "bribe lowest",
        marked(
            "NUMBER is the value of a gold card in your hand, 1 to 5. At most 2 gives the lowest card if it is worth "
            "no more, else the knight. Said ahead after a move, or alone when asked; order bribe says it once and for "
            "all."
        ),
    ),
    move(
        "surrender",
        "surrender",
        marked("give the caught knight up"),
        "surrender",
        marked("The knight goes to the nest."),
    ),
    Entry(
        "status",
        "status",
        marked("the whole game as it stands"),
        "status",
        "Looking",
        marked("The answer to any command shows the position too; this one does nothing else."),
        arguments.show("status"),
    ),
    Entry(
        "board",
        "board",
        marked("the board"),
        "board",
        "Looking",
        marked("Drawn and in words."),
        arguments.show("board"),
        brief=False,
    ),
    Entry(
        "hand",
        "hand",
        marked("your cards"),
        "hand",
        "Looking",
        marked("Shown to you alone; not at all if you have turned cards off in mails (cards off)."),
        arguments.show("hand"),
        shortest=4,
        brief=False,
    ),
    Entry(
        "history",
        "history [NUMBER]",
        marked("what has happened lately"),
        "history 12",
        "Looking",
        marked(
            "The last entries of the log, the newest at the end: {usual} of them, or as many as you say, at most "
            "{most}."
        ),
        arguments.history,
        facts={"usual": arguments.HISTORY, "most": arguments.MOST_HISTORY},
    ),
    Entry(
        "rules",
        "rules [WORD]",
        marked("the rules, or those that speak of a word"),
        "rules dragon",
        "Looking",
        marked("WORD may also be the id of a rule as refusals name it, like R-DRAG-4."),
        arguments.rules,
    ),
    Entry(
        "help",
        "help [COMMAND]",
        marked("all commands, or more about one"),
        "help catch",
        "Looking",
        marked("COMMAND is the first word of any command."),
        None,
    ),
    Entry(
        "say",
        "say TEXT",
        marked("tell everybody in the game something"),
        "say good luck all",
        "Talking",
        marked("Everything up to the end of the line is said, just as you write it. The word is always written out."),
        shortest=None,
    ),
    Entry(
        "note",
        "note TEXT",
        marked("write something down for yourself"),
        "note Wren holds two emeralds",
        "Talking",
        marked("Nobody else can read it; it comes back to you with your next turn. The word is always written out."),
        shortest=None,
    ),
    Entry(
        "games",
        "games [open]",
        marked("your games, or open ones to join"),
        "games open",
        "Games",
        marked("Every game comes with its id, which join takes."),
        arguments.games,
        keywords=("open",),
    ),
    Entry(
        "new",
        "new NUMBER seats [with NAMES] [bot LEVEL] [3 days]",
        marked("start a game"),
        "new 3 seats with Robin bot steady",
        "Games",
        marked(
            "NUMBER is 2 to 5, your own seat among them. NAMES are players or mail addresses, parted by commas or "
            "and; a name with bot or with in it goes in quotes. LEVEL is steady or random; 2 bots makes two. Seats "
            "that nobody is named for stay open. Add private to keep strangers out (join then needs the code), and 3 "
            "days to set how long a turn may take, or bank 3d 12h for 3 days at the beginning and 12 hours more each "
            "turn (max 5d: never more than 5 days). With no time off, neither days off nor absences stop the clock."
        ),
        keywords=(
            *("seats", "seat", "with", "bot", "bots", "steady", "random", "private", "public", "days", "players"),
            *("bank", "max", "no", "time", "off"),
        ),
        shortest=None,
    ),
    Entry(
        "join",
        "join CODE",
        marked("take a seat in a game"),
        "join k3mq9x2w7p",
        "Games",
        marked("CODE is the code that somebody gave you, or the id of an open game (games open lists them)."),
        arguments.join,
        brief=False,
    ),
    simple("accept", marked("take the seat you are invited to"), marked("In answer to an invitation."), brief=False),
    simple(
        "decline",
        marked("turn the invitation down"),
        marked("In answer to an invitation. The seat opens again."),
        shortest=4,
        brief=False,
    ),
    simple(
        "rematch",
        marked("the same game again"),
        marked("When the game is over: a new one, with the same people."),
        shortest=4,
        brief=False,
    ),
    simple(
        "resign", marked("give the game up"), marked("You are asked once whether you mean it. A bot plays on for you.")
    ),
    simple(
        "leave", marked("give your seat back"), marked("Only before the game has started."), shortest=None, brief=False
    ),
    simple(
        "yes",
        marked("what you are asked to confirm"),
        marked("In answer to a question of ours."),
        shortest=None,
        brief=False,
    ),
    *waiting.ENTRIES,
    Entry(
        "digest",
        "digest on [HOUR] | off",
        marked("mails about this game once a day"),
        "digest on 7",
        "Mail and account",
        marked(
            "HOUR is 0 to 23, in your time zone. Reminders still come at once. It holds for the game whose mail you "
            "answer; digest off brings every mail at once again."
        ),
        arguments.digest,
        keywords=("on", "off"),
        brief=False,
    ),
    Entry(
        "pause mail",
        "pause mail",
        marked("no mails at all until you resume them"),
        "pause mail",
        "Mail and account",
        marked("Answers to your own mails still come. Your games go on, so your turns may run out."),
        arguments.pause,
        keywords=("mail",),
        brief=False,
    ),
    Entry(
        "resume mail",
        "resume mail",
        marked("mails again"),
        "resume mail",
        "Mail and account",
        marked("Ends pause mail."),
        arguments.resume,
        shortest=4,
        keywords=("mail",),
        brief=False,
    ),
    Entry(
        "unsubscribe",
        "unsubscribe [KIND]",
        marked("no more mails of a kind"),
        "unsubscribe news",
        "Mail and account",
        marked("KIND is turns, reminders, news or invitations; without it all of them."),
        arguments.kind(model.Unsubscribe),
        keywords=_KINDS,
        brief=False,
    ),
    Entry(
        "subscribe",
        "subscribe [KIND]",
        marked("mails of a kind again"),
        "subscribe turns",
        "Mail and account",
        marked("KIND is turns, reminders, news or invitations; without it all of them."),
        arguments.kind(model.Subscribe),
        keywords=_KINDS,
        brief=False,
    ),
    Entry(
        "name",
        "name TEXT",
        marked("what others call you"),
        "name Robin Vale",
        "Mail and account",
        marked("2 to 32 characters, and not a name that somebody has already."),
        shortest=None,
        brief=False,
    ),
    Entry(
        "zone",
        "zone ZONE",
        marked("your time zone, for deadlines and digests"),
        "zone Europe/Berlin",
        "Mail and account",
        marked("ZONE is a name like Europe/Berlin, America/New_York or UTC."),
        arguments.zone,
        brief=False,
    ),
    Entry(
        "language",
        "language LANGUAGE",
        marked("the language of your mails and pages"),
        "language de",
        "Mail and account",
        marked("LANGUAGE is en, de or fr. Commands are the same in all of them."),
        arguments.language,
        brief=False,
    ),
    Entry(
        "drawing",
        "drawing on | off",
        marked("the board drawn in letters in your mails"),
        "drawing off",
        "Mail and account",
        marked("The board in words, which a screen reader can follow, is always there."),
        arguments.switch("drawing"),
        keywords=("on", "off"),
        brief=False,
    ),
    Entry(
        "cards",
        "cards on | off",
        marked("your hidden cards in your mails"),
        "cards off",
        "Mail and account",
        marked("Off, mails show nothing that the other players may not see."),
        arguments.switch("cards"),
        keywords=("on", "off"),
        brief=False,
    ),
)

#: Words of the notation: they are never anything else. Each leads to its row in the table.
NOTATION: Final[dict[str, str]] = {
    **dict.fromkeys(SPACES, "space"),
    **dict.fromkeys(COLORS, "space"),
    **{kind: kind for kind in CARD_KINDS},
    "stop": "stop",
    "catch": "catch",
    "bribe": "bribe",
    "lowest": "bribe",
    "highest": "bribe",
    "surrender": "surrender",
}
#: Entries by the first word of their lines; those of the notation are not among them.
BY_WORD: Final = {entry.word: entry for entry in ENTRIES if entry.section != "Moves"}
#: Commands whose argument is anything at all: never cut short, hardly ever guessed at.
TEXTS: Final = ("say", "note", "name")
#: Entries by name.
BY_NAME: Final = {entry.name: entry for entry in ENTRIES}


def by_prefix(word: str) -> Entry | None:
    """The entry whose word begins like this, if the beginning is long enough and nobody else's."""
    found = [entry for name, entry in BY_WORD.items() if name.startswith(word)]
    if len(found) != 1 or found[0].shortest is None or len(word) < found[0].shortest:
        return None
    return found[0]


def topics(word: str) -> tuple[Entry, ...]:
    """The entries that ``help WORD`` is about: the one of that name, or all that begin with the word."""
    low = word.lower()
    if low in NOTATION or low.isdecimal():
        return (BY_NAME[NOTATION.get(low, "number")],)
    entry = BY_NAME.get(low) or BY_WORD.get(low) or by_prefix(low)
    if entry is None:
        return ()
    if " " in low or entry.section == "Moves":
        return (entry,)
    return tuple(other for other in ENTRIES if other.word == entry.word and other.section != "Moves")
