"""Reading films: what was asked for, what is waiting, and the files."""

from datetime import datetime

from django.db.models import Q, QuerySet

from games.models import Film, Game

WAITING = (Film.State.WAITING, Film.State.MAKING)


def find_film(game: Game, pk: int) -> Film:
    """Return a film of a game, without its file. :raises Film.DoesNotExist: when the game has no such film."""
    return Film.objects.defer("data").get(game=game, pk=pk)


def films_before(film: Film) -> int:
    """Return how many films are made before one that waits."""
    return Film.objects.filter(state__in=WAITING, pk__lt=film.pk).count() if film.state == Film.State.WAITING else 0


def films_due(now: datetime) -> "QuerySet[Film]":
    """Return the films that wait, or whose worker has not finished in time, oldest first."""
    lapsed = Q(state=Film.State.MAKING, leased_until__lte=now)
    return Film.objects.filter(Q(state=Film.State.WAITING) | lapsed).order_by("pk")


def file_of(film: Film) -> bytes | None:
    """Return the file of a film, if it is made."""
    data = Film.objects.filter(pk=film.pk, state=Film.State.MADE).values_list("data", flat=True).first()
    return None if data is None else bytes(data)
