"""Flaws: what an audit finds, each with a name, the stored value and the right one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]

ENTRY, SEQUENCE, RECORD, GAME, SEATING, ACCEPTANCE = "entry", "sequence", "record", "game", "seating", "acceptance"
STANDING, BUCKET, LADDER, PLAYER, CORRECTION = "standing", "bucket", "ladder", "player", "correction"
BEST_RANK, BOARD, BOARD_LINE, MEMBER = "best rank", "board", "board line", "member of a club"
DAY_RATING, DAY_LEDGER = "rating by day played", "ledger by day played"


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something stored that does not follow from the acts, or records and acts that do not fit each other."""

    about: str
    where: Row
    """What names it: the game's key, the place in the sequence, the seat, …"""
    stored: Row | None
    """As far as it is wrong; none where nothing is stored."""
    due: Row | None
    """None where nothing should be stored."""

    def __str__(self) -> str:
        name = ", ".join(f"{key} {value}" for key, value in self.where.items())
        return f"{self.about} ({name}): {self._difference()}"

    def _difference(self) -> str:
        if self.stored is None:
            return "is missing"
        if self.due is None:
            return "is stored, but not due"
        return "; ".join(f"{key} is {self.stored[key]!s}, due {self.due[key]!s}" for key in self.due)

    def as_json(self) -> dict[str, object]:
        """Return the flaw for programs."""
        return {"about": self.about, "where": self.where, "stored": self.stored, "due": self.due}


def compare(about: str, where: Row, stored: Row, due: Row) -> Iterator[Flaw]:
    """Yield the differences."""
    wrong = [name for name, value in due.items() if stored[name] != value]
    if wrong:
        yield Flaw(about, where, {name: stored[name] for name in wrong}, {name: due[name] for name in wrong})
