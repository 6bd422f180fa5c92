"""What unpacking may cost: counted in bytes, lines and parts as they come out, never believed beforehand."""

from dataclasses import dataclass

from engine.words import words
from games.services.unpacking.refusals import UnpackError


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may come out of one file."""

    unpacked: int = 8 * 2**30
    """Bytes, of all entries together."""
    entries: int = 50_000
    """Of a zip archive. Each costs a moment before anything is unpacked."""
    members: int = 2_000_000
    """Packed pieces that stand one after another, as `cat *.gz` makes them."""
    lines: int = 250_000_000
    """Lines, for an empty one costs a moment too."""
    ratio: int = 1000
    """Bytes that may come out for each that went in. No file of games comes near it, and every bomb lives by it."""
    leeway: int = 16 * 2**20
    """Bytes that may come out at whatever ratio: a small file may be one game many times."""


class Budget:
    """What was spent so far on one file."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.packed = self.unpacked = self.lines = self.members = 0

    def read(self, size: int) -> None:
        """Counts packed bytes that were read."""
        self.packed += size

    def begin_member(self) -> None:
        """Counts a packed piece that begins."""
        self.members += 1
        if self.members > self.limits.members:
            most = self.limits.members
            raise UnpackError("too_many_members", words("More than {most} packed pieces in one file.", most=most))

    def spend(self, block: bytes) -> None:
        """Counts what came out. :raises UnpackError: when it is too much."""
        self.unpacked += len(block)
        self.lines += block.count(b"\n")
        check_size(self.unpacked, self.limits)
        if self.unpacked > self.limits.leeway and self.unpacked > self.limits.ratio * self.packed:
            raise UnpackError(
                "bomb", words("More than {ratio} bytes come out of each packed one: no games are like that.",
                              ratio=self.limits.ratio),
            )  # fmt: skip
        if self.lines > self.limits.lines:
            raise UnpackError("too_many_lines", words("An upload has at most {most} lines.", most=self.limits.lines))


def check_size(unpacked: int, limits: Limits) -> None:
    """Refuses what is, or says that it will be, too large."""
    if unpacked > limits.unpacked:
        raise UnpackError(
            "too_large_unpacked", words("An upload has at most {most} bytes when it is unpacked.", most=limits.unpacked)
        )
