"""Every kind of mail, written, sent as bytes, and read back by the standard library."""

import base64
import re
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import dkim
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from service.commands import help_lines, short_help
from service.i18n.dates import listed
from service.mail import kinds, words
from service.mail.bundle import MOST_IN_FULL
from service.mail.contents import GATHER
from service.mail.errors import PermanentMailError, TemporaryMailError
from service.mail.pieces import open_view
from service.mail.render import LINE, mail, return_path
from service.mail.tokens import AccountToken, BounceToken, MoveLink, SeatToken, unseal
from service.pictures.png import board_png
from service.pictures.text import board_lines
from tests.mail.opened import Page, html_of, sent, text_of, token_of
from tests.mail.samples import (
    COMMITMENT,
    DATE,
    GAME,
    SEED,
    SETTINGS,
    USER,
    answer,
    bribe,
    bundle,
    envelope,
    every_kind,
    extended,
    held,
    house,
    last_call,
    over,
    refused,
    said,
    turn,
    vote,
    with_orders,
)
from tests.pictures.games import NAMES

KINDS = every_kind()
WITH_BOARD = [notice for notice in KINDS if hasattr(notice, "view")]


def kind_of(notice: object) -> str:
    return type(notice).__name__


def links_in(notice: kinds.Notice) -> list[str]:
    """Every web address in either text, as a crawler would find it."""
    page = Page(html_of(notice))
    hrefs = [value or "" for name, value in page.attributes if name == "href"]
    return [link for link in hrefs if link.startswith("http")] + re.findall(r"https?://[^\s>]+", text_of(notice))


def test_every_kind_is_here() -> None:
    assert {type(notice) for notice in KINDS} == {*GATHER, kinds.BundleNotice}


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_headers(notice: kinds.Notice) -> None:
    message = sent(notice)
    assert message["Message-ID"] == notice.envelope.message_id
    assert message["Date"].datetime == DATE
    assert message["To"].addresses[0].addr_spec == notice.envelope.to
    assert message["From"].addresses[0].addr_spec == "emerald@emerald.example"
    assert message["From"].addresses[0].display_name == "The Emerald house"
    answers = isinstance(notice, kinds.AnswerNotice)
    assert message["Auto-Submitted"] == ("auto-replied" if answers else "auto-generated")
    assert message["X-Auto-Response-Suppress"] == "DR, RN, NRN, OOF, AutoReply"  # bounces are wanted
    assert message["Subject"].strip() == message["Subject"] != ""
    assert re.fullmatch(r"[a-z_]+:(k3f9abcd2345|none):emerald", message["Feedback-ID"])
    reply = message["Reply-To"]
    assert (token_of(reply) if reply else None) == notice.envelope.reply
    sealed = SETTINGS.token_in(return_path(notice, SETTINGS))
    assert sealed is not None
    assert unseal(SETTINGS.secret_key, sealed) == BounceToken(notice.envelope.row or 0)


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_one_click_ends_mails_that_can_be_ended(notice: kinds.Notice) -> None:
    """RFC 8058: one https link that is for programs and people, and a mail that does the same."""
    message = sent(notice)
    wanted = notice.envelope.opt_out
    if wanted is None:
        assert message["List-Unsubscribe"] is None
        assert message["List-Unsubscribe-Post"] is None
        assert "/u/" not in text_of(notice) + html_of(notice)
        return
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    page, letter = re.findall(r"<([^>]+)>", message["List-Unsubscribe"])
    assert page.startswith("https://emerald.example/u/")
    assert unseal(SETTINGS.secret_key, page.rsplit("/", 1)[1]) == wanted
    assert page in text_of(notice)
    assert page in html_of(notice)
    parts = urlsplit(letter)
    assert unquote(parts.path) == (message["Reply-To"] or "emerald@emerald.example")
    assert parse_qs(parts.query)["body"] == [f"unsubscribe {wanted.kind}"]


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_threads_by_game(notice: kinds.Notice) -> None:
    message = sent(notice)
    root = "<game-k3f9abcd2345@emerald.example>" if getattr(notice, "game", None) is not None else None
    if notice.envelope.answers:
        assert message["In-Reply-To"] == notice.envelope.answers
        assert message["References"] == f"{root} {notice.envelope.answers}"
    else:
        assert message["References"] == root
        assert message["In-Reply-To"] == root


