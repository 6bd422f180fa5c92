"""Counting by trial: how many sequences of actions are legal according to a referee, without the engine."""

from collections import Counter
from typing import Any, Protocol, Self

SEQUENCES = "sequences"


class Position(Protocol):
    """A game as a referee knows it."""

    def after(self, token: str) -> Self: ...

    def onward(self) -> dict[str, Self]: ...

    def happened(self, token: str, after: Self) -> dict[str, bool]: ...

    def state(self) -> dict[str, Any]: ...


Tally = list[Counter[str]]
"""Return for one action, for two and so on the number of sequences, and how often the last action did what."""
Seen = dict[tuple[object, int], Tally]
"""Known results for a position; its key holds everything the referee knows about it."""


def tally(position: Position, depth: int, seen: Seen) -> Tally:
    """Count the sequences of one action, of two, and so on up to `depth`."""
    key = frozen(vars(position)), depth
    if key not in seen:
        seen[key] = _tally(position, depth, seen)
    return seen[key]


def _tally(position: Position, depth: int, seen: Seen) -> Tally:
    found: Tally = [Counter() for _ in range(depth)]
    for token, after in position.onward().items():
        found[0][SEQUENCES] += 1
        found[0].update(position.happened(token, after))
        if depth > 1:
            for own, further in zip(found[1:], tally(after, depth - 1, seen), strict=True):
                own.update(further)
    return found


def divided(position: Position, depth: int, seen: Seen) -> dict[str, int]:
    """Return for every first action the number of sequences of `depth` beginning with it."""
    return {
        token: tally(after, depth - 1, seen)[-1][SEQUENCES] if depth > 1 else 1
        for token, after in position.onward().items()
    }


def frozen(value: object) -> object:
    """Return a hashable, comparable form of any value."""
    match value:
        case dict():
            return frozenset((key, frozen(held)) for key, held in value.items())
        case list() | tuple():
            return tuple(map(frozen, value))
        case set():
            return frozenset(value)
        case str() | int() | None:
            return value
    return frozen(vars(value))
