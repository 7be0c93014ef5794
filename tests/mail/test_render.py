"""Every kind of mail, written, sent as bytes, and read back by the standard library."""

import re
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from service.mail import kinds, words
from service.mail.errors import PermanentMailError
from service.mail.render import _KINDS, LINE, mail
from service.pictures.png import board_png
from tests.mail.samples import COMMITMENT, DATE, SEED, SETTINGS, bribe, envelope, every_kind, over, said, turn
from tests.pictures.games import NAMES

KINDS = every_kind()
WITH_BOARD = [notice for notice in KINDS if hasattr(notice, "view")]


def kind_of(notice: object) -> str:
    return type(notice).__name__


def sent(notice: kinds.Notice) -> EmailMessage:
    parsed = message_from_bytes(mail(notice, SETTINGS).as_bytes(), policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    assert not parsed.defects
    return parsed


def text_of(notice: kinds.Notice) -> str:
    body = sent(notice).get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def html_of(notice: kinds.Notice) -> str:
    body = sent(notice).get_body(("html",))
    assert body is not None
    return str(body.get_content())


class Page(HTMLParser):
    """The words of a page, and which elements it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def test_every_kind_is_here() -> None:
    assert {type(notice) for notice in KINDS} == set(_KINDS)


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_headers(notice: kinds.Notice) -> None:
    message = sent(notice)
    assert message["Message-ID"] == notice.envelope.message_id
    assert message["Date"].datetime == DATE
    assert message["To"].addresses[0].addr_spec == notice.envelope.to
    assert message["From"].addresses[0].addr_spec == "emerald@emerald.example"
    assert message["From"].addresses[0].display_name == "The Emerald house"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Subject"].strip() == message["Subject"] != ""
    assert message["Reply-To"] is None


@pytest.mark.parametrize("notice", KINDS, ids=kind_of)
def test_threads_by_game(notice: kinds.Notice) -> None:
    message = sent(notice)
    root = None if isinstance(notice, kinds.CodeNotice) else "<game-k3f9abcd2345@emerald.example>"
    assert message["References"] == root
    assert message["In-Reply-To"] == root


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
        assert len(line) <= LINE or " " not in line.strip() or "POST" in line or "GET" in line, line
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
    assert picture.get_content() == board_png(notice.view, notice.game.names)
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
        assert f'"ply": {notice.ply}' in flat
        assert "https://emerald.example/api/v1/games/k3f9abcd2345/moves" in flat
        for action in notice.view.legal:
            assert words.action_words(action, notice.view, NAMES) in flat
    assert "https://emerald.example/api/v1/games/k3f9abcd2345\n" in text_of(notice)


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
        if not isinstance(notice, kinds.OverNotice):
            assert SEED not in mail(notice, SETTINGS).as_string()


def test_over_says_who_won() -> None:
    notice = over()
    winners = notice.result.winners
    subject = sent(notice)["Subject"]
    assert subject.startswith("You won" if winners == (0,) else words.listed([NAMES[seat] for seat in winners]))
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
    assert '{"seat": 1}' in text
    assert "with the orange knights" in " ".join(text.split())


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


@given(
    names=st.lists(st.text(max_size=40), min_size=5, max_size=5),
    talk=st.text(max_size=300),
)
@settings(max_examples=40)
def test_any_names_and_talk_make_a_sound_mail(names: list[str], talk: str) -> None:
    notice = turn(names=names, log=(said(talk),), name=names[0])
    message = sent(notice)
    assert message["Message-ID"] == notice.envelope.message_id
    assert len(message["To"].addresses) == 1
    assert message["To"].addresses[0].addr_spec == "anna@example.org"
    page = Page(html_of(notice))
    assert set(page.tags) <= {
        *("html", "head", "meta", "title", "style", "body", "table", "tr", "td", "th", "p", "h2", "a", "img"),
        *("ul", "li", "code", "b", "span", "br"),
    }
    assert page.tags.count("img") == 1


@pytest.mark.parametrize(
    "address",
    ["", "nobody", "a@b@c", "a b@example.org", "x@example.org\r\nBcc: y@example.org", "grün@example.org", "@"],
)
def test_an_address_that_is_none_is_refused_for_good_and_not_quoted(address: str) -> None:
    notice = kinds.CodeNotice(envelope(1, to=address), "1", DATE + timedelta(minutes=10))
    with pytest.raises(PermanentMailError) as refused:
        mail(notice, SETTINGS)
    assert not address or address not in str(refused.value)