@pytest.mark.parametrize(
    "bad", ["<a@b>\r\nBcc: x@y.example", "no-brackets", "<a b@c>", "<>", "<é@x>", f"<{'a' * 300}@x>"]
)
def test_the_id_of_a_strangers_mail_is_no_way_into_the_headers(bad: str) -> None:
    notice = refused()
    message = sent(replace(notice, envelope=replace(notice.envelope, answers=bad)))
    assert message["Bcc"] is None
    assert message["References"] == "<game-k3f9abcd2345@emerald.example>"


def test_subjects_are_a_turns_own_and_an_answer_keeps_that_of_the_mail_it_answers() -> None:
    own = turn()
    subjects = [sent(notice)["Subject"] for notice in (own, replace(own, ply=own.ply + 1))]
    assert subjects == [f"Your turn, move {ply + 1}: Emerald with Bertrand and Chloé" for ply in (own.ply, own.ply + 1)]
    for subject in ("Re: AW: Re[2]: Hm", "Hm", "SV: Hm", "Réf : Hm".replace("Réf :", "Re :")):
        assert sent(replace(refused(), subject=subject))["Subject"] == "Re: Hm"
    assert sent(replace(refused(), subject=""))["Subject"] == "Re: Emerald with Bertrand and Chloé"
    assert sent(answer(subject=""))["Subject"] == "Re: Emerald"


def test_programs_find_the_decisions_that_a_mail_asks_for() -> None:
    own = turn()
    assert sent(own)["X-Emerald-Decision"] == f"{GAME}/{own.ply}"
    assert sent(refused())["X-Emerald-Decision"] == f"{GAME}/{own.ply}"
    assert sent(over())["X-Emerald-Decision"] is None
    assert sent(bundle()).get_all("X-Emerald-Decision") == [f"{GAME}/{own.ply}", f"m8h2wxyz4567/{turn(players=2).ply}"]


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_a_mail_sent_again_is_the_same_to_the_byte(notice: kinds.Notice) -> None:
    first = mail(notice, SETTINGS).as_bytes()
    assert mail(notice, SETTINGS).as_bytes() == first
    for boundary in re.findall(rb'boundary="([^"]+)"', first):
        assert first.count(b"--" + boundary + b"--") == 1


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_lines_on_the_wire_are_short_and_end_right(notice: kinds.Notice) -> None:
    raw = mail(notice, SETTINGS).as_bytes()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_plain_text_is_wrapped(notice: kinds.Notice) -> None:
    text = text_of(notice)
    for line in text.splitlines():
        assert len(line) <= LINE or " " not in line.removeprefix("Answer to: ").strip(), line
    assert "\n\n\n" not in text
    assert "{{" not in text
    assert "{%" not in text


@pytest.mark.parametrize("notice", WITH_BOARD, ids=kind_of)
def test_the_picture_is_inside_and_the_page_refers_to_it(notice: kinds.TurnNotice) -> None:
    message = sent(notice)
    related = next(part for part in message.walk() if part.get_content_type() == "multipart/related")
    page, picture = related.iter_parts()
    assert page.get_content_type() == "text/html"
    assert picture.get_content_type() == "image/png"
    assert picture.get_content() == board_png(open_view(notice.view, cards=False), (), bare=True)
    assert picture["Content-Disposition"].content_disposition == "inline"
    assert f'src="cid:{str(picture["Content-ID"]).strip("<>")}"' in page.get_content()


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_nothing_is_loaded_from_the_net_and_nothing_runs(notice: kinds.Notice) -> None:
    page = Page(html_of(notice))
    sources = [value or "" for name, value in page.attributes if name in ("src", "background", "srcset")]
    assert all(source.startswith("cid:") for source in sources)
    assert "script" not in page.tags
    assert "link" not in page.tags
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert all(dict([pair])["href"] for pair in page.attributes if pair[0] == "href")


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_every_picture_has_words_in_its_place(notice: kinds.Notice) -> None:
    page = Page(html_of(notice))
    assert page.tags.count("img") == len([name for name, value in page.attributes if name == "alt" and value])


