"""How far the index is, while it is built again and searches may not find all games."""

from collections.abc import Mapping
from typing import Final

from django.db.models import Max, Min, QuerySet

from games.models import Game, GameEvents, PositionRebuild
from games.records.reads.conditions import events_wanted
from games.search.reads.due import games_without_events, games_without_tension
from games.search.reads.runs import numbering_is_outdated

_WHOLE: Final = 100
_SETTLED: Final = 99
"""From so many percent on, the games that lack their events are new ones, for which the worker needs a moment."""


def index_progress(*, events: bool = False) -> int | None:
    """Return how much of the index is built, in percent; None where searches find all games.

    :param events: whether events are searched for, instead of positions or openings.
    """
    return _events_progress() if events else _positions_progress()


def progress_of(asked: Mapping[str, object]) -> int | None:
    """Return the same for a filter of games, which may name a position, an opening, an event or a sequence."""
    found = [index_progress()] if asked.get("position") or asked.get("opening") else []
    found += [index_progress(events=True)] if events_wanted(asked) else []
    found += [_share_without(games_without_tension())] if asked.get("sort") in ("lead_changes", "closeness") else []
    return min((share for share in found if share is not None), default=None)


def _positions_progress() -> int | None:
    """Return how far renumbering is: until it has ended, positions that are numbered otherwise are not found."""
    if not numbering_is_outdated():
        return None
    rebuild = PositionRebuild.objects.first()
    return min(_share(rebuild.last), _SETTLED) if rebuild else 0


def _events_progress() -> int | None:
    return _share_without(games_without_events())


def _share_without(games: "QuerySet[GameEvents]") -> int | None:
    """Return up to where games have what these lack, which the worker finds in the order of the games."""
    waiting = games.values_list("game", flat=True).first()
    share = _WHOLE if waiting is None else _share(waiting - 1)
    return share if share < _SETTLED else None


def _share(game: int) -> int:
    ends = Game.objects.aggregate(first=Min("pk"), last=Max("pk"))
    first, last = ends["first"] or 1, ends["last"] or 1
    return _WHOLE * max(0, game - first + 1) // (last - first + 1)


__all__ = ["index_progress", "progress_of"]
