"""The arithmetic of a deal: digests, streams of words, numbers drawn from them, shuffles. Independent of any game.

`engine/dealing/RULES.md` explains the steps and gives their reasons. Nothing here is random: everything follows from
given texts, so everybody with the same texts gets the same numbers.
"""

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

VERSION: Final = "atta-deal/1"
"""Names this way of dealing; the first line of every text that is hashed."""
FIRST: Final = "first"
SETUP: Final = "setup"
"""The purposes of the two streams."""

_unpack: Final = Struct(">8I").unpack
_RANGE: Final = 1 << 32
"""How many different words there are."""
MOST_BLOCKS: Final = 1 << 15
"""Blocks of one stream. A ring of `reconstruction-1` takes 900 on average; with some decks tries would never end."""


class StreamUsedUpError(Exception):
    """A stream has run out of words before any try succeeded."""


class Hashed(NamedTuple):
    """A digest and the lines it was made from."""

    lines: tuple[str, ...]
    digest: str
    """SHA-256, as 64 hexadecimal digits in lower case."""

    @property
    def text(self) -> str:
        """The text that was hashed, as UTF-8: each line with a line feed after it."""
        return _text(self.lines)


class Draw(NamedTuple):
    """A number drawn: its bound, and the words taken for it; all but the last were too high."""

    bound: int
    words: tuple[int, ...]
    number: int


class Stage(NamedTuple):
    """A named part of a drawing. Of several tries in a row, the last one counts."""

    name: str
    draws: tuple[Draw, ...]


class Drawing(NamedTuple):
    """What was drawn from a stream: the blocks used, and the numbers in order."""

    blocks: tuple[Hashed, ...]
    stages: tuple[Stage, ...]


def hashed(*lines: str) -> Hashed:
    """Return the digest of some lines, with the lines."""
    return Hashed(lines, sha256(_text(lines).encode()).hexdigest())


def commitment(secret: str) -> Hashed:
    """Return the commitment to a secret, which is published before anybody joins."""
    return hashed(VERSION, "commit", secret)


def seed(game: str, rules: str, secret: str, entropies: Sequence[str]) -> Hashed:
    """Return the seed of both streams.

    :param game: the value of the `Game` tag; `rules` that of the `Rules` tag.
    :param entropies: the players' texts, in the order of joining.
    """
    return hashed(VERSION, "seed", game, rules, commitment(secret).digest, secret, *entropies)


def block(purpose: str, seed: str, number: int) -> Hashed:
    """Return one block of a stream, counted from 0."""
    return hashed(VERSION, purpose, seed, str(number))


class Stream:
    """Numbers and shuffles, one after another, from the stream of words for one purpose."""

    def __init__(self, purpose: str, seed: str) -> None:
        self._begun = sha256(_text((VERSION, purpose, seed)).encode())
        self._blocks = 0
        self._block: tuple[int, ...] = ()
        self._at = 0

    def _next_block(self) -> None:
        if self._blocks == MOST_BLOCKS:
            raise StreamUsedUpError
        whole = self._begun.copy()
        whole.update(b"%d\n" % self._blocks)
        self._block, self._at = _unpack(whole.digest()), 0
        self._blocks += 1

    def below(self, bound: int) -> int:
        """Return the next number from 0 to one less than a bound, which is 1 to 2³².

        Words too close to the upper end are skipped, so that all numbers are equally likely. The next word is read
        inline, not by a function, because a ring of cards takes thousands of them.

        :raises StreamUsedUpError:
        """
        usable = _RANGE - _RANGE % bound
        while True:
            if self._at == len(self._block):
                self._next_block()
            word = self._block[self._at]
            self._at += 1
            if word < usable:
                return word % bound

    def bring(self, things: list[T], at: int) -> T:
        """Swap the item at a place with one drawn from there on, and return it: one step of a shuffle."""
        drawn = at + self.below(len(things) - at)
        things[at], things[drawn] = things[drawn], things[at]
        return things[at]

    def shuffle(self, things: Sequence[T]) -> list[T]:
        """Return things shuffled, every order equally likely."""
        shuffled = list(things)
        for at in range(len(shuffled) - 1):
            self.bring(shuffled, at)
        return shuffled

    def stage(self, name: str) -> None:
        """Name what the next numbers are drawn for; a recording stream keeps this."""


class RecordingStream(Stream):
    """A stream that keeps what was drawn from it, to show how a deal came about."""

    def __init__(self, purpose: str, seed: str) -> None:
        super().__init__(purpose, seed)
        self._purpose, self._seed = purpose, seed
        self._words: list[int] = []
        self._stages: list[tuple[str, list[Draw]]] = []

    def _next_block(self) -> None:
        super()._next_block()
        self._words += self._block

    def _taken(self) -> int:
        """Return how many words have been taken."""
        return len(self._words) - len(self._block) + self._at

    def below(self, bound: int) -> int:
        """Return the next number, and keep it."""
        before = self._taken()
        number = super().below(bound)
        words = tuple(self._words[before : self._taken()])
        self._stages[-1][1].append(Draw(bound, words, number))
        return number

    def stage(self, name: str) -> None:
        """Begin a stage."""
        self._stages.append((name, []))

    def drawing(self) -> Drawing:
        """Return all that was drawn so far."""
        blocks = tuple([block(self._purpose, self._seed, number) for number in range(self._blocks)])
        return Drawing(blocks, tuple([Stage(name, tuple(draws)) for name, draws in self._stages]))


def _text(lines: Sequence[str]) -> str:
    return "".join([f"{line}\n" for line in lines])
