"""From a secret seed to the deal and the dice, so that anyone can check them afterwards.

The algorithm is part of the record format (docs/RECORD.md): every step is fixed to the byte, and
uses nothing but HMAC-SHA256.
"""

import hashlib
import hmac
import struct
from collections.abc import Sequence
from typing import Final

from engine.board import LAST_RAIL, MAX_PLAYERS, MIN_PLAYERS, RAIL_LENGTH, colors_in_play, starting_spaces
from engine.cards import GEM_DEALT, GEM_DECK, GOLD_DEALT, GOLD_DECK, split
from engine.errors import SetupError
from engine.sentences import Sentence
from engine.setup import Setup

SEED_BYTES: Final = 32
MAX_ENTROPY: Final = 64
_TAG: Final = "emerald-record/1|"
_WORD_RANGE: Final = 1 << 32


def commitment(seed: bytes) -> str:
    """What is published of a seed before the game: its SHA-256, in lower-case hex."""
    return hashlib.sha256(seed).hexdigest()


def valid_entropy(text: str) -> bool:
    """Whether a seat may hand in this string: at most 64 characters 0x20–0x7E without ``|``."""
    return len(text) <= MAX_ENTROPY and all(" " <= char <= "~" and char != "|" for char in text)


def game_key(seed: bytes, entropy: Sequence[str]) -> bytes:
    """The key of all streams of a game: the seed, mixed with what every seat handed in."""
    return hmac.digest(seed, (_TAG + "|".join(entropy)).encode(), "sha256")


class Stream:
    """An endless row of 32-bit words drawn from a key under a label."""

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label.encode("ascii")
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next word, 0 … 2**32 - 1."""
        if not self._words:
            message = self._label + self._block.to_bytes(8, "big")
            self._words = list(struct.unpack(">8I", hmac.digest(self._key, message, "sha256")))
            self._words.reverse()
            self._block += 1
        return self._words.pop()

    def below(self, n: int) -> int:
        """A fair draw from 0 … n - 1."""
        while True:
            drawn = fair(self.word(), n)
            if drawn is not None:
                return drawn


def fair(word: int, n: int) -> int | None:
    """``word`` mod n, or None for a word at or above the largest multiple of n, which would be unfair."""
    return word % n if word < _WORD_RANGE - _WORD_RANGE % n else None


def shuffle(deck: Sequence[int], stream: Stream) -> list[int]:
    """A shuffled copy (Fisher–Yates, from the last card down)."""
    cards = list(deck)
    for i in range(len(cards) - 1, 0, -1):
        j = stream.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def throws(key: bytes, count: int) -> tuple[int, ...]:
    """The first ``count`` throws of the die (1–3) of a game."""
    stream = Stream(key, "die")
    return tuple(1 + stream.below(3) for _ in range(count))


def most_throws(players: int) -> int:
    """A bound on the throws of a game (R-DRAG-1, R-DRAG-8, R-DRAG-9).

    Each of the first five throws brings the rail on. Then only c6–c9 wake the dragon, where every knight
    can end at most once each, and once perhaps its own space behind the rail.
    """
    knights = colors_in_play(players) * len(starting_spaces(players))
    return (LAST_RAIL - 1) + 1 + RAIL_LENGTH * knights


def deal(players: int, seed: bytes, entropy: Sequence[str], first_set: int | None) -> Setup:
    """The whole setup of a game from its seed (R-SET-4, R-SET-6).

    ``entropy`` has one string a seat; ``first_set`` is the seat that was set to begin, None to draw
    it. Raises SetupError when an argument is out of its range.
    """
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise SetupError(
            Sentence(
                "a game has {least} to {most} seats, not {seats}", least=MIN_PLAYERS, most=MAX_PLAYERS, seats=players
            )
        )
    if len(seed) != SEED_BYTES:
        raise SetupError(Sentence("a seed has {right} bytes, not {bytes}", right=SEED_BYTES, bytes=len(seed)))
    if len(entropy) != players or not all(valid_entropy(text) for text in entropy):
        raise SetupError(
            Sentence(
                "entropy is one string a seat, each at most {most} characters from space to ~, without |",
                most=MAX_ENTROPY,
            )
        )
    if first_set is not None and not 0 <= first_set < players:
        last = players - 1
        raise SetupError(Sentence("the first seat is one of 0 to {last}, not {seat}", last=last, seat=first_set))
    key = game_key(seed, entropy)
    first = Stream(key, "first").below(players) if first_set is None else first_set
    return Setup(
        players=players,
        first=first,
        gold_piles=split(shuffle(GOLD_DECK, Stream(key, "gold")), GOLD_DEALT),
        gem_piles=split(shuffle(GEM_DECK, Stream(key, "gem")), GEM_DEALT),
        dice=throws(key, most_throws(players)),
    )
