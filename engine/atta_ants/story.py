"""What matters in a game of Atta Ants: ants born and eaten, leaves picked up and stolen, colonies out of the game."""

from collections.abc import Iterator
from typing import Final

from engine.atta_ants.board import NOWHERE
from engine.atta_ants.scene.captions import colony, meals
from engine.atta_ants.scene.traces import eaten
from engine.atta_ants.state import COLONY, Action, AntMove, State, in_play
from engine.events import Event, Kind, SeatName, StoryParts, Turning
from engine.words import Words, counted, words

BORN, EATEN, OUT, STOLEN, LEAF = "born", "eaten", "out", "stolen", "leaf"


def events(before: State, action: Action | None, state: State) -> Iterator[Event]:
    """Yield what happened between two positions."""
    if isinstance(action, AntMove):
        yield from _of_move(before, action, state)
    prey = eaten(state, before)
    for seat, letter in enumerate(state.table.seats):
        own = [ant for ant in prey if ant // COLONY == seat]
        if own:
            yield Event(EATEN, letter, words("{meals}.", meals=meals(state, before, own)), len(own))
    for seat in sorted(state.out - before.out - set(state.left)):
        said = words("{colony} has no ant left and is out of the game.", colony=colony(state, seat))
        yield Event(OUT, state.table.seats[seat], said)


def _of_move(before: State, action: AntMove, state: State) -> Iterator[Event]:
    letter, ant = action.ant[0], action.ant
    for part in action.parts:
        if part == "+":
            yield Event(LEAF, letter, words("{ant} picks up a leaf.", ant=ant))
        elif part[0] == "x":
            yield Event(STOLEN, letter, words("{ant} takes the leaf of {other}.", ant=ant, other=part[1:]))
    for child, (old, new) in enumerate(zip(before.ants, state.ants, strict=True)):
        if old == NOWHERE != new:
            yield Event(BORN, letter, words("{ant} comes into play.", ant=state.table.ant_name(child)))


def merits(state: State) -> tuple[tuple[int, int, int], ...]:
    """Return, by seat, what decides the places (ATTA-RANK-1): whether it stayed, then ants in play, then ants eaten."""
    decides = state.table.edition.eaten_decides
    return tuple([
        (seat not in state.left, in_play(state, seat), -state.eaten[seat] if decides else 0)
        for seat in range(len(state.table.seats))
    ])  # fmt: skip


def _lost(count: int, player: SeatName, when: Words) -> Words:
    return counted(
        "{player} lost {count} ant in {when}.", "{player} lost {count} ants in {when}.", count, player=player, when=when
    )


def _when(number: int) -> Words:
    return words("round {number}", number=number)


STORY: Final[StoryParts[State, Action]] = StoryParts(
    kinds=(
        Kind(EATEN, words("eaten"), "down"),
        Kind(OUT, words("out"), "out"),
        Kind(BORN, words("new ant"), "plus"),
        Kind(STOLEN, words("leaf stolen"), "theft"),
        Kind(LEAF, words("leaf picked up"), "leaf"),
    ),
    events=events,
    chart="in-play",
    merits=merits,
    when=_when,
    turning=Turning(EATEN, _lost),
)

__all__ = ["STORY"]