def test_a_turn_mail_says_all_a_player_needs() -> None:
    notice = turn(log=(said("Good luck!"),))
    for told in (text_of(notice), Page(html_of(notice)).text):
        flat = " ".join(told.split())
        assert "Friday 4 December 2026, 10:00 (Europe/Berlin)" in flat
        assert "Chloé said: “Good luck!”" in flat
        assert "5 points in all" in flat
        assert " ".join(short_help()) in flat
        for action in notice.view.legal:
            assert words.action_words(action, notice.view, NAMES) in flat
        for heading, lines in board_lines(notice.view, NAMES):
            assert heading == "Players" or all(line in flat for line in lines)


def test_every_number_has_a_link_that_plays_it_at_this_decision_alone() -> None:
    notice = turn()
    expected = [MoveLink(GAME, 0, notice.ply, number) for number in range(1, len(notice.view.legal) + 1)]
    page = Page(html_of(notice))
    hrefs = [value or "" for name, value in page.attributes if name == "href"]
    in_html = [link for link in hrefs if "/m/" in link]
    in_text = re.findall(r"^ *(\d+)\. (https://emerald.example/m/\w+)$", text_of(notice), re.MULTILINE)
    assert [unseal(SETTINGS.secret_key, link.rsplit("/", 1)[1]) for link in in_html] == expected
    assert [unseal(SETTINGS.secret_key, link.rsplit("/", 1)[1]) for _, link in in_text] == expected
    assert [int(number) for number, _ in in_text] == [link.number for link in expected]


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_no_other_links_stand_in_a_mail(notice: kinds.Notice) -> None:
    ours = r"https://emerald\.example/(?:(?:[mu]|sign-in)/[a-z0-9]+|games/[a-z0-9]+(?:/verify)?)\Z"
    assert all(re.match(ours, link) for link in links_in(notice))


def test_the_drawing_can_be_left_out_and_the_words_stay() -> None:
    drawn = turn()
    plain = replace(drawn, envelope=replace(drawn.envelope, drawing=False))
    assert "+-----------+" in text_of(drawn)
    assert "+-----------+" not in text_of(plain)
    assert "image/png" not in [part.get_content_type() for part in sent(plain).walk()]
    assert "img" not in Page(html_of(plain)).tags
    for told in (text_of(plain), Page(html_of(plain)).text):
        assert "The dragon stands at" in " ".join(told.split())


def test_mails_stay_small() -> None:
    """Gmail cuts off HTML of more than 102 kB."""
    for players in (2, 3, 5):
        assert len(mail(turn(players=players), SETTINGS).as_bytes()) < 100_000
    many = replace(bundle(), parts=bundle().parts * 10)
    assert len(html_of(many)) < 100_000
    assert len(mail(many, SETTINGS).as_bytes()) < 400_000


def test_the_legal_actions_are_numbered_in_the_engines_order() -> None:
    notice = turn()
    listed = re.findall(r"^ +(\d+)\. (.+?)  -  ", text_of(notice), re.MULTILINE)
    expected = [engine.action_notation(action, 3) for action in notice.view.legal]
    assert [(int(number), notation) for number, notation in listed] == list(enumerate(expected, start=1))
    assert len(expected) > 1


def test_a_bribe_is_asked_by_naming_the_cards() -> None:
    notice = bribe()
    text = text_of(notice)
    for action in notice.view.legal:
        if isinstance(action, engine.Bribe):
            assert f"bribe {action.gold}  -  Give the dragon your gold {action.gold}" in text
    assert "surrender  -  Give up your" in text
    assert "Time until" not in text


