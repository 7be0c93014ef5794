"""One's own account: profile, addresses, tokens, time off, mail, feeds. A tab each, and plain forms."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from flask import Blueprint, Response, flash, request, session

from service import i18n
from service.clock import now
from service.db import settings
from service.errors import INVALID, NAME_TAKEN, Refusal, invalid
from service.i18n import gettext as _
from service.i18n.dates import moment, zone_of
from service.mail.tokens import KINDS
from service.timekeeping.hours import MOST_DAYS_OFF
from service.usecases import absences, accounts, addresses, deliveries, feeds, hours, tokens, wishes
from service.usecases.results import SCOPES
from service.web import mailing, people
from service.web.people import typed
from service.web.rendering import page
from service.web.visitor import back_to, caller, signed_in, visitor

_ADDING: Final = "adding"
"""What the session keeps of a code for a further address: the address, which no URL shall tell."""
_SENT: Final = 20
_YEARS: Final = range(2000, 2200)


def register(web: Blueprint) -> None:
    """Its routes."""
    _profile(web)
    _addresses(web)
    _tokens(web)
    _time(web)
    _mail(web)
    _feeds(web)


# -- who one is


def _profile(web: Blueprint) -> None:
    @web.get("/account")
    @signed_in
    def account() -> Response:
        """Name, language and time zone."""
        own = accounts.me(caller=caller())
        values = {"name": own.display_name, "language": i18n.best(own.language), "time_zone": own.time_zone}
        return page("people/profile.html", errors=people.Errors(), **_of_profile(values))

    @web.post("/account")
    @signed_in
    def change_account() -> Response:
        """Change them."""
        values = {name: typed(name) for name in ("name", "language", "time_zone")}
        spoken = values["language"]
        try:
            if spoken not in i18n.LANGUAGES:
                raise invalid("language", _("We speak none but these."))
            accounts.update_account(
                caller=caller(),
                display_name=values["name"],
                # A tag like de-AT is kept by whoever chose it elsewhere, as long as it is German.
                language=None if spoken == visitor().language else spoken,
                time_zone=values["time_zone"],
                now=now(),
            )
        except Refusal as refusal:
            if refusal.code == NAME_TAKEN:
                refusal = invalid("display_name", _("Somebody has that name already. Choose another one."))
            return people.again("people/profile.html", refusal, field="display_name", **_of_profile(values))
        with i18n.speaking(spoken):
            flash(_("Your profile is changed."))
        return back_to("web.account")


def _of_profile(values: dict[str, str]) -> dict[str, Any]:
    return {"values": values, "zones": people.zones(values["time_zone"])}


# -- where one is written to


def _addresses(web: Blueprint) -> None:
    @web.get("/account/addresses")
    @signed_in
    def account_addresses() -> Response:
        """The addresses, and how mail to them fares."""
        return page("people/addresses.html", errors=people.Errors(), email="", **_of_addresses())

    @web.post("/account/addresses")
    @signed_in
    def add_address() -> Response:
        """Mail a code to a further one."""
        email = typed("email")
        try:
            addresses.add(caller=caller(), email=email, now=now())
        except Refusal as refusal:
            return people.again("people/addresses.html", refusal, field="email", email=email, **_of_addresses())
        return _code_mailed(email)

    @web.post("/account/addresses/code")
    @signed_in
    def confirm_address() -> Response:
        """Take the code that came there."""
        email = typed("address")
        try:
            found = addresses.redeem(caller=caller(), email=email, code=typed("code"), now=now())
        except Refusal as refusal:
            if refusal.code == INVALID and refusal.details.get("field") == "email":
                refusal = invalid("address", refusal.message)
            return people.again("people/addresses.html", refusal, field="code", email="", **_of_addresses(email))
        session.pop(_ADDING, None)
        flash(_("Mail arrives at {email}.").format(email=found.email))
        return back_to("web.account_addresses")

    @web.post("/account/addresses/<address_id>/test")
    @signed_in
    def test_address(address_id: str) -> Response:
        """Mail a code there, to see whether it arrives."""
        own = {one.id: one.email for one in addresses.list_addresses(caller=caller())}
        try:
            addresses.retest(caller=caller(), address_id=address_id, now=now())
        except Refusal as refusal:
            return people.again("people/addresses.html", refusal, field="list", email="", **_of_addresses())
        return _code_mailed(own[address_id])

    @web.post("/account/addresses/<address_id>/prefer")
    @signed_in
    def prefer_address(address_id: str) -> Response:
        """Have mail go there first."""
        chosen = addresses.prefer(caller=caller(), address_id=address_id)
        flash(_("Mail goes to {email} first.").format(email=chosen.email))
        return back_to("web.account_addresses")

    @web.post("/account/addresses/<address_id>/remove")
    @signed_in
    def remove_address(address_id: str) -> Response:
        """Take it off the account."""
        try:
            addresses.remove(caller=caller(), address_id=address_id, now=now())
        except Refusal as refusal:
            return people.again("people/addresses.html", refusal, field="list", email="", **_of_addresses())
        flash(_("The address is removed."))
        return back_to("web.account_addresses")


def _code_mailed(email: str) -> Response:
    session[_ADDING] = email
    flash(_("A code is on its way to {email}.").format(email=email))
    return back_to("web.account_addresses")


def _of_addresses(awaited: str | None = None) -> dict[str, Any]:
    kept = session.get(_ADDING, "")
    return {
        "own": addresses.list_addresses(caller=caller()),
        "awaited": kept if awaited is None else awaited,
        "sent": deliveries.mails_to(caller=caller(), limit=_SENT),
        "kinds": mailing.sent_kinds(),
        "states": mailing.states(),
        "most": addresses.MOST_ADDRESSES,
    }


# -- who may act for one


def _tokens(web: Blueprint) -> None:
    @web.get("/account/tokens")
    @signed_in
    def account_tokens() -> Response:
        """Browsers that are signed in, and tokens for programs."""
        return page("people/tokens.html", errors=people.Errors(), new=None, name="", chosen=SCOPES, **_of_tokens())

    @web.post("/account/tokens")
    @signed_in
    def make_token() -> Response:
        """Make one. It is shown in the answer itself, this once: nothing keeps it until another page is asked for."""
        name, chosen = typed("name"), request.form.getlist("scope")
        try:
            if not chosen:
                raise invalid("scopes", _("Choose what the token may do."))
            new = tokens.create_token(caller=caller(), name=name, scopes=chosen, now=now())
        except Refusal as refusal:
            return people.again(
                "people/tokens.html", refusal, field="name", new=None, name=name, chosen=chosen, **_of_tokens()
            )
        return page("people/tokens.html", errors=people.Errors(), new=new, name="", chosen=SCOPES, **_of_tokens())

    @web.post("/account/tokens/<token_id>/revoke")
    @signed_in
    def revoke_token(token_id: str) -> Response:
        """End one; the session of another browser too."""
        tokens.revoke_token(caller=caller(), token_id=token_id, now=now())
        flash(_("It is revoked, and of no use any more."))
        return back_to("web.account_tokens")


def _of_tokens() -> dict[str, Any]:
    found = tokens.list_tokens(caller=caller(), now=now())
    return {
        "sessions": [one for one in found if one.expires_at is not None],
        "lasting": [one for one in found if one.expires_at is None],
        "scopes": mailing.scopes(),
    }


# -- when one's clocks stand still


def _time(web: Blueprint) -> None:
    @web.get("/account/time-off")
    @signed_in
    def account_time() -> Response:
        """Night, days off and absences."""
        return page("people/time_off.html", errors=people.Errors(), **_of_time())

    @web.post("/account/time-off/hours")
    @signed_in
    def change_hours() -> Response:
        """Set the night and the days off."""
        form = request.form
        night = None if form.get("no_night") == "on" else (_whole("night_from"), _whole("night_to"))
        days = [int(day) for day in form.getlist("day") if day in map(str, range(7))]
        try:
            hours.set_hours(caller=caller(), night=night, days_off=days, now=now())
        except Refusal as refusal:
            return people.again("people/time_off.html", refusal, field="night", **_of_time(night, tuple(days)))
        flash(_("Your hours are changed. They hold from your next turn on."))
        return back_to("web.account_time")

    @web.post("/account/time-off/away")
    @signed_in
    def plan_absence() -> Response:
        """Be away from one moment to another."""
        from_, to = typed("starts"), typed("ends")
        try:
            starts = _moment("starts") if from_ else now()
            added = absences.plan(caller=caller(), starts_at=starts, ends_at=_moment("ends"), now=now())
        except Refusal as refusal:
            field = {"starts_at": "starts", "ends_at": "ends"}.get(str(refusal.details.get("field")))
            if field is not None:
                refusal = invalid(field, refusal.message)
            return people.again("people/time_off.html", refusal, field="ends", **_of_time(starts=from_, ends=to))
        zone = visitor().zone
        flash(_("You are away until {moment}.").format(moment=moment(added.ends_at, zone)))
        return back_to("web.account_time")

    @web.post("/account/time-off/back")
    @signed_in
    def come_back() -> Response:
        """Be back now."""
        if absences.back(caller=caller(), now=now()):
            flash(_("Welcome back. Your clocks go on."))
        return back_to("web.account_time")

    @web.post("/account/time-off/<absence_id>/cancel")
    @signed_in
    def cancel_absence(absence_id: str) -> Response:
        """Strike one that is still to come."""
        absences.cancel(caller=caller(), id=absence_id, now=now())
        flash(_("The absence is struck."))
        return back_to("web.account_time")


def _of_time(
    night: Any = False, days: tuple[int, ...] | None = None, *, starts: str = "", ends: str = ""
) -> dict[str, Any]:
    """``night`` and ``days`` as they were filled in; False and None: as they are."""
    at = now()
    own = hours.hours(caller=caller())
    calendar = absences.calendar(caller=caller(), now=at)
    return {
        "night": own.night if night is False else night,
        "days_off": own.days_off if days is None else days,
        "zone": own.time_zone,
        "weekdays": mailing.weekdays(),
        "hour_choices": people.hours(),
        "most_days": MOST_DAYS_OFF,
        "calendar": calendar,
        "ahead": [one for one in calendar.absences if one.starts_at > at],
        "past": [one for one in calendar.absences if one.ends_at <= at],
        "present": next((one for one in calendar.absences if one.starts_at <= at < one.ends_at), None),
        "left": max(0.0, round(calendar.allowance_days - calendar.used_days, 1)),
        "starts": starts,
        "ends": ends,
    }


def _whole(name: str) -> int:
    text = typed(name)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else -1


def _moment(name: str) -> datetime:
    """A moment on the visitor's wall, as browsers send it: ``2026-12-20T18:00``."""
    try:
        at = datetime.fromisoformat(typed(name)).replace(tzinfo=None)
    except ValueError:
        raise invalid(name, _("A date and an hour, like 2026-12-20 18:00.")) from None
    if at.year not in _YEARS:
        raise invalid(name, _("That year is too far away."))
    return at.replace(tzinfo=zone_of(visitor().zone)[0]).astimezone(UTC)


