"""Signed tokens: what goes in comes out, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.ids import ALPHABET
from service.mail.tokens import (
    KINDS,
    AccountToken,
    BounceToken,
    InviteToken,
    MoveLink,
    OptOutLink,
    SeatToken,
    SignUpToken,
    Token,
    address_recipient,
    seal,
    unseal,
    user_recipient,
)

KEY = "a key for these tests, long enough for all"
IDS = st.text(ALPHABET, min_size=12, max_size=12)
SEATS = st.integers(0, 4)
PLIES = st.integers(0, 5000)
RECIPIENTS = IDS.map(user_recipient) | st.emails().map(address_recipient)
TOKENS: st.SearchStrategy[Token] = st.one_of(
    st.builds(SeatToken, IDS, SEATS, PLIES | st.none()),
    st.builds(InviteToken, IDS, SEATS),
    st.builds(AccountToken, IDS),
    st.builds(SignUpToken, st.integers(1, 2**40)),
    st.builds(BounceToken, st.integers(1, 2**40)),
    st.builds(MoveLink, IDS, SEATS, PLIES, st.integers(1, 60)),
    st.builds(OptOutLink, RECIPIENTS, st.sampled_from(KINDS)),
)


@given(TOKENS)
def test_what_is_sealed_is_what_comes_out_in_either_case(token: Token) -> None:
    sealed = seal(KEY, token)
    assert unseal(KEY, sealed) == unseal(KEY, sealed.upper()) == token
    assert sealed.isascii()
    assert sealed.isalnum()
    assert sealed == sealed.lower()


@given(TOKENS)
def test_a_local_part_has_room_for_it(token: Token) -> None:
    assert len(seal(KEY, token)) + len("emerald-turns+") <= 64


@given(TOKENS, st.data())
def test_one_changed_letter_opens_nothing(token: Token, data: st.DataObject) -> None:
    sealed = seal(KEY, token)
    place = data.draw(st.integers(0, len(sealed) - 2))  # the last letter carries bits that nobody reads
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz234567").filter(lambda x: x != sealed[place]))
    assert unseal(KEY, sealed[:place] + letter + sealed[place + 1 :]) is None


@given(TOKENS)
def test_another_key_opens_nothing(token: Token) -> None:
    assert unseal(KEY + "!", seal(KEY, token)) is None


@given(st.text() | st.text("abcdefghijklmnopqrstuvwxyz234567", max_size=80))
def test_any_text_is_no_token(text: str) -> None:
    assert unseal(KEY, text) is None


def test_a_ply_beyond_its_field_is_refused() -> None:
    with pytest.raises(ValueError, match="ply"):
        seal(KEY, SeatToken("2" * 12, 0, 1 << 16))
