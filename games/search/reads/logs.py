"""Which record of a game its positions are read from."""

from collections.abc import Sequence

from django.db.models import QuerySet

from games.models import Game, MoveLog


def logs_of(games: Sequence[int] | Sequence[Game]) -> "QuerySet[MoveLog]":
    """Return the first legal record of each of some games, in the order of the games."""
    legal = MoveLog.objects.filter(game__in=games).exclude(record_digest="")
    return legal.order_by("game", "pk").distinct("game")


__all__ = ["logs_of"]
