"""The progress of a round, or of a pair of turns, as shown above a board."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.words import Translate, Words, words

DONE, NOW, LATER = "done", "now", "later"


class Part(NamedTuple):
    """A part of a round: the turn of a seat, or a part with its own text."""

    at: str
    """DONE, NOW or LATER."""
    seat: str | None = None
    label: Words | None = None


class Round(NamedTuple):
    """A round with its parts, in the order in which they come."""

    label: Words
    parts: tuple[Part, ...]


def in_turns(seats: Sequence[str], turn: str | None) -> tuple[Part, ...]:
    """Return the turns of some seats, one after another; all are done if nobody is to act."""
    now = len(seats) if turn is None else seats.index(turn)
    return tuple(Part(state_of(at, now), seat) for at, seat in enumerate(seats))


def state_of(at: int, now: int) -> str:
    """Return the state of a part, given the part in progress."""
    return NOW if at == now else DONE if at < now else LATER


def pair_called(number: int) -> Words:
    """Return what a pair of turns is called inside a sentence: move 3."""
    return words("move {number}", number=number)


def places_listed(seats: Sequence[str], placements: Sequence[int]) -> str:
    """Return the place of each seat at the end of a game: `R 1, B 2`."""
    return ", ".join(f"{seat} {place}" for seat, place in zip(seats, placements, strict=True))


def round_json(found: Round, translate: Translate) -> dict[str, Any]:
    """Return a round as JSON, as `position.schema.json` says."""
    parts = [
        {"at": part.at, "seat": part.seat, "label": part.label.render(translate) if part.label else None}
        for part in found.parts
    ]
    return {"label": found.label.render(translate), "parts": parts}
