"""How good a position of Atta Ants is for a colony: its ants, leaves on their way to the nest, and nearby spiders."""

from typing import Final

from engine.atta_ants.board import NEST, NOWHERE, Board, distances
from engine.atta_ants.state import COLONY, State
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
    """Return the colony's lead over the average of the others."""
    seats = state.table.seats
    seat = seats.index(letter)
    if state.outcome is not None:
        return standing(state.outcome.placements, seat)
    worths = _worths(state)
    return worths[seat] - (sum(worths) - worths[seat]) / (len(seats) - 1)


def _moves_home(board: Board) -> list[int]:
    """Return the number of moves from each slot to the nest: one step in any direction, or two along a trail."""
    moves, queue = [_FAR] * len(board.cells), [NEST]
    moves[NEST] = 0
    for slot in queue:
        further = moves[slot] + 1
        for side, between in enumerate(board.around(slot)):
            if between == NOWHERE:
                continue
            reached = [between] if between == NEST else _along(board, slot, side, between)
            for each in reached:
                if moves[each] == _FAR:
                    moves[each] = further
                    queue.append(each)
    return moves


def _along(board: Board, slot: int, side: int, between: int) -> list[int]:
    """Return the slot on one side of a slot, and the slots that an ant reaches from there along the same trail."""
    found = [between]
    cards = board.cards
    if cards[slot].joined[side]:
        onwards = cards[between].joined[side ^ 2]
        for turn, other in enumerate(board.around(between)):
            if other != NOWHERE and onwards >> turn & 1 and cards[other].joined[turn ^ 2]:
                found.append(other)
    return found


class _Ground:
    """A board and its distances, shared by many positions of a search."""

    __slots__ = ("board", "home", "steps")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.home = _moves_home(board)
        self.steps = dict[tuple[int, ...], list[int]]()

    def steps_to(self, targets: tuple[int, ...]) -> list[int]:
        """Return the number of steps from each slot to the nearest target, never through the nest."""
        found = self.steps.get(targets)
        if found is None:
            slots = range(len(self.home))
            found = self.steps[targets] = distances(self.board, targets, slots) if targets else [_FAR] * len(slots)
        return found


_GROUNDS: Final[dict[int, _Ground]] = {}
"""By the ids of their boards, for to hash a board takes longer than all the rest. They hold their boards, so no id is
another's."""
_MOST_GROUNDS: Final = 256


def _ground(board: Board) -> _Ground:
    found = _GROUNDS.get(id(board))
    if found is None or found.board is not board:
        if len(_GROUNDS) >= _MOST_GROUNDS:
            _GROUNDS.clear()
        found = _GROUNDS[id(board)] = _Ground(board)
    return found


def _worths(state: State) -> list[float]:
    """Return the worth of each colony on its own."""
    ground, ants, laden = _ground(state.board), state.ants, state.laden
    home, to_spider = ground.home, ground.steps_to(state.spiders)
    to_leaf = ground.steps_to(tuple([slot for slot, count in enumerate(state.leaves) if count]))
    crowds, in_play = [0] * len(home), [0] * len(state.eaten)
    for ant, slot in enumerate(ants):
        if slot != NOWHERE:
            crowds[slot] += 1
            in_play[ant // COLONY] += 1
    worths = [-_EATEN * eaten for eaten in state.eaten]
    for ant, slot in enumerate(ants):
        if slot == NOWHERE:
            continue
        seat, worth = ant // COLONY, _ANT
        if laden >> ant & 1:
            worth += _LADEN - _HOMEWARDS * home[slot]
        elif slot != NEST:
            worth += _SEEKING - _ON_THE_WAY * max(0, to_leaf[slot])
        if slot != NEST:
            near, left = to_spider[slot], in_play[seat]
            danger = _DANGER[near] if 0 <= near < len(_DANGER) else 0.0
            worth -= _CROWD * (crowds[slot] - 1) + danger * (_LAST[left] if left < len(_LAST) else 1.0)
        worths[seat] += worth
    return worths


__all__ = ["evaluate"]
