"""How well a colony of Atta Ants stands: its ants, leaves on their way to the nest, and the spiders around."""

from functools import lru_cache
from typing import Final

from engine.atta_ants.board import NEST, NOWHERE, Board, distances
from engine.atta_ants.state import COLONY, State, in_play
from engine.ruleset import standing

_ANT: Final = 60.0
_EATEN: Final = 1.0
"""What an ant in play is worth, and what an ant eaten costs that is not in play any more."""
_LADEN, _HOMEWARDS = 45.0, 10.0
"""What a leaf carried is worth, and what each move on its way to the nest takes from it."""
_SEEKING, _ON_THE_WAY = 14.0, 4.0
"""The same of an ant without a leaf and the nearest leaf that lies somewhere."""
_DANGER: Final = (0.0, 70.0, 8.0, 1.0)
"""What it costs to be so many steps away from a spider."""
_LAST: Final = (1.0, 1.5, 1.2)
"""How much more that costs a colony with so many ants in play, or with more: it is out without one."""
_CROWD: Final = 20.0
"""What each other ant on the same card costs, for spiders head for crowds."""
_FAR: Final = 9


def evaluate(state: State, letter: str) -> float:
    """Return how much better a colony stands than the others on average."""
    seats = state.table.seats
    seat = seats.index(letter)
    if state.outcome is not None:
        return standing(state.outcome.placements, seat)
    worths = _worths(state)
    return worths[seat] - (sum(worths) - worths[seat]) / (len(seats) - 1)


@lru_cache(maxsize=1 << 8)
def _moves_home(board: Board) -> tuple[int, ...]:
    """Return how many moves it is from each slot to the nest: a step to any side, or two along a trail."""
    moves, queue = [_FAR] * len(board.cells), [NEST]
    moves[NEST] = 0
    for slot in queue:
        for side, between in enumerate(board.near[slot]):
            if between == NOWHERE:
                continue
            along = [
                other
                for turn, other in enumerate(board.near[between])
                if other != NOWHERE and between != NEST and board.trails[between][side ^ 2] >> turn & 1
                and board.trails[slot][side] and board.trails[other][turn ^ 2]
            ]  # fmt: skip
            for reached in (between, *along):
                if moves[reached] == _FAR and reached != NEST:
                    moves[reached] = moves[slot] + 1
                    queue.append(reached)
    return tuple(moves)


def _worths(state: State) -> list[float]:
    """Return the worth of each colony by itself."""
    board, ants, everything = state.board, state.ants, range(len(state.board.cells))
    lying = [slot for slot, count in enumerate(state.leaves) if count]
    to_leaf = distances(board, lying, everything) if lying else [_FAR] * len(board.cells)
    to_spider = distances(board, state.spiders, everything) if state.spiders else [_FAR] * len(board.cells)
    home, worths = _moves_home(board), [-_EATEN * eaten for eaten in state.eaten]
    for ant, slot in enumerate(ants):
        if slot == NOWHERE:
            continue
        worth = _ANT
        if state.laden >> ant & 1:
            worth += _LADEN - _HOMEWARDS * home[slot]
        elif slot != NEST:
            worth += _SEEKING - _ON_THE_WAY * max(0, to_leaf[slot])
        if slot != NEST:
            near, left = to_spider[slot], in_play(state, ant // COLONY)
            danger = _DANGER[near] if 0 <= near < len(_DANGER) else 0.0
            worth -= _CROWD * (ants.count(slot) - 1) + danger * (_LAST[left] if left < len(_LAST) else 1.0)
        worths[ant // COLONY] += worth
    return worths


__all__ = ["evaluate"]
