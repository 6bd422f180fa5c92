"""Openings of Ant Trails: where ants are laid turn by turn, the same for every rotated or mirrored board."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.ant_trails.board import CELLS, NAMES
from engine.ant_trails.likeness import SYMMETRIES
from engine.ant_trails.state import SEATS, player
from engine.openings import OpeningParts, OpeningStep
from engine.words import Words, listed, words

_MOST: Final = 6
"""Turns that belong to the opening."""
_ANTS: Final = 2
"""The most that are laid in a turn."""
_KEPT: Final = 1 << 13
"""Turns that a process remembers."""
_END, _PASS, _JOINT = "/", "pass", "-"
_NUMBERS: Final = {NAMES[cell]: cell for cell in CELLS}
_ALL: Final = tuple(range(len(SYMMETRIES)))


def _steps(_tags: Mapping[str, str], tokens: Sequence[str]) -> list[OpeningStep]:
    """Return the opening: the cells of whole turns; neither the order within a turn nor tiles matter.

    Of all ways to see the board, the one is taken in which the cells come first, turn by turn.
    """
    found, laid, views = list[OpeningStep](), list[int](), _ALL
    for ply, token in enumerate(tokens, start=1):
        cell = _NUMBERS.get(token)
        if cell is not None:
            laid.append(cell)
        elif token in (_END, _PASS):
            name, views = _turn(views, tuple(sorted(laid)))
            found.append((name, ply))
            if len(found) == _MOST:
                break
            laid.clear()
    return found


@lru_cache(maxsize=_KEPT)
def _turn(views: tuple[int, ...], laid: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """Return how a turn is written, and in which of some views it is written so."""
    if not laid:
        return _PASS, views
    seen = {view: sorted([SYMMETRIES[view].cells[cell] for cell in laid]) for view in views}
    first = min(seen.values())
    return _JOINT.join([NAMES[cell] for cell in first]), tuple([view for view in views if seen[view] == first])


def _sentence(path: Sequence[str]) -> Words:
    """Say where the ants of the last turn are laid."""
    views = _ALL
    for name in path:
        cells = [] if name == _PASS else name.split(_JOINT)
        if len(path) > _MOST or len(cells) > _ANTS or not all(cell in _NUMBERS for cell in cells):
            raise ValueError(path)
        again, views = _turn(views, tuple(sorted(_NUMBERS[cell] for cell in cells)))
        if again != name:  # as seen from another side
            raise ValueError(path)
    who = player((len(path) - 1) % len(SEATS))
    if path[-1] == _PASS:
        return words("{player} passes", player=who)
    laid = path[-1].split(_JOINT)
    if len(laid) == 1:
        return words("{player} places an ant on {cell}", player=who, cell=laid[0])
    return words("{player} places ants on {cells}", player=who, cells=listed(laid))


OPENINGS: Final = OpeningParts(
    about=words(
        "Grouped by where ants are placed in the first six turns. "
        "Rotated and mirrored boards count together; tiles and the order within a turn make no difference."
    ),
    steps=_steps,
    sentence=_sentence,
)

__all__ = ["OPENINGS"]
