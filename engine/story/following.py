"""Follows a game from its first position to its last and collects events, figures and leads by ply."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, NamedTuple, TypeVar

from engine.agn.administrative import parse_administrative
from engine.events import Event
from engine.ruleset import Ruleset, Termination
from engine.scene import Reel, Scene

S = TypeVar("S")
A = TypeVar("A")


class Moment(NamedTuple):
    """An event and when it happened."""

    ply: int
    """The position that it led to."""
    number: int
    """The round, or pair of turns, of its action."""
    event: Event


class Lead(NamedTuple):
    """Who is ahead from a ply on: letters in seat order; empty if all seats are equal."""

    ply: int
    number: int
    seats: tuple[str, ...]


class Tension(NamedTuple):
    """How exciting a game was, so that games can be compared."""

    lead_changes: int
    """How often somebody alone took the lead after somebody else alone had it."""
    closeness: int | None
    """What the second of the final figures in the chart is of the first, in percent; none of a game that was not played
    to its end."""


@dataclass(frozen=True, slots=True)
class Story:
    """What happened in a game."""

    ruleset: Ruleset[Any, Any]
    seats: tuple[str, ...]
    """Letters in seat order."""
    numbers: tuple[int, ...]
    """Of each ply the round, or pair of turns, of the action that led to it; of the first position that to come."""
    moments: tuple[Moment, ...]
    figures: tuple[tuple[tuple[int, ...], ...], ...]
    """By ply and by seat, what the score sheet counts, in its order."""
    keys: tuple[str, ...]
    """The keys of these counts."""
    leads: tuple[Lead, ...]
    """Each time that it changed, the first at ply 0."""
    quiet: tuple[int, ...]
    """Plies that changed nothing on the board after an action of the same seat: they belong to the ply before them."""
    turn_ends: tuple[int, ...]
    """Plies after which somebody else is to act, or another round begins, and the last one."""
    winners: tuple[str, ...]
    """Who came first; none while the game goes on."""

    @property
    def last(self) -> int:
        """Return the last ply."""
        return len(self.numbers) - 1

    def chart(self, seat: str) -> list[int]:
        """Return a seat's figure in the chart for every ply."""
        at, key = self.seats.index(seat), self.keys.index(self.ruleset.shown.story.chart)
        return [figures[at][key] for figures in self.figures]


def story_of(ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str], scenes: Sequence[Scene]) -> Story:
    """Return the story of a replay.

    :param states: the first position and that after each action.
    :param scenes: the pictures of these positions.
    """
    sheets = [ruleset.shown.sheets(state) for state in states]
    seats = tuple(tray.seat for tray in scenes[0].trays)
    numbers = tuple(ruleset.number(state) for state in (states[0], *states[:-1]))
    outcome = ruleset.outcome(states[-1])
    return Story(
        ruleset=ruleset,
        seats=seats,
        numbers=numbers,
        moments=tuple(moments_of(ruleset, states, tokens, numbers)),
        figures=tuple(tuple(tuple(count.value for count in sheet) for sheet in row) for row in sheets),
        keys=tuple(count.key for count in sheets[0][0]),
        leads=tuple(_leads(ruleset, states, seats, numbers)),
        quiet=tuple(ply for ply in range(len(states)) if is_quiet(ruleset, states, scenes, ply)),
        turn_ends=tuple(_turn_ends(ruleset, states)),
        winners=tuple(seat for seat, place in zip(seats, outcome.placements, strict=True) if place == 1)
        if outcome
        else (),
    )


def moments_of(
    ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str], numbers: Sequence[int]
) -> Iterator[Moment]:
    """Yield the events of a game.

    :param numbers: of each ply the round, or pair of turns, of the action that led to it.
    """
    for ply, ((before, after), token) in enumerate(zip(pairwise(states), tokens, strict=True), 1):
        action = None if parse_administrative(token) else ruleset.parse_action(token)
        yield from (Moment(ply, numbers[ply], event) for event in ruleset.shown.story.events(before, action, after))


def _leads(
    ruleset: Ruleset[S, A], states: Sequence[S], seats: tuple[str, ...], numbers: Sequence[int]
) -> Iterator[Lead]:
    ahead = (_ahead(ruleset.shown.story.merits(state), seats) for state in states)
    for leading, plies in groupby(enumerate(ahead), key=lambda pair: pair[1]):
        ply, _ = next(plies)
        yield Lead(ply, numbers[ply], leading)


def _ahead(merits: Sequence[Any], seats: tuple[str, ...]) -> tuple[str, ...]:
    best = max(merits)
    first = tuple(seat for seat, merit in zip(seats, merits, strict=True) if merit == best)
    return first if len(first) < len(seats) else ()


def tension_of(ruleset: Ruleset[S, A], states: Sequence[S]) -> Tension:
    """Return how often the lead passed from one seat to another, and how close a game was when it was played out.

    :param states: the first position and that after each action.
    """
    seats = tuple(str(seat) for seat, _ in enumerate(ruleset.shown.story.merits(states[0])))
    alone = [lead.seats for lead in _leads(ruleset, states, seats, [0] * len(states)) if len(lead.seats) == 1]
    changes = sum(before != after for before, after in pairwise(alone))
    outcome = ruleset.outcome(states[-1])
    played = outcome is not None and outcome.termination == Termination.PLAYED
    return Tension(changes, _closeness(ruleset, states[-1]) if played else None)


def _closeness(ruleset: Ruleset[S, A], state: S) -> int:
    chart = ruleset.shown.story.chart
    figures = [count.value for sheet in ruleset.shown.sheets(state) for count in sheet if count.key == chart]
    second, first = sorted(figures)[-2:]
    return 100 if second == first else 100 * max(0, second) // max(1, first)


def is_quiet(ruleset: Ruleset[S, A], states: Sequence[S], scenes: "Sequence[Scene] | Reel[S, A]", ply: int) -> bool:
    """Return whether an action changed nothing on the board, after another one of the same seat."""
    if not 2 <= ply < len(states):  # noqa: PLR2004 (the second action)
        return False
    same_seat = ruleset.to_act(states[ply - 1]) == ruleset.to_act(states[ply - 2])
    return same_seat and scenes[ply].pieces == scenes[ply - 1].pieces


def _turn_ends(ruleset: Ruleset[S, A], states: Sequence[S]) -> Iterator[int]:
    def whose(state: S) -> tuple[str | None, int]:
        return ruleset.to_act(state), ruleset.number(state)

    for ply, (before, after) in enumerate(pairwise(states), 1):
        if ply == len(states) - 1 or whose(before) != whose(after):
            yield ply
