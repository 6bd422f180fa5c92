"""Limits how far a file is read without finding games: a file that costs much work and has none is abandoned.

This holds for empty lines, blanks, one endless line, empty entries or members, and records that cannot be games.
Each record that could be a game allows more than the longest record to be read after it, so no file of games
is refused.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from operator import add
from typing import NamedTuple

from engine.words import Words, words
from games.uploads.unpacking.errors import UnpackError


class Stretch(NamedTuple):
    """A part of a file."""

    packed: int = 0
    """Bytes as they were sent."""
    unpacked: int = 0
    """Bytes that came out of them."""
    lines: int = 0
    pieces: int = 0
    """Packed members, or entries of a zip archive."""
    rubbish: int = 0
    """Records that cannot be games."""


class UnproductiveReading:
    """Counts what was read since the last record."""

    def __init__(self, most: Stretch, record: Stretch) -> None:
        """Set the limit, and by how much each record reduces the count."""
        self._most, self._record = most, record
        self._been = Stretch()
        self._watched = True

    def has_time(self, more: Stretch) -> None:
        """Count more of a file as read. :raises UnpackError: when there were almost no records for too long."""
        if not self._watched:
            return
        self._been = Stretch(*map(add, self._been, more))
        if any(been > most for been, most in zip(self._been, self._most, strict=True)):
            raise UnpackError("almost_no_games", self._too_long())

    def found_record(self) -> None:
        """Allow more to be read, because a record was found that could be a game."""
        self._been = Stretch(*(max(0, been - less) for been, less in zip(self._been, self._record, strict=True)))

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Count nothing inside: this part was read before and had records."""
        self._watched = False
        yield
        self._watched = True

    def _too_long(self) -> Words:
        been, most = self._been, self._most
        if been.rubbish > most.rubbish:
            return words(
                "More than {most} records of this file lack the tags that every game needs, so the rest was not read.",
                most=most.rubbish,
            )  # fmt: skip
        return words(
            "More than {stretch} of this file contain almost no games, so the rest was not read.",
            stretch=self._stretch(),
        )

    def _stretch(self) -> Words:
        been, most = self._been, self._most
        if been.lines > most.lines:
            return words("{most} lines", most=most.lines)
        if been.pieces > most.pieces:
            return words("{most} packed pieces", most=most.pieces)
        return words("{most} bytes", most=most.packed if been.packed > most.packed else most.unpacked)
