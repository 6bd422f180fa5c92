"""Which action of Atta Ants somebody meant who touched what cannot be touched."""

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from engine.atta_ants.board import KINDS, NEST, NOWHERE, ROTATIONS, SIDES, STEP, Cell
from engine.atta_ants.notation import parse_action
from engine.atta_ants.rules import play, step
from engine.atta_ants.rules.refusals import not_beside, too_far
from engine.atta_ants.state import ANT_NAMES, ANTS, PLACE, SPIDERS, State, cell_name
from engine.touches import CHOICE, Meant

_MOST_STEPS: Final = 2
_PLACE: Final = re.compile(r"(?:card|leaf|place):(-?[0-9]{1,2}),(-?[0-9]{1,2})(?::[a-z0-9]+)?")
_CARD: Final = f"{CHOICE}card:"


def meant(state: State, before: Sequence[str], target: str, drawn: str | None) -> Iterator[Meant]:
    """Yield the actions that may have been meant, the likeliest first, or why nothing can be meant.

    :param before: what was touched before: an ant or a spider and its way, or a card.
    """
    cell = _cell_of(state, target)
    first = before[0] if before and _is_piece(before[0]) and _cell_of(state, before[0]) else ""
    if state.phase == PLACE:
        if cell is None or _is_piece(target):
            yield f"{state.table.ant_name(0)}:N"
        else:
            yield f"{_card(state, before, drawn)}@{cell_name(cell)}"
    elif state.phase == ANTS and first in ANT_NAMES and cell is not None and not _is_sister(first, target):
        yield from _of_walk(state, before, target, cell)
    elif state.phase == SPIDERS and first[:1] == "S" and cell is not None and not _is_piece(target):
        yield from _of_spider(state, first, cell)
    elif _is_piece(target):
        yield from (f"{target}:{side}" for side in SIDES)
    elif cell is not None:
        yield f"{_card(state, before, drawn)}@{cell_name(cell)}"


def _is_piece(target: str) -> bool:
    return target in ANT_NAMES or (target[:1] == "S" and target[1:].isdecimal())


def _cell_of(state: State, target: str) -> Cell | None:
    """Return the cell on which something lies or stands; none for what is nowhere on the board."""
    if place := _PLACE.fullmatch(target):
        return int(place[1]), int(place[2])
    slot = NOWHERE
    if target == "nest":
        slot = NEST
    elif target in ANT_NAMES:
        slot = state.ants[state.table.ants[target]] if target in state.table.ants else NOWHERE
    elif _is_piece(target):
        slot = next(iter(state.spiders[int(target[1:]) - 1 :]), NOWHERE)
    return None if slot == NOWHERE else state.board.cells[slot]


def _card(state: State, before: Sequence[str], drawn: str | None) -> str:
    """Return the card in hand; where none is known yet, one that may come."""
    named = next((touch.removeprefix(_CARD) for touch in before if touch.startswith(_CARD)), drawn)
    if named:
        return named
    kinds = [KINDS[letter] for letter in state.stock] if state.table.by_code else list(ROTATIONS)
    return ROTATIONS[(kinds or list(ROTATIONS))[0]][0].code


# Ants and spiders


def _of_walk(state: State, before: Sequence[str], target: str, cell: Cell) -> Iterator[Meant]:
    """Yield what an ant may have been meant to do that has gone a part of its way."""
    ant, at, parts, steps = before[0], state.board.cells[state.ants[state.table.ants[before[0]]]], list[str](), 0
    for touch in before[1:]:
        to = _cell_of(state, touch)
        if touch in ANT_NAMES:
            parts.append(f"x{touch}")
        elif to is not None:
            parts.append(_ways(state, f"{ant}:{''.join(parts)}", at, to)[0])
            steps, at = steps + len(parts[-1]), to
        elif parts and touch[len(CHOICE) :][:1] in SIDES:
            parts[-1:] = [touch.removeprefix(CHOICE)]  # which way to the card touched before
        else:
            parts.append(touch.removeprefix(CHOICE))
    yield from _from(state, f"{ant}:{''.join(parts)}", at, cell, left=_MOST_STEPS - steps, target=target)


def _from(state: State, begun: str, at: Cell, cell: Cell, *, left: int, target: str) -> Iterator[Meant]:
    """Yield how a move that is written so far may have been meant to go on to a cell."""
    ant = begun.partition(":")[0]
    away = abs(cell[0] - at[0]) + abs(cell[1] - at[1])
    if away == 0:
        yield from (f"{begun}x{target}",) if target in ANT_NAMES and target != ant else ()
        yield from (f"{begun}+", f"{begun}-")
    elif away > left:
        yield too_far(ant, cell)
    else:
        yield from (f"{begun}{way}" for way in _ways(state, begun, at, cell))


def _ways(state: State, begun: str, begin: Cell, end: Cell) -> list[str]:
    """Return the shortest ways to a cell as sides; first those that can be gone, or begun."""
    across, along = end[0] - begin[0], end[1] - begin[1]
    sides = "EW"[across < 0] * abs(across) + "NS"[along < 0] * abs(along)
    ways = sorted({"".join(way) for way in permutations(sides[:_MOST_STEPS])})
    return sorted(ways, key=lambda way: [not _is_legal(state, f"{begun}{way[:most]}") for most in (2, 1)])


def _is_legal(state: State, token: str) -> bool:
    return bool(play(state, (step(parse_action(token)),)).plies)


def _is_sister(ant: str, other: str) -> bool:
    return other in ANT_NAMES and other[0] == ant[0] and other != ant


def _of_spider(state: State, spider: str, cell: Cell) -> Iterator[Meant]:
    x, y = state.board.cells[state.spiders[int(spider[1:]) - 1]]
    for side, (dx, dy) in zip(SIDES, STEP, strict=True):
        if (x + dx, y + dy) == cell:
            yield f"{spider}:{side}"
            return
    yield not_beside(int(spider[1:]), cell)


__all__ = ["meant"]
