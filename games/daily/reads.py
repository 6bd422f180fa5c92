"""Reading the game of the day."""

from datetime import date

from django.db.models import Prefetch

from games.models import GameOfTheDay, Seating
from games.models.records import VerdictKind

_DAYS = 7
"""For which a choice is shown when none follows."""


def game_of_the_day(today: date) -> GameOfTheDay | None:
    """Return the newest choice up to a day, of the last week, whose game is still public and verified; or none."""
    public = GameOfTheDay.objects.filter(game__private=False, game__same_as=None, game__verdict=VerdictKind.VERIFIED)
    seats = Prefetch("game__seatings", Seating.objects.select_related("player").order_by("seat"))
    shown = public.filter(day__lte=today).order_by("-day")
    found = shown.select_related("game").prefetch_related(seats).first()
    return found if found and (today - found.day).days <= _DAYS else None
