"""Files that clients upload, and what verification must say of each record."""

import gzip
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any

from engine.atta_ants.ruleset import ATTA_ANTS
from tests.factories import SETUP, record

_ENDINGS = {"verified": "resign:R 2-1", "unfinished": "*"}


@dataclass(frozen=True, slots=True)
class Parcel:
    """A file, and the verdict that each of its records must get."""

    number: int
    data: bytes
    verdicts: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Return the SHA-256 by which clients, checker and database know the file."""
        return sha256(self.data).hexdigest()

    @property
    def players(self) -> tuple[str, str]:
        """Return who plays in it, and in no other."""
        return _players(self.number)

    @property
    def counts(self) -> dict[str, int]:
        """Return how many records must get each verdict."""
        return dict(Counter(self.verdicts))


def parcels(seed: int, count: int, *, most: int) -> list[Parcel]:
    """Return files of up to `most` different games each; each file's players play in no other.

    Ratings then do not depend on the order in which files are accepted, only on the order within a file.
    Every fifth file is packed, and every seventh is as long as it may be.
    """
    random, games = Random(f"parcels {seed}"), _games()
    return [_parcel(number, random, games, most) for number in range(count)]


def _parcel(number: int, random: Random, games: Iterator[str], most: int) -> Parcel:
    size = most if number % 7 == 3 else random.randrange(1, max(2, most // 8))
    names = _players(number)
    kinds = random.choices(("verified", "unfinished", "rejected"), (16, 2, 2), k=size)
    whole = b"\n".join(_record(kind, moves, names) for kind, moves in zip(kinds, islice(games, size), strict=True))
    packed = gzip.compress(whole, mtime=0) if number % 5 == 4 else whole
    return Parcel(number, packed, tuple(kinds))


def _players(number: int) -> tuple[str, str]:
    return f"Ada {number}", f"Bruno {number}"


def _record(kind: str, moves: str, names: tuple[str, str]) -> bytes:
    """Return a record; a rejected one repeats its last action, which ends no game."""
    if kind == "rejected":
        return record(f"{moves} {moves.split(maxsplit=1)[0]} resign:R 2-1", names=names)
    return record(f"{moves} {_ENDINGS[kind]}", names=names)


def _games() -> Iterator[str]:
    """Yield the first two actions of some 30,000 different games."""
    rules: Any = ATTA_ANTS[0]
    start = rules.initial({"Seats": "R Y", "Setup": SETUP})
    first = list(rules.legal_actions(start))
    for turn in range(30):
        for action in first:
            after = rules.apply(start, action)
            second = list(rules.legal_actions(after))
            if turn < len(second):
                yield f"{rules.format_action(action)} {rules.format_action(second[turn])}"
