"""When games at tables of this site began: their records say the day in UTC, which need not be the reader's."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db.models import OuterRef, Subquery
from django.db.models.functions import TruncDate

from engine.agn.dates import Days
from games.models import Game, Table

if TYPE_CHECKING:
    from django.db.models import QuerySet


def begun_at_table(game: str = "") -> Any:  # noqa: ANN401 (an expression)
    """Return, for a query, when a game began at a table; null for other games, and where the date was corrected.

    :param game: the name of the query's field that is the game; empty where the query is of games.
    """
    return Subquery(tables_of(game).values("begun_at")[:1])


def tables_of(game: str = "") -> "QuerySet[Table]":
    """Return, for a subquery, the tables whose day in UTC is the day that the record of a game says."""
    to_game = f"{game}__" if game else ""
    begun = Table.objects.filter(game=OuterRef(f"{to_game}pk"), begun_at__isnull=False).order_by("pk")
    here = begun.annotate(utc=TruncDate("begun_at", tzinfo=UTC))
    return here.filter(utc=OuterRef(f"{to_game}played_from"), utc__gte=OuterRef(f"{to_game}played_until"))


def played_here(game: Game) -> "Days | datetime | None":
    """Return the same as `played` for a game of a table that was read without `begun_here`, with one query."""
    begun = Game.objects.filter(pk=game.pk).values_list(begun_at_table(), flat=True).first()
    return begun or game.played


def played(game: Game, read: object = None) -> "Days | datetime | None":
    """Return when a game was played: a moment if it began at a table here, else the days of its record, if any.

    :param read: the row that was read with `begun_here`, where that is not the game itself.
    """
    begun: datetime | None = getattr(read or game, "begun_here", None)
    return begun or game.played
