"""Which games still wait to be indexed, or for their events to be found."""

from typing import Final

from django.db.models import QuerySet

from games.models import Game, GameEvents, UnindexedGame
from games.records.reads.visibility import Viewer, games_for

COUNTED: Final = 1_000
"""Games that wait to be indexed of which it is counted how many a viewer may see: the first ones."""


def games_without_events() -> "QuerySet[GameEvents]":
    """Return the games that wait, the first first."""
    return GameEvents.objects.filter(codes__isnull=True).order_by("game")


def games_without_tension() -> "QuerySet[GameEvents]":
    """Return the games of which is not known how exciting they were: new ones, and those of an earlier version."""
    return GameEvents.objects.filter(lead_changes__isnull=True).order_by("game")


def unindexed_games() -> "QuerySet[UnindexedGame]":
    """Return the games that wait to be indexed, the first first."""
    return UnindexedGame.objects.order_by("game")


def not_searched(viewer: Viewer) -> int:
    """Return how many games that a viewer may see no search by position or opening finds yet."""
    first = list(unindexed_games().values_list("game", flat=True)[:COUNTED])
    return Game.objects.filter(games_for(viewer), pk__in=first).count() if first else 0


__all__ = ["COUNTED", "games_without_events", "games_without_tension", "not_searched", "unindexed_games"]