def test_the_first_turn_tells_that_the_game_began() -> None:
    first = kinds.TurnNotice(
        envelope(3), turn().game, 0, turn().view, 0, (kinds.Entry("started", None, {"first": 0}),), None, True
    )
    assert "the game has begun" in sent(first)["Subject"]
    assert COMMITMENT in text_of(first)
    assert "you are first to act" in " ".join(text_of(first).split())
    assert COMMITMENT not in text_of(turn())


def test_an_over_mail_accounts_for_every_point() -> None:
    notice = over()
    text = " ".join(text_of(notice).split())
    page = Page(html_of(notice)).text
    result = notice.result
    for seat in range(3):
        assert f": {result.scores[seat]} points" in text
        account = (
            f"gold {result.gold[seat]} (" + " + ".join(map(str, notice.view.hands[seat] or ())),
            f"treasures {result.treasures[seat]}, gems {result.gems[seat]}, bonus {result.bonus[seat]}",
        )
        assert all(part in text for part in account)
        row = (result.gold, result.treasures, result.gems, result.bonus, result.scores)
        assert " ".join(str(points[seat]) for points in row) in " ".join(re.findall(r"\d+", page))
    for secret in (SEED, COMMITMENT, "my dice"):
        assert secret in text
        assert secret in page
    assert "resigned; a steady bot played on" in text


def test_the_seed_is_in_no_mail_but_the_last() -> None:
    for notice in KINDS:
        if not isinstance(notice, (kinds.OverNotice, kinds.BundleNotice)):
            assert SEED not in mail(notice, SETTINGS).as_string()


def test_over_says_who_won() -> None:
    notice = over()
    winners = notice.result.winners
    subject = sent(notice)["Subject"]
    assert subject.startswith("You won" if winners == (0,) else listed([NAMES[seat] for seat in winners]))
    shared = kinds.OverNotice(
        notice.envelope,
        notice.game,
        0,
        notice.view,
        (),
        notice.result._replace(winners=(0, 2), scores=(30, 1, 30)),
        SEED,
        ("", "", ""),
    )
    assert sent(shared)["Subject"].startswith("You and Chloé share the win")
    assert "30 points for several" in text_of(shared)


def test_the_code_is_easy_to_find_and_its_end_is_told() -> None:
    notice = KINDS[0]
    assert "\n    48151623\n" in text_of(notice)
    assert "48151623" in Page(html_of(notice)).text
    assert "10:10 (Europe/Berlin)" in " ".join(text_of(notice).split())


def test_an_invitation_leads_to_the_seat() -> None:
    text = text_of(KINDS[1])
    assert "Anna invites you" in text
    assert "with the orange knights" in " ".join(text.split())
    page = Page(html_of(KINDS[1]))
    letters = [urlsplit(value or "") for name, value in page.attributes if name == "href" and "mailto" in (value or "")]
    assert [parse_qs(letter.query)["body"] for letter in letters] == [["accept"], ["decline"]]
    assert {unquote(letter.path) for letter in letters} == {str(sent(KINDS[1])["Reply-To"])}
    assert re.search(r"^ +accept ", text, re.MULTILINE)


def test_an_answer_begins_with_what_became_of_each_line() -> None:
    text = text_of(refused())
    begins = [
        text.index(part) for part in ("> t1 c9 gme", "Not done. “gme”", "> say good luck", "Not tried", "Thanks!")
    ]
    assert begins == sorted(begins)
    assert begins[-1] < text.index("YOU CAN") < text.index("THE BOARD NOW")
    assert "  1. m2  -  Move your knight" in text
    assert "nothing in your mail was carried out" in text
    page = Page(html_of(refused())).text
    assert page.index("t1 c9 gme") < page.index("Not done. “gme”") < page.index("You can")


