"""Which clocks a game can be given."""

from typing import Final

from service.errors import invalid
from service.i18n import gettext as _
from service.usecases.results import ClockSpec

MOST_DAYS: Final = 60
#: Hours in a bank: the most at the beginning, which is the most that it may hold too, and the most that a turn adds.
MOST_BANK: Final = 24 * 60
MOST_INCREMENT: Final = 24 * 14


def check(clock: ClockSpec) -> None:
    """Refuse a clock that says too much, too little, or what cannot be."""
    bank = (clock.start_hours, clock.increment_hours, clock.cap_hours)
    if clock.kind != "days" and clock.days is not None:
        raise invalid("clock.days", _('Only a clock of the kind "days" has days.'))
    if clock.kind != "bank" and bank != (None, None, None):
        raise invalid("clock.kind", _('Only a clock of the kind "bank" has hours.'))
    if clock.kind == "days" and (clock.days is None or not 1 <= clock.days <= MOST_DAYS):
        raise invalid("clock.days", _("A turn has 1 to {most} days.").format(most=MOST_DAYS))
    if clock.kind != "bank":
        return
    if clock.start_hours is None or not 1 <= clock.start_hours <= MOST_BANK:
        raise invalid("clock.start_hours", _("A bank starts with 1 to {most} hours.").format(most=MOST_BANK))
    if clock.increment_hours is None or not 1 <= clock.increment_hours <= MOST_INCREMENT:
        raise invalid("clock.increment_hours", _("Each turn adds 1 to {most} hours.").format(most=MOST_INCREMENT))
    least = max(clock.start_hours, clock.increment_hours)
    if clock.cap_hours is not None and not least <= clock.cap_hours <= MOST_BANK:
        said = _("The cap is {least} (what a bank has at once) to {most} hours.")
        raise invalid("clock.cap_hours", said.format(least=least, most=MOST_BANK))
