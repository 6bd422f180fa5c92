"""What matters in a game of Picnic: crumbs eaten."""

from collections.abc import Iterator
from typing import Final

from engine.events import Event, Kind, SeatName, StoryParts, Turning
from engine.words import Words, counted, words

from .scene import player
from .state import Action, State, Walk

EATEN = "eaten"


def events(before: State, action: Action | None, state: State) -> Iterator[Event]:
    """Yield what happened between two positions."""
    if isinstance(action, Walk):
        letter, crumbs = before.seats[before.seat], state.eaten[before.seat] - before.eaten[before.seat]
        said = counted("{player} eats {count} crumb.", "{player} eats {count} crumbs.", crumbs, player=player(letter))
        yield Event(EATEN, letter, said, crumbs)


def merits(state: State) -> tuple[tuple[bool, int], ...]:
    """Return who is still in the game, and the crumbs eaten, by seat."""
    return tuple((seat not in state.left, eaten) for seat, eaten in enumerate(state.eaten))


def _ate(count: int, player: SeatName, when: Words) -> Words:
    return counted(
        "{player} ate {count} crumb in {when}.",
        "{player} ate {count} crumbs in {when}.",
        count,
        player=player,
        when=when,
    )


def _when(number: int) -> Words:
    return words("round {number}", number=number)


STORY: Final[StoryParts[State, Action]] = StoryParts(
    kinds=(Kind(EATEN, words("crumbs eaten"), "dot"),),
    events=events,
    chart="crumbs",
    merits=merits,
    when=_when,
    turning=Turning(EATEN, _ate),
)
