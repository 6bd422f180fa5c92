"""What each game contributes to the story of a game: its kinds of events, when they happen, and who is ahead."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.words import Words

S = TypeVar("S")
A = TypeVar("A")

SHAPES: Final = ("plus", "leaf", "theft", "down", "tile", "join", "loop", "dot", "crown", "chance", "out")
"""The marks that a page can draw."""


class Kind(NamedTuple):
    """A kind of event."""

    key: str
    label: Words
    """Its name, as in a legend: new ant."""
    shape: str
    """One of SHAPES."""


class Event(NamedTuple):
    """Something that matters, caused by one action."""

    kind: str
    """The key of its kind."""
    seat: str
    """The letter of the seat that it concerns."""
    sentence: Words
    amount: int = 1
    """How many things it is about, such as ants eaten or the points of a tile."""


SeatName = str | Words


class Turning(NamedTuple):
    """How the summary describes a turning point: the round in which a seat had the most events of a kind."""

    kind: str
    sentence: Callable[[int, SeatName, Words], Words]
    """A sentence: `sentence(count, player, when)`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoryParts(Generic[S, A]):
    """What a game supplies for its story."""

    kinds: tuple[Kind, ...]
    """The kinds of events, the most important first."""
    events: Callable[[S, A | None, S], Iterable[Event]]
    """The events of a step: `events(before, action, after)`, without action when a seat left or both agreed to a draw.
    Each is of one of the kinds."""
    chart: str
    """Which count of the score sheets is drawn as a chart."""
    merits: Callable[[S], tuple[Any, ...]]
    """By seat, what decides who is ahead: more is better."""
    when: Callable[[int], Words]
    """What a round, or pair of turns, is called inside a sentence, by its number: round 3."""
    turning: Turning


__all__ = ["SHAPES", "Event", "Kind", "SeatName", "StoryParts", "Turning"]
