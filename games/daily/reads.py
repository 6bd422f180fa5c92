"""Reading the game of the day."""

from datetime import date

from games.models import GameOfTheDay

_DAYS = 7
"""For which a choice is shown when none follows."""


def game_of_the_day(today: date) -> GameOfTheDay | None:
    """Return the newest choice up to a day whose game is still public; none if there is none of the last week."""
    shown = GameOfTheDay.objects.filter(day__lte=today, game__private=False, game__same_as=None).order_by("-day")
    found = shown.select_related("game").prefetch_related("game__seatings__player").first()
    return found if found and (today - found.day).days <= _DAYS else None