def test_an_answer_says_what_was_done_and_shows_listings_as_they_are() -> None:
    shown = ("  61  Bertrand moved.", "", "  62  Chloé  stopped.", *help_lines())
    notice = answer(
        kinds.Outcome("t1", "done", ("You moved a black knight.",)), kinds.Outcome("history 2", "done", (), shown)
    )
    text = text_of(notice)
    assert "> t1\n  Done. You moved a black knight.\n" in text
    assert "> history 2\n\n" + "\n".join(shown) + "\n" in text
    assert "was carried out" not in text
    assert "there was no command in your mail" in text_of(answer())
    only_thanks = text_of(answer(kinds.Outcome("Thanks!", "ignored")))
    assert "so nothing was done.\n\nThis was ignored: “Thanks!”." in only_thanks
    half = answer(kinds.Outcome("t1", "done", ("a",)), kinds.Outcome("gme", "refused", ("b",)))
    assert "part of your mail is done" in text_of(half)


@pytest.mark.parametrize("length", range(60, 100))
def test_a_subject_begins_beside_its_name(length: int) -> None:
    """However long: there are programs that show a header as empty whose first line is."""
    subject = ("Your turn, move 1: Emerald with " + "Bot and " * 12)[:length].strip()
    message = mail(answer(kinds.Outcome("t1", "done"), subject=subject), SETTINGS)
    assert b"\r\nSubject: Re: Your turn, move 1: Emerald" in message.as_bytes()
    assert sent(answer(kinds.Outcome("t1", "done"), subject=subject))["Subject"] == f"Re: {subject}"


def test_an_answer_after_the_end_tells_the_final_scores() -> None:
    end = over()
    notice = replace(answer(kinds.Outcome("c9", "done", ("You moved.",)), about=turn()), view=end.view, deadline=None)
    text = text_of(replace(notice, game=end.game, seat=end.seat, result=end.result))
    chapter = text_of(end)[text_of(end).index("SCORES\n") : text_of(end).index("Another one?")]
    assert chapter in text
    assert "SCORES SO FAR" not in text
    assert "counted at the end" not in text
    assert "YOUR GOLD" not in text


def test_an_answer_about_no_game_tells_how_to_come_into_one() -> None:
    notice = answer(kinds.Outcome("help join", "done", (), help_lines("join")))
    for text in (text_of(notice), Page(html_of(notice)).text):
        assert "new 3 seats with Robin bot steady" in text
        assert "catch purple" not in text


def test_an_answer_that_came_late_tells_what_happened_since() -> None:
    own = turn()
    text = text_of(answer(kinds.Outcome("t1", "refused", ("Too late.",)), about=own, log=own.log))
    assert text.index("Too late.") < text.index("WHAT HAS HAPPENED SINCE") < text.index("Bertrand moved")
    assert text.index("Bertrand moved") < text.index("It is your turn")


def test_an_answer_before_the_start_says_who_is_still_to_come() -> None:
    notice = answer(kinds.Outcome("new 3", "done", ("Game k3f9abcd2345 waits.",)), about=turn())
    waiting = replace(notice, view=None, deadline=None, waiting_for="Two seats are still open.")
    assert "Two seats are still open." in text_of(waiting)
    assert "THE BOARD" not in text_of(waiting)
    assert "image/png" not in [part.get_content_type() for part in sent(waiting).walk()]


def test_a_bundle_has_its_contents_first_and_an_address_for_each_game() -> None:
    notice = bundle()
    text = text_of(notice)
    contents = text[text.index("CONTENTS") : text.index("* * *")]
    flat = " ".join(contents.split())
    # the most urgent first
    first = "Your turn with Bertrand: move a second knight or stop; time until Wednesday 2 December 2026, 10:00"
    assert flat.index(first) < flat.index("Your turn with Bertrand and Chloé: move a knight; time until Friday 4")
    assert "Anna invites you to a game: accept or decline" in flat
    told = [token_of(address) for address in re.findall(r"^Answer to: (\S+)$", text, re.MULTILINE)]
    assert sorted(map(str, told)) == sorted(str(part.envelope.reply) for part in notice.parts)
    page = Page(html_of(notice))
    letters = [urlsplit(value or "") for name, value in page.attributes if name == "href" and "mailto" in (value or "")]
    assert {str(token_of(unquote(letter.path))) for letter in letters} == set(map(str, told))
    assert all(parse_qs(letter.query)["subject"][0].startswith("Re: ") for letter in letters)
    linked = {unseal(SETTINGS.secret_key, link.rsplit("/", 1)[1]) for link in links_in(notice) if "/m/" in link}
    assert len(linked) == sum(len(part.view.legal) for part in notice.parts if isinstance(part, kinds.TurnNotice))


