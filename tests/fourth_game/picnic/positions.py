"""When two positions of Picnic are the same: also seen from the other side."""

from collections.abc import Hashable, Iterator

from engine.positions import PositionParts, Weights

from .state import State


def _marks(state: State) -> Iterator[str]:
    """Yield what lies on each plate, counted from both ends of the row."""
    last = len(state.crumbs) - 1
    for plate, crumbs in enumerate(state.crumbs):
        yield f"{plate} {last - plate} crumbs{crumbs}"
    for seat, ants in enumerate(state.ants):
        yield from (f"{plate} {last - plate} ant{seat}" for plate in ants)


def _beside(state: State) -> tuple[Hashable]:
    return ((len(state.seats), state.outcome is not None or state.seat, state.eaten, state.left),)


def _same(mark: str) -> str:
    return mark


def _other_way(mark: str) -> str:
    begin, end, what = mark.split(" ")
    return f"{end} {begin} {what}"


POSITIONS = PositionParts(weights=Weights((_same, _other_way)), marks=_marks, beside=_beside)

__all__ = ["POSITIONS"]
