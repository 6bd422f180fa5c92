"""Limits of unpacking, counted in bytes, lines and parts as they come out, whatever the file claims."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.words import words
from games.uploads.unpacking.errors import UnpackError
from games.uploads.unpacking.rubbish import Stretch, UnproductiveReading

UNPRODUCTIVE = Stretch(packed=16 * 2**20, unpacked=16 * 2**20, lines=1_000_000, pieces=5_000, rubbish=5_000)
"""How far a file may go on without a record: what is read in about a second."""
RECORD = Stretch(packed=2**19, unpacked=2**19, lines=20_000, pieces=20, rubbish=20)
"""How much farther with each record: more than the longest allowed one has."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may come out of one file."""

    unpacked: int = 8 * 2**30
    """Bytes, of all entries together."""
    entries: int = 50_000
    """Of a zip archive. Each costs a moment before anything is unpacked."""
    members: int = 2_000_000
    """Packed pieces that follow one another, as `cat *.gz` makes them."""
    lines: int = 250_000_000
    """Lines, for an empty one costs a moment too."""
    ratio: int = 1000
    """Bytes that may come out for each that went in. No file of games comes near it, and every zip bomb needs it."""
    leeway: int = 16 * 2**20
    """Bytes that may come out at whatever ratio: a small file may be one game many times."""
    records: int = 20_000
    """Records that there may be besides one for each byte that went in: a small file may be one game many times."""
    unproductive: Stretch = UNPRODUCTIVE
    record: Stretch = RECORD


class Budget:
    """Counts what was spent so far on one file."""

    def __init__(self, limits: Limits, pulse: Callable[[], None] = lambda: None) -> None:
        """Call `pulse` repeatedly, however little comes out of the file."""
        self.limits = limits
        self.packed = self.unpacked = self.lines = self.members = self.records = 0
        self.unproductive = UnproductiveReading(limits.unproductive, limits.record)
        self._pulse = pulse

    def read(self, size: int) -> None:
        """Count packed bytes that were read."""
        self.packed += size
        self._pulse()
        self.unproductive.has_time(Stretch(packed=size))

    def begin_member(self) -> None:
        """Count the beginning of a packed piece."""
        self.members += 1
        if self.members > self.limits.members:
            most = self.limits.members
            raise UnpackError("too_many_members", words("More than {most} packed pieces in one file.", most=most))
        self.unproductive.has_time(Stretch(pieces=1))

    def begin_entry(self) -> None:
        """Count the beginning of a zip archive's entry."""
        self._pulse()
        self.unproductive.has_time(Stretch(pieces=1))

    def found(self, *, game: bool) -> None:
        """Count a record.

        :raises UnpackError: when there are too many for the number of bytes, or too few that could be games.
        """
        self.records += 1
        if self.records > self.limits.records + self.packed:
            raise UnpackError(
                "bomb", words("This file unpacks to more records than it has bytes, so it is not a file of games.")
            )
        if game:
            self.unproductive.found_record()
        else:
            self.unproductive.has_time(Stretch(rubbish=1))

    def spend(self, block: bytes) -> None:
        """Count unpacked bytes. :raises UnpackError: when it is too much."""
        lines = block.count(b"\n")
        self.unpacked += len(block)
        self.lines += lines
        check_size(self.unpacked, self.limits)
        if self.unpacked > self.limits.leeway and self.unpacked > self.limits.ratio * self.packed:
            raise UnpackError(
                "bomb", words("Each packed byte unpacks to more than {ratio}, so this is not a file of games.",
                              ratio=self.limits.ratio),
            )  # fmt: skip
        if self.lines > self.limits.lines:
            raise UnpackError(
                "too_many_lines", words("An upload may have at most {most} lines.", most=self.limits.lines)
            )
        self._pulse()
        self.unproductive.has_time(Stretch(unpacked=len(block), lines=lines))


def check_size(unpacked: int, limits: Limits) -> None:
    """Refuse a file that is too large, or declares to be."""
    if unpacked > limits.unpacked:
        raise UnpackError(
            "too_large_unpacked",
            words("An upload may have at most {most} bytes when it is unpacked.", most=limits.unpacked),
        )
