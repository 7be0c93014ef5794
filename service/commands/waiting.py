"""The rows of the table that keep others from waiting: orders and plans, votes, hours and absences."""

from __future__ import annotations

from typing import Final

from engine.board import COLORS
from service.commands import arguments, standing, times
from service.commands.entry import Entry, simple
from service.i18n import marked
from service.timekeeping.hours import LONGEST_NIGHT, MOST_DAYS_OFF

_UNITS: Final = ("days", "day", "weeks", "week", "hours", "hour", "for")
_ORDERED: Final = (*standing.KINDS, *COLORS, "lowest", "highest", "surrender", "ask", "never", "most", "leader", "off")

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry(
        "orders",
        "orders",
        marked("your standing orders, and what each does"),
        "orders",
        "Waiting",
        marked(
            "They hold for one game, until you end them or it is over. Nobody else sees them, nor whether you have any."
        ),
        standing.orders,
        shortest=None,
    ),
    Entry(
        "order bribe",
        "order bribe HOW",
        marked("how you answer the dragon from now on, unasked"),
        "order bribe lowest",
        "Waiting",
        marked(
            "HOW is lowest, highest, never or at most 2, each also with while I have 2 cards; ask (or off) ends it. It "
            "holds whenever the dragon catches a knight of yours, so that nobody waits for your answer."
        ),
        standing.order,
        shortest=None,
        keywords=_ORDERED,
        brief=False,
    ),
    Entry(
        "order catch",
        "order catch WHOM",
        marked("whom your dragon catches from now on, unasked"),
        "order catch purple>yellow never me",
        "Waiting",
        marked(
            "WHOM is one or more colours, the most wanted first, or leader (of the others who has the most open "
            "points), or never me; ask (or off) ends it."
        ),
        standing.order,
        shortest=None,
        keywords=_ORDERED,
        brief=False,
    ),
    Entry(
        "plan",
        "plan [if WHAT then] LINE [else LINE]",
        marked("what to play as soon as your next turn comes"),
        "plan if t1 and m3 then t1 m3 gem else t2 stop",
        "Waiting",
        marked(
            "LINE is a move as you would write it. WHAT may be a space (your knight is there), a colour and a space, "
            "dragon c4, gold 3 at c5, emerald at c2 (it lies face up there) or m2 to c1 (your knight there would come "
            "to c1); and joins several, not turns one round. If it does not fit when the turn comes, nothing is "
            "played and you are asked. While your turn is on, or with a move in the same mail, it is for the turn "
            "after. It holds for one turn; plan off ends it."
        ),
        standing.plan,
        shortest=None,
        keywords=standing.IN_PLANS,
    ),
    Entry(
        "vote",
        "vote extend | end | none",
        marked("on a game that waits for somebody"),
        "vote extend",
        "Waiting",
        marked(
            "Extend gives whoever is to move more time; end ends a game that one of its players has left, and nobody "
            "wins. It is done when more than half of the others are for it. None takes your votes back."
        ),
        standing.vote,
        shortest=None,
        keywords=("extend", "end", "none"),
        brief=False,
    ),
    simple(
        "pace",
        marked("who waits for whom, since when, and until when"),
        marked("And how soon each player answers as a rule: within hours, a day or days."),
        section="Waiting",
        shortest=None,
        brief=False,
    ),
    Entry(
        "resume",
        "resume",
        marked("take your seat back from the bot"),
        "resume",
        "Waiting",
        marked("When your time has run out twice in a row, a bot moves for you until you say this, at whatever time."),
        arguments.resume,
        shortest=4,
        keywords=("mail",),
        brief=False,
    ),
    Entry(
        "away",
        "away TIME",
        marked("be away for hours, days or weeks"),
        "away 5d",
        "Waiting",
        marked(
            "Like away 12h, away 5 days or away 2 weeks; at most {most} days. It begins at once: your clock stands "
            "still in all your games, but those without time off. back ends it."
        ),
        facts={"most": times.LONGEST_AWAY},
        read=times.away,
        keywords=(*_UNITS, "from", "to"),
    ),
    Entry(
        "away from",
        "away from DATE to DATE",
        marked("be away later, both days included"),
        "away from 2026-12-20 to 2027-01-03",
        "Waiting",
        marked(
            "Short: away 20 Dec - 3 Jan. absences lists what you have planned, and how many days are left in the year; "
            "away none strikes it all."
        ),
        times.away,
        keywords=(*_UNITS, "from", "to"),
        brief=False,
    ),
    simple(
        "absences",
        marked("when you are away, and what is left to you"),
        marked("Those to come, the one that goes on, and how many days you have left this year."),
        section="Waiting",
        shortest=5,
        brief=False,
    ),
    simple("back", marked("end your absence"), marked("You are no longer away."), section="Waiting", brief=False),
    Entry(
        "night",
        "night FROM-TO | off",
        marked("hours in which your clock stands still"),
        "night 22-7",
        "Waiting",
        marked("Full hours in your time zone, at most {most} of them. They hold from your next turn on."),
        facts={"most": LONGEST_NIGHT},
        read=times.night,
        shortest=None,
        brief=False,
    ),
    Entry(
        "days off",
        "days off DAYS | none",
        marked("weekdays on which your clock stands still"),
        "days off sat sun",
        "Waiting",
        marked("At most {most} of them. They hold from your next turn on, except in games without time off."),
        facts={"most": MOST_DAYS_OFF},
        read=times.days_off,
        shortest=None,
        keywords=(*sorted(times.DAY_NAMES), "off", "none"),
        brief=False,
    ),
)