def test_a_bundle_is_answered_as_a_turn_only_if_it_asks_for_one_move() -> None:
    notice = bundle()
    assert token_of(sent(notice)["Reply-To"]) == AccountToken(USER)
    one = replace(
        notice,
        parts=tuple(part for part in notice.parts if getattr(part, "deadline", None) != DATE + timedelta(days=1)),
    )
    assert token_of(sent(one)["Reply-To"]) == SeatToken(GAME, 0, turn().ply)


def test_what_a_bundle_has_no_room_for_still_stands_in_its_contents() -> None:
    notice = replace(bundle(), parts=bundle().parts * 5)
    text = text_of(notice)
    assert text.count("* * *") == MOST_IN_FULL + 1
    contents = text[text.index("CONTENTS") : text.index("* * *")]
    assert contents.count("\n- ") == 20
    assert contents.count("  Answer to: ") == 20 - MOST_IN_FULL


def without_secrets(notice: kinds.TurnNotice, hand: tuple[int, ...]) -> bytes:
    """The bytes of a mail without cards, had the reader this hand."""
    hands, given = list(notice.view.hands), list(notice.view.given)
    hands[notice.seat], given[notice.seat] = hand, tuple(reversed(hand))
    legal = notice.view.legal
    if notice.view.phase == engine.BRIBE:
        legal = (*(engine.Bribe(gold) for gold in sorted(set(hand))), engine.Surrender())
    seen = notice.view._replace(hands=tuple(hands), given=tuple(given), legal=legal)
    lowest, line = hand[0], f"t1 bribe {hand[0]}"
    own = (
        house("bribed", seat=notice.seat, color="black", gold=lowest),
        house("order", seat=notice.seat, order="bribe", text=f"at most {lowest}", action={"gold": lowest}),
        house("plan_played", seat=notice.seat, text=line, line=line, dropped=[{"word": f"bribe {lowest}"}]),
        house("plan_dropped", seat=notice.seat, text=line, why=f"You have no gold {lowest}."),
    )
    orders = (kinds.StandingOrder("bribe", f"at most {lowest}"), kinds.StandingOrder("plan", line))
    closed = replace(notice.envelope, cards=False)
    told = replace(notice, view=seen, envelope=closed, log=notice.log + own, orders=orders)
    return mail(told, SETTINGS).as_bytes()


@pytest.mark.parametrize("notice", [turn(), bribe(), with_orders()], ids=["turn", "bribe", "orders"])
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_without_cards_a_mail_is_the_same_whatever_is_in_the_hand(
    notice: kinds.TurnNotice, data: st.DataObject
) -> None:
    count = max(1, notice.view.hand_counts[notice.seat])
    a_hand = st.lists(st.integers(1, 5), min_size=count, max_size=count).map(lambda cards: tuple(sorted(cards)))
    one, other = data.draw(a_hand), data.draw(a_hand)
    assert without_secrets(notice, one) == without_secrets(notice, other)


def test_without_cards_notes_stay_out_of_the_mail() -> None:
    note = kinds.Entry("note", 0, {"seat": 0, "text": "keep the five"})
    notice = turn(log=(note,))
    assert "keep the five" in text_of(notice)
    closed = replace(notice, envelope=replace(notice.envelope, cards=False))
    assert "keep the five" not in text_of(closed) + html_of(closed)


def test_without_cards_a_bribe_is_offered_by_its_ends() -> None:
    notice = bribe()
    closed = replace(notice, envelope=replace(notice.envelope, cards=False))
    text = text_of(closed)
    for offered in ("bribe lowest  -  Give", "bribe highest  -  Give", "surrender  -  Give up your"):
        assert f"   - {offered}" in text
    assert not re.search(r"bribe \d", text)
    assert "/m/" not in text + html_of(closed)
    assert "YOUR GOLD" not in text
    assert "YOUR GOLD" in text_of(notice)


