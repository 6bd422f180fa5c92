"""A player's form: the places in the newest games, and how good each is among those in its game."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from games.players.reads.directory import Result
from games.web.labels import PLACES, Label


@dataclass(frozen=True, slots=True)
class PlaceShown:
    """One place, as a square with a number."""

    place: int
    kind: str
    """`won`, `last`, or `between`."""
    title: Label


def form_of(results: Iterable[Result]) -> tuple[PlaceShown, ...]:
    """Return places as squares, the newest last."""
    return tuple(PlaceShown(one.place, _kind(one), _title(one)) for one in results)


def _kind(result: Result) -> str:
    return "won" if result.place == 1 else "last" if result.place == result.lowest else "between"


def _title(result: Result) -> str:
    return gettext("{place} of {lowest}").format(place=PLACES[result.place], lowest=result.lowest)
