"""Writing the ledger: the entries of games that were rated, and all tables that follow from them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from engine.fold import Rated
from engine.rating import ALGORITHM
from games.models import Acceptance, Recount

_COLUMNS = (
    "acceptance_id", "number", "ladder_id", "game_id", "player_id", "seat", "place", "algorithm",
    "mu_before", "sigma_before", "mu", "sigma", "counts", "recount_id", "at",
)  # fmt: skip
_COPY = f"COPY games_ratingevent ({', '.join(_COLUMNS)}) FROM STDIN"


@dataclass(frozen=True, slots=True)
class Entered:
    """A game that is to be written into the ledger, for the first time or as a recount left it."""

    acceptance: Acceptance
    old: Rated | None
    new: Rated


def enter(games: Sequence[Entered], *, at: datetime, recount: Recount | None = None) -> int:
    """Writes games into the ledger. Called under the lock of the order.

    :returns: how many entries it wrote.
    """
    rows = list(_rows(games, at, recount))
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for row in rows:
            copy.write_row(row)
    return len(rows)


def _rows(games: Iterable[Entered], at: datetime, recount: Recount | None) -> Iterator[tuple[object, ...]]:
    number_of_recount = recount.pk if recount else None
    for game in games:
        one, new = game.acceptance, game.new
        for seat in seats_changed(game.old, new):
            before, after = new.before[seat], new.after[seat]
            yield (
                one.pk, new.number, one.ladder_id, one.game_id, new.players[seat], seat, new.places[seat], ALGORITHM,
                before.mu, before.sigma, after.mu, after.sigma, new.counts, number_of_recount, at,
            )  # fmt: skip


def seats_changed(old: Rated | None, new: Rated) -> Iterator[int]:
    """The seats of a game whose entries differ from what the ledger says."""
    for seat, now in enumerate(_entries(new)):
        if old is None or _entries(old)[seat] != now:
            yield seat


def _entries(game: Rated) -> list[tuple[object, ...]]:
    return [(*seat, game.counts) for seat in zip(game.players, game.before, game.after, strict=True)]
