"""Writing the ledger: an entry for every seat of a rated game, and another one whenever a correction changes it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import connection

from engine.fold import Rated
from engine.rating import ALGORITHM, Rating
from games.models import Acceptance, Correction, Game

COLUMNS = (
    "acceptance_id", "number", "ladder_id", "game_id", "player_id", "seat", "place", "algorithm",
    "mu_before", "sigma_before", "mu", "sigma", "counts", "correction_id", "at",
)  # fmt: skip
_COPY = f"COPY games_ratingevent ({', '.join(COLUMNS)}) FROM STDIN"

Entry = tuple[Any, ...]
"""What one entry says, by `COLUMNS`."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A game that is to be written into the ledger, for the first time or as a correction left it."""

    acceptance: int
    ladder: int
    game: int
    old: Rated | None
    new: Rated

    def entries(self, at: datetime, correction: int | None) -> Iterator[Entry]:
        """Yield entries by seat: for each seat whose values are new or changed."""
        new = self.new
        for seat, now in enumerate(_seats(new)):
            if self.old is None or _seats(self.old)[seat] != now:
                before, after = new.before[seat], new.after[seat]
                yield (
                    self.acceptance, new.number, self.ladder, self.game, new.players[seat], seat, new.places[seat],
                    ALGORITHM, before.mu, before.sigma, after.mu, after.sigma, new.counts, correction, at,
                )  # fmt: skip


def _seats(game: Rated) -> list[tuple[int, Rating, Rating, bool]]:
    """Return the ledger's changeable values for each seat."""
    counts = game.counts
    return [(*seat, counts) for seat in zip(game.players, game.before, game.after, strict=True)]


def enter(games: Sequence[Entered], *, at: datetime, correction: Correction | None = None) -> int:
    """Write games into the ledger; the caller holds the lock of the sequence.

    :returns: how many entries it wrote.
    """
    by = correction.pk if correction else None
    if by:
        # Locked before their acceptances, as by those who change them: the entries raise their versions.
        held = Game.objects.filter(pk__in=[game.game for game in games]).order_by("pk")
        list(held.select_for_update(no_key=True).values_list("pk"))
        Acceptance.objects.filter(pk__in=[game.acceptance for game in games]).update(rating=None)  # it is read again
    return write_entries(chain.from_iterable(game.entries(at, by) for game in games))


def write_entries(entries: Iterable[Entry]) -> int:
    """Write entries in this order; the iterator must not query the database. :returns: how many."""
    # In the same format as `write_row`, in half the time: numbers, moments and one word, none of which can contain a
    # tab.
    lines = ["\t".join([r"\N" if cell is None else str(cell) for cell in entry]) for entry in entries]
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        copy.write("\n".join([*lines, ""]))
    return len(lines)
