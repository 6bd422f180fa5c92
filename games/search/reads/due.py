"""Which games still wait for their events to be found."""

from django.db.models import QuerySet

from games.models import GameEvents


def games_without_events() -> "QuerySet[GameEvents]":
    """Return the games that wait, the first first."""
    return GameEvents.objects.filter(codes__isnull=True).order_by("game")


__all__ = ["games_without_events"]
