"""Walks through the games of an export, however many: some thousand are found at a time, some hundred read at a time.

Nothing is held between two pieces but the ids of these games and the mark of the last one, so any thread may go on with
it, at any time, and PgBouncer may give it another connection.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from games.models import MoveLog
from games.records.reads.export import MOST, Part, find_part, records_of
from games.records.reads.games import GameFilter
from games.records.reads.visibility import Viewer

T = TypeVar("T")


class Read(Protocol):
    """Reads from the database, or from one like it."""

    def __call__(self, ask: Callable[[], T], /) -> T:
        """Return what a function reads."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games are wanted, by whom, and from where on."""

    games: Callable[[], GameFilter]
    """Asked again for each part: a filter may have the ids of very many games."""
    viewer: Viewer
    read: Read
    after: str = ""
    most: int | None = None
    """None for all of them."""


class Export:
    """The games of an export."""

    def __init__(self, wanted: Wanted) -> None:
        """Find the first games.

        :raises TooSlowError: when they are not found soon enough.
        :raises CursorError: when `after` marks nothing.
        """
        self._wanted = wanted
        self._begun = self._part(wanted.after)

    @property
    def following(self) -> str | None:
        """Return the mark after which the next games come, if only so many are wanted."""
        return self._begun.following if self._wanted.most is not None else None

    @property
    def games(self) -> int | None:
        """Return how many games it has; None if there are more than are known yet."""
        return len(self._begun.games) if self._wanted.most is not None or self._begun.following is None else None

    def records(self) -> Iterator[MoveLog]:
        """Yield the records in their order, each with its game, without those of games that were hidden meanwhile.

        :raises TooSlowError: when further games are not found soon enough.
        """
        part = self._begun
        while True:
            for batch in part.batches():
                yield from self._wanted.read(lambda batch=batch: list(records_of(batch, self._wanted.viewer)))  # type: ignore[misc]
            if self._wanted.most is not None or part.following is None:
                return
            part = self._part(part.following)

    def _part(self, after: str) -> Part:
        wanted = self._wanted
        most = MOST if wanted.most is None else wanted.most
        return wanted.read(lambda: find_part(wanted.games(), wanted.viewer, after=after, most=most))
