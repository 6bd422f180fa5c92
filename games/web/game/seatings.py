"""The seatings of a game side by side: whom uploads of the same moves name, and the reader's choice."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict

from games.consent.reads.challenges import choice_of, may_choose, open_challenges, rivals_of
from games.models import Challenge, Game
from games.platform.paging import CursorError, Page, Span
from games.records.reads.visibility import Viewer
from games.web.rows import SeatShown, seats_of

_SIZE = 5
"""Seatings on a page: anybody can add some."""


@dataclass(frozen=True, slots=True)
class SeatingShown:
    """Whom an upload names."""

    key: str
    seats: tuple[SeatShown, ...]
    source: str
    applies: bool
    by: str
    at: datetime
    mine: bool
    """Whether the reader has chosen it."""


@dataclass(frozen=True, slots=True)
class SeatingsShown:
    """The seating that applies, and some of those that challenge it."""

    rows: tuple[SeatingShown, ...]
    newer: str | None
    older: str | None
    holds: bool
    """Whether the game waits until it is settled."""
    may_choose: bool
    """Whether the reader is asked which is right."""


def seatings_shown(game: Game, reader: Viewer, query: QueryDict) -> SeatingsShown | None:
    """Return the seatings of a game that are to be settled; none where nobody challenges the one that applies."""
    challenges = open_challenges(game)
    if not challenges.exists():
        return None
    page = _page(game, query)
    chosen = choice_of(game, reader.pk) if reader.pk else None
    rows = [_seating(game, game.received_at, chosen=chosen, applies=True)]
    rows += [_rival(challenge, chosen) for challenge in page.rows]
    return SeatingsShown(
        rows=tuple(rows),
        newer=page.newer,
        older=page.older,
        holds=challenges.filter(holds=True).exists(),
        may_choose=reader.pk is not None and may_choose(game, reader.pk),
    )


def _page(game: Game, query: QueryDict) -> Page[Challenge]:
    try:
        return rivals_of(game, Span(query.get("seatings_before", ""), query.get("seatings_after", ""), _SIZE))
    except CursorError:
        return rivals_of(game, Span(size=_SIZE))


def _rival(challenge: Challenge, chosen: int | None) -> SeatingShown:
    by = challenge.raised_by.get_username() if challenge.raised_by else ""
    return _seating(challenge.rival, challenge.raised_at, chosen=chosen, by=by)


def _seating(game: Game, at: datetime, *, chosen: int | None, by: str = "", applies: bool = False) -> SeatingShown:
    source = next((seating.player.source for seating in game.seatings.all()), "")
    return SeatingShown(game.key, tuple(seats_of(game)), source, applies, by, at, chosen == game.pk)
