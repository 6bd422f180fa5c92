"""Which action of Army Ants somebody meant who touched what cannot be touched."""

from collections.abc import Iterator, Sequence

from engine.army_ants.board import CELLS, NAMES, NOTHING, SIDES, WIDTH, further, place_of
from engine.army_ants.rules.refusals import not_straight, one_attacks
from engine.army_ants.scene.names import name_of
from engine.army_ants.state import SETUP, State
from engine.touches import Meant


def meant(state: State, before: Sequence[str], target: str, _: str | None) -> Iterator[Meant]:
    """Yield the actions that may have been meant, the likeliest first, or why nothing can be meant.

    :param before: the card that was touched before, or both ends of a run.
    """
    cell = _cell_of(state, target)
    cells = [found for found in (_cell_of(state, touch) for touch in before) if found is not None]
    if cell is None or cell in cells:
        return
    if not cells:
        sides = sorted(range(len(SIDES)), key=lambda side: further(cell, side, 1) is None)
        yield from (f"{NAMES[cell]}{SIDES[side]}1" for side in sides)
    elif len(cells) > 1:
        yield _of_run(state, cells, cell)
    else:
        yield _of_card(state, cells[0], cell)


def _cell_of(state: State, target: str) -> int | None:
    """Return the cell of a target; none for what is nowhere on the board."""
    if target.startswith("cell:"):
        return CELLS.get(target.removeprefix("cell:"))
    lying = (cell for cell, card in enumerate(state.cards) if card != NOTHING and name_of(card) == target)
    return next(lying, None)


def _of_card(state: State, start: int, cell: int) -> Meant:
    if state.held[state.seat] >> cell & 1:
        one, other = sorted((start, cell), key=place_of)
        return f"{NAMES[one]}~{NAMES[other]}"
    if state.cards[cell] != NOTHING:
        return f"{NAMES[start]}x{NAMES[cell]}"
    way = _way(start, cell)
    if state.phase == SETUP and way:
        return f"{NAMES[start]}{way}"
    return f"{NAMES[start]}>{NAMES[cell]}"


def _of_run(state: State, ends: Sequence[int], cell: int) -> Meant:
    if state.cards[cell] != NOTHING:
        return one_attacks()
    first, last = min(ends), max(ends)
    ways = [way for way in (_way(end, cell) for end in (last, first)) if way]
    return f"{NAMES[first]}-{NAMES[last]}{min(ways)}" if ways else not_straight(cell)


def _way(start: int, end: int) -> str:
    """Return the side and the steps that lead straight to a cell; nothing where none do."""
    across, along = end % WIDTH - start % WIDTH, end // WIDTH - start // WIDTH
    if across and along:
        return ""
    side = ("W" if across < 0 else "E") if across else ("S" if along < 0 else "N")
    return f"{side}{abs(across or along)}"


__all__ = ["meant"]