def test_html_in_what_people_say_stays_text() -> None:
    talk = "<script>alert(1)</script> <img src=x onerror=alert(2)> {{ 7 * 7 }} {% raw %}"
    notice = turn(log=(said(talk),))
    page = Page(html_of(notice))
    assert "script" not in page.tags
    assert page.tags.count("img") == 1
    assert talk in page.text
    assert talk in " ".join(text_of(notice).split())


HOSTILE = ("Anna\r\nBcc: victim@example.org", "<b>x</b>\x00", 'Eve" <eve@example.org>', "\u202eannA", "")


@pytest.mark.parametrize("notice", every_kind(HOSTILE), ids=kind_of)
def test_names_bend_no_header_and_no_page(notice: kinds.Notice) -> None:
    raw = mail(notice, SETTINGS).as_bytes()
    message = sent(notice)
    assert message["Bcc"] is None
    assert b"\nBcc:" not in raw
    assert len(message["To"].addresses) == 1
    page = Page(html_of(notice))
    assert "\u202e" not in message["Subject"] + text_of(notice) + page.text


OF_A_MAIL = {
    *("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted"),
    *("X-Auto-Response-Suppress", "List-Unsubscribe", "List-Unsubscribe-Post", "Feedback-ID", "X-Emerald-Mail"),
    *("X-Emerald-Decision", "MIME-Version", "Content-Type", "Content-Language"),
}
OF_A_PAGE = {
    *("html", "head", "meta", "title", "style", "body", "table", "tr", "td", "th", "p", "h1", "h2", "a", "img"),
    *("ul", "li", "code", "b", "span", "br", "div", "pre"),
}
anything = st.text(max_size=60) | st.sampled_from([*HOSTILE, "x\r\n\r\nbody", "a\nDKIM-Signature: v=1", "\x85Bcc: a@b"])


@given(names=st.lists(anything, min_size=5, max_size=5), talk=anything, typed=anything, sender=anything)
@settings(max_examples=15, deadline=None)
def test_nothing_that_anybody_writes_makes_a_header_or_an_element(
    names: list[str], talk: str, typed: str, sender: str
) -> None:
    own = turn(names=names, log=(said(talk),), name=names[0])
    open_place = replace(own.envelope, name=names[1], remark=typed)
    notices: list[kinds.Notice] = [
        own,
        replace(
            answer(
                kinds.Outcome(typed, "refused", (talk,), (typed, talk)), kinds.Outcome(sender, "ignored"), about=own
            ),
            subject=typed,
            waiting_for=talk,
            envelope=replace(open_place, answers=sender),
        ),
        kinds.RefusedTryNotice(open_place, sender, typed),
        kinds.ConfirmNotice(open_place, (typed, talk), DATE),
        kinds.InvitationNotice(open_place, own.game, 1, sender),
        replace(
            own,
            orders=(kinds.StandingOrder(typed, talk),),
            log=(
                house("order", seat=0, order="bribe", text=typed),
                house("plan_played", seat=0, text=talk, line=typed, dropped=[{"word": sender}]),
                house("plan_dropped", seat=0, text=typed, why=talk),
                house("extended", seat=0, by=[1, 2], deadline="2026-12-04T20:30:00+00:00"),
            ),
        ),
        last_call(names),
        replace(held(names), log=(house("voted", seat=1, vote="end"), house("plan_dropped", text=talk, why=sender))),
        replace(extended(names), by=(talk, typed)),
        replace(vote(names), by=(talk,), about=typed, about_zone=sender),
        kinds.BundleNotice(open_place, (own, kinds.CancelledNotice(own.envelope, own.game, sender)), True),
    ]
    for notice in notices:
        raw = mail(notice, SETTINGS).as_bytes()
        head = raw.partition(b"\r\n\r\n")[0].decode("ascii")
        found = [line.partition(":")[0] for line in head.split("\r\n") if not line.startswith((" ", "\t"))]
        assert set(found) <= OF_A_MAIL
        assert len(found) == len(set(found)) + max(0, found.count("X-Emerald-Decision") - 1)
        message = sent(notice)
        assert message["Message-ID"] == notice.envelope.message_id
        assert [address.addr_spec for address in message["To"].addresses] == ["anna@example.org"]
        page = Page(html_of(notice))
        assert set(page.tags) <= OF_A_PAGE
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        assert page.tags.count("img") <= 1
        assert page.text.count("EMERALD") >= 1


