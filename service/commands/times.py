"""Times as people write them: ``5d``, ``20 Dec - 3 Jan``, ``22-7``, ``sat sun``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from service.commands import model
from service.commands.arguments import NUMBERS, said
from service.i18n import gettext as _
from service.timekeeping.hours import LONGEST_NIGHT, MOST_DAYS_OFF

#: The longest absence, in days.
LONGEST_AWAY: Final = 60

_HOURS: Final = {
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 1),
    **dict.fromkeys(("d", "day", "days"), 24),
    **dict.fromkeys(("w", "wk", "week", "weeks"), 7 * 24),
}
#: Years in which a day begins and ends at a moment that can be told in every time zone, and more than anybody means.
_YEARS: Final = range(1970, 3000)
_NONE: Final = frozenset({"none", "no", "off"})

#: From 0.
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
#: What is said of a day in words; months are told apart by three letters.
DAY_NAMES: Final = frozenset(name[:length] for name in WEEKDAYS for length in (3, 20)) | {
    *("tues", "thur", "thurs", "weekend", "weekends"),
}
MONTH_NAMES: Final = frozenset(name[:length] for name in _MONTHS for length in (3, 20)) | {"sept"}
_MONTH: Final = "(?:" + "|".join(sorted(MONTH_NAMES, key=len, reverse=True)) + r")\b\.?"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?\b\.?"
_WEEKDAY: Final = rf"(?:(?:{'|'.join(sorted(DAY_NAMES, key=len, reverse=True))})\.? )?"
_DATE: Final = (
    rf"{_WEEKDAY}(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}\.\d{{1,2}}\.?(?:\d{{4}})?"
    rf"|{_DAY} ?{_MONTH}(?: \d{{4}})?|{_MONTH} {_DAY}(?: \d{{4}})?)"
)
_TO: Final = r"\s*(?:-|\b(?:to|until|till|through)\b)\s*"
_FROM_TO: Final = re.compile(rf"(?:from )?({_DATE}){_TO}({_DATE})")
_IN_ONE_MONTH: Final = re.compile(rf"(?:from )?({_DAY}){_TO}({_DAY} ?({_MONTH}(?: \d{{4}})?))")
_ONE_DAY: Final = re.compile(rf"(?:on )?({_DATE})")
_SLASHED: Final = re.compile(r"\d{1,2}/\d{1,2}(?:/\d{2,4})?")
_HOUR: Final = r"(\d{1,2})(?:[:.](\d\d))?\s?(am|pm|h)?"
_NIGHT: Final = re.compile(rf"(?:from )?{_HOUR}(?:\s*(?:-|\b(?:to|until|till)\b)\s*|\s){_HOUR}")


def span(words: Sequence[str]) -> timedelta | None:
    """``5d``, ``5 days``, ``five days``; None for anything else."""
    low = [NUMBERS.get(word.lower(), word.lower()) for word in words]
    whole = re.fullmatch(r"([0-9]{1,4}) ?([a-z]+)", " ".join(low))
    if whole is None or whole[2] not in _HOURS:
        return None
    return timedelta(hours=int(whole[1]) * _HOURS[whole[2]])


# -- absences


def away(words: Sequence[str]) -> model.Command:
    """``away 5d``, ``away for 2 weeks``, ``away 20 Dec - 3 Jan``, ``away from DATE to DATE``, ``away none``."""
    if [word.lower() for word in words] in (["none"], ["off"]):
        return model.Simple("away none")
    rest = words[1:] if words and words[0].lower() == "for" else words
    if not rest:
        raise said("away", _("'{word}' is not all: after it comes for how long, like away 5d, or from when to when"))
    time = span(rest)
    if time is None:
        return _away_from(words)
    if not timedelta(hours=1) <= time <= timedelta(days=LONGEST_AWAY):
        template = _("'{word}' is out of range: an absence lasts from 1 hour to {most} days")
        raise said(" ".join(rest), template, most=LONGEST_AWAY)
    return model.Away(time)


def _away_from(words: Sequence[str]) -> model.AwayFrom:
    text = " ".join(words).lower()
    if found := _FROM_TO.fullmatch(text):
        return _from_to(found[1], found[2])
    if found := _IN_ONE_MONTH.fullmatch(text):
        return _from_to(f"{found[1]} {found[3]}", found[2])
    if found := _ONE_DAY.fullmatch(text):
        template = _("'{word}' is one day: away goes with the first and the last, both included")
        raise said(found[1], template, f"away {found[1]} - {found[1]}")
    if slashed := _SLASHED.search(text):
        raise said(slashed[0], _("'{word}' may be read as two days: write it like 20 Dec or 2026-12-20"), sure=True)
    if len(words) == 1 and words[0].isdecimal():
        template = _("'{word}' could be hours, days or weeks: say which, like away 5d")
        raise said(words[0], template, f"away {words[0]}d")
    template = _(
        "'{word}' is no time: away goes with hours, days or weeks, like away 5d, or with two dates, like "
        "away 20 Dec - 3 Jan"
    )
    raise said(words[0], template)


def _from_to(first: str, last: str) -> model.AwayFrom:
    starts, ends = _day(first), _day(last)
    if starts.year is None and ends.year is not None:
        same_year = (starts.month, starts.day) <= (ends.month, ends.day)
        starts = _checked(starts._replace(year=ends.year if same_year else ends.year - 1), first)
    elif ends.year is None and starts.year is not None:
        same_year = (starts.month, starts.day) <= (ends.month, ends.day)
        ends = _checked(ends._replace(year=starts.year if same_year else starts.year + 1), last)
    if starts.year is not None and (starts.year, *starts[1::-1]) > (ends.year or 0, *ends[1::-1]):
        raise said(last, _("'{word}' comes before the first day"), sure=True)
    return model.AwayFrom(starts, ends)


def _day(text: str) -> model.Day:
    if plain := re.search(r"(\d{4})-(\d+)-(\d+)", text):
        return _checked(model.Day(int(plain[3]), int(plain[2]), int(plain[1])), text)
    if plain := re.search(r"(\d+)\.(\d+)\.?(\d{4})?", text):
        return _checked(model.Day(int(plain[1]), int(plain[2]), int(plain[3]) if plain[3] else None), text)
    month = re.search(_MONTH, re.sub(rf"\A{_WEEKDAY}", "", text))
    numbers = re.findall(r"\d+", text)
    number = next(at for at, name in enumerate(_MONTHS, start=1) if month and name.startswith(month[0][:3]))
    return _checked(model.Day(int(numbers[0]), number, int(numbers[1]) if len(numbers) > 1 else None), text)


def _checked(day: model.Day, text: str) -> model.Day:
    """The day, if there is such a one (a leap year, if none is said)."""
    try:
        date(2024 if day.year is None else day.year, day.month, day.day)
    except ValueError:
        raise said(text, _("'{word}' is no day of the calendar"), sure=True) from None
    if day.year is not None and day.year not in _YEARS:
        raise said(text, _("'{word}' is too far away for an absence"), sure=True)
    return day


# -- hours


def night(words: Sequence[str]) -> model.Command:
    """``night 22-7``, ``night 10pm to 7am``, ``night off``."""
    text = " ".join(words).lower()
    if not words:
        raise said("night", _("'{word}' is not all: it is night 22-7 (the hours of your night) or night off"))
    if text in _NONE:
        return model.Night(None)
    found = _NIGHT.fullmatch(text)
    if found is None:
        raise said(words[0], _("'{word}' does not fit: it is night 22-7 (the hours of your night) or night off"))
    starts, ends = _hour(found[1], found[2], found[3]), _hour(found[4], found[5], found[6])
    length = (ends - starts) % 24
    if not 1 <= length <= LONGEST_NIGHT:
        template = _("'{word}' is no night: it has 1 to {most} hours, like night 22-7")
        evening = starts + 12
        likely = ends != starts < 12 and found[3] is None and 1 <= (ends - evening) % 24 <= LONGEST_NIGHT
        raise said(text, template, f"night {evening}-{ends}" if likely else "", sure=True, most=LONGEST_NIGHT)
    return model.Night((starts, ends))


def _hour(hour: str, minute: str | None, half: str | None) -> int:
    shown = hour + (f":{minute}" if minute else "") + (half or "")
    if minute not in (None, "00"):
        raise said(shown, _("'{word}' is no full hour: a night begins and ends with one, like night 22-7"), sure=True)
    number = int(hour)
    if half in ("am", "pm"):
        if not 1 <= number <= 12:
            raise said(shown, _("'{word}' is no hour: with am and pm they go from 1 to 12"), sure=True)
        return number % 12 + (12 if half == "pm" else 0)
    if number > 24:
        raise said(shown, _("'{word}' is no hour: they go from 0 to 24"), sure=True)
    return number % 24


def days_off(words: Sequence[str]) -> model.Command:
    """``days off sat sun``, ``days off none``."""
    if not words or words[0].lower().rstrip(":") != "off":
        raise said("days", _("'{word}' is not all: it is days off and the days, like days off sat sun"))
    rest = [part for word in words[1:] for part in re.split("[+&/]", word.lower()) if part not in ("", "and")]
    if not rest:
        raise said("days off", _("'{word}' is not all: after it come the days, like days off sat sun, or none"))
    if len(rest) == 1 and rest[0] in _NONE:
        return model.DaysOff(())
    days: set[int] = set()
    for word in rest:
        if word not in DAY_NAMES and word.removesuffix("s") not in DAY_NAMES:
            raise said(word, _("'{word}' is no day of the week: days off goes with days like sat sun, or none"))
        days |= {5, 6} if word.startswith("weekend") else {_weekday(word)}
    if len(days) > MOST_DAYS_OFF:
        template = _("'{word}' is too much: a week may have {most} days off")
        raise said(" ".join(rest), template, sure=True, most=MOST_DAYS_OFF)
    return model.DaysOff(tuple(sorted(days)))


def _weekday(word: str) -> int:
    return next(at for at, name in enumerate(WEEKDAYS) if name.startswith(word[:3]))