# -- what one wants by mail


def _mail(web: Blueprint) -> None:
    @web.get("/account/mail")
    @signed_in
    def account_mail() -> Response:
        """What one wants by mail."""
        return page("people/mail.html", **_of_mail())

    @web.post("/account/mail")
    @signed_in
    def change_mail() -> Response:
        """Change it."""
        wanted = request.form.getlist("kind")
        wishes.change(
            caller=caller(),
            drawing=request.form.get("drawing") == "on",
            cards=request.form.get("cards") == "on",
            digest_hour=_whole("digest_hour"),
            off=[kind for kind in KINDS if kind not in wanted],
            now=now(),
        )
        flash(_("Your wishes are kept."))
        return back_to("web.account_mail")

    @web.post("/account/mail/pause")
    @signed_in
    def pause_mail() -> Response:
        """No mail, until it is wanted again."""
        wishes.pause(caller=caller(), now=now())
        return back_to("web.account_mail")

    @web.post("/account/mail/resume")
    @signed_in
    def resume_mail() -> Response:
        """Mail again."""
        wishes.resume(caller=caller(), now=now())
        flash(_("Mail comes again; first of all about the turns that wait for you."))
        return back_to("web.account_mail")


def _of_mail() -> dict[str, Any]:
    own = wishes.mail_wishes(caller=caller())
    return {"wishes": own, "kinds": mailing.kinds(), "zone": visitor().zone, "hour_choices": people.hours()}


# -- deadlines in a calendar


def _feeds(web: Blueprint) -> None:
    @web.get("/account/feeds")
    @signed_in
    def account_feeds() -> Response:
        """Whether one has feeds."""
        return page("people/feeds.html", since=feeds.made(caller=caller()), new=None)

    @web.post("/account/feeds")
    @signed_in
    def make_feeds() -> Response:
        """Make them. Their addresses are shown in the answer itself, this once."""
        made = feeds.make(caller=caller(), now=now())
        address = settings().address(f"/api/v1/feeds/{made.secret}/deadlines")
        return page("people/feeds.html", since=made.since, new=address)

    @web.post("/account/feeds/revoke")
    @signed_in
    def revoke_feeds() -> Response:
        """Take their addresses back."""
        feeds.revoke(caller=caller())
        flash(_("Nothing stands at those addresses any more."))
        return back_to("web.account_feeds")