def test_a_line_that_begins_like_an_old_mailbox_is_not_changed_on_its_way() -> None:
    """Servers write ">From" where a line of a mail begins with "From ", and the signature breaks."""
    notice = answer(kinds.Outcome("hm", "done", (), ("From here on",)))
    raw = mail(notice, SETTINGS).as_bytes()
    assert "\nFrom here on\n" in text_of(notice)
    assert b"\nFrom " not in raw


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A private key in a file, and the DNS record of its public one."""
    file = tmp_path_factory.mktemp("dkim") / "key.pem"
    subprocess.run(["openssl", "genrsa", "-out", file, "2048"], check=True, capture_output=True)
    shown = subprocess.run(
        ["openssl", "rsa", "-in", file, "-pubout", "-outform", "DER"], check=True, capture_output=True
    )
    return file, b"v=DKIM1; k=rsa; p=" + base64.b64encode(shown.stdout)


def signed(notice: kinds.Notice, file: Path) -> bytes:
    set_up = replace(SETTINGS, mail_dkim_key_file=str(file), mail_dkim_selector="mail2026")
    then = replace(notice.envelope, date=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    return mail(replace(notice, envelope=then), set_up).as_bytes()


def believed(raw: bytes, record: bytes) -> bool:
    asked: list[bytes] = []

    def lookup(name: bytes, timeout: int = 5) -> bytes:
        asked.append(name)
        return record

    try:
        result = bool(dkim.DKIM(raw).verify(dnsfunc=lookup))
    except dkim.ValidationError:
        return False
    assert asked == [b"mail2026._domainkey.emerald.example."]
    return result


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_a_signature_is_believed_and_is_the_same_each_time(notice: kinds.Notice, key: tuple[Path, bytes]) -> None:
    file, record = key
    raw = signed(notice, file)
    assert believed(raw, record)
    assert signed(notice, file) == raw


@pytest.mark.parametrize(
    "change",
    [(b"Subject: ", b"Subject: Re: "), (b"Hello", b"Hallo"), (b"From: ", b"From: eve@example.org\r\nFrom: ")],
    ids=["subject", "text", "second From"],
)
def test_a_signature_tells_that_a_mail_was_changed(change: tuple[bytes, bytes], key: tuple[Path, bytes]) -> None:
    file, record = key
    assert not believed(signed(turn(), file).replace(*change, 1), record)


def test_links_to_unsubscribe_are_signed(key: tuple[Path, bytes]) -> None:
    message = message_from_bytes(signed(turn(), key[0]), policy=policy.default)
    covered = re.split(r"[\s:]+", re.search(r"\bh=([^;]+);", message["DKIM-Signature"])[1])  # type: ignore[index]
    assert {"list-unsubscribe", "list-unsubscribe-post", "from", "reply-to", "subject"} <= set(covered)


def test_a_key_that_went_away_holds_mails_back(tmp_path: Path) -> None:
    with pytest.raises(TemporaryMailError) as held:
        signed(turn(), tmp_path / "gone.pem")
    assert str(tmp_path) not in str(held.value)


@pytest.mark.parametrize(
    "address",
    ["", "nobody", "a@b@c", "a b@example.org", "x@example.org\r\nBcc: y@example.org", "grün@example.org", "@"],
)
def test_an_address_that_is_none_is_refused_for_good_and_not_quoted(address: str) -> None:
    notice = kinds.CodeNotice(envelope(1, to=address), "1", DATE + timedelta(minutes=10))
    with pytest.raises(PermanentMailError) as refused:
        mail(notice, SETTINGS)
    assert not address or address not in str(refused.value)
