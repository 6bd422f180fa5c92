"""How good a position of Atta Ants is for a colony: its ants, leaves on their way to the nest, and nearby spiders.

What an ant risks depends on who moves first: a player who still has a turn before the spiders can walk away from them,
and the player who has the next turn can take a leaf that others carry.
"""

from typing import Final

from engine.atta_ants.board import NEST, NOWHERE, Board, distances
from engine.atta_ants.state import ANTS, COLONY, PLACE, State
from engine.ruleset import standing

_ANT: Final = 60.0
_EATEN: Final = 1.0
"""What an ant in play is worth, and what an ant eaten costs that is not in play any more."""
_LADEN, _HOMEWARDS = 50.0, 9.0
"""What a leaf carried is worth, and what each move on its way to the nest takes from it."""
_ROBBED: Final = 0.3
"""How much of that counts where another colony's ant can take the leaf before this one moves again."""
_SEEKING, _ON_THE_WAY = 14.0, 4.0
"""The same of an ant without a leaf and the nearest leaf that lies somewhere."""
_DANGER: Final[tuple[float, ...]] = (0.0, 70.0, 8.0, 1.0)
"""What it costs to be so many steps away from a spider."""
_WARY: Final = 0.15
"""How much of that, and of a crowd, counts for an ant that may still move before the spiders do."""
_TRAPPED: Final = 0.8
"""The same where no move leads out of the reach of spiders."""
_LAST: Final[tuple[float, ...]] = (1.0, 1.5, 1.2)
"""How much more that costs a colony with so many ants in play, or with more: it is out without one."""
_RACE: Final[tuple[float, ...]] = (0.0, 0.0, 0.0, 0.0, 10.0, 40.0, 250.0)
"""What is added for a colony with so many ants in play: with six it ends the game."""
_NEXT_ANT: Final[tuple[float, ...]] = (1.0, 1.0, 1.0, 1.0, 1.3, 2.0, 0.5)
"""How much more a leaf counts that a colony with so many ants in play carries."""
_CROWD: Final = 20.0
"""What each other ant on the same card costs, for spiders head for crowds."""
_FAR: Final = 9
_ALL: Final = (1 << COLONY) - 1


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


def _within_a_move(board: Board, slot: int) -> int:
    """Return the slots that an ant reaches in one move, and its own, as bits."""
    reached = 1 << slot
    for side, between in enumerate(board.around(slot)):
        if between != NOWHERE:
            for each in _along(board, slot, side, between):
                reached |= 1 << each
    return reached


def _escapes(board: Board, slot: int, spiders: tuple[int, ...], safe: list[bool]) -> bool:
    """Return whether one move leads from a slot to a safe one."""
    for side, between in enumerate(board.around(slot)):
        if between != NOWHERE and between not in spiders:
            for each in _along(board, slot, side, between):
                if safe[each]:
                    return True
    return False


class _Ground:
    """A board and its distances, shared by many positions of a search."""

    __slots__ = ("board", "escapes", "home", "reached_from", "steps")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.home = _moves_home(board)
        self.steps = dict[tuple[int, ...], list[int]]()
        self.escapes = dict[tuple[int, ...], int]()
        self.reached_from = [_within_a_move(board, slot) for slot in range(len(board.cells))]

    def steps_to(self, targets: tuple[int, ...]) -> list[int]:
        """Return the number of steps from each slot to the nearest target, never through the nest."""
        found = self.steps.get(targets)
        if found is None:
            slots = range(len(self.home))
            found = self.steps[targets] = distances(self.board, targets, slots) if targets else [_FAR] * len(slots)
        return found

    def escapes_from(self, spiders: tuple[int, ...]) -> int:
        """Return the slots from which one move leads out of the spiders' reach, as bits."""
        found = self.escapes.get(spiders)
        if found is None:
            safe = [slot == NEST or not 0 <= far <= 1 for slot, far in enumerate(self.steps_to(spiders))]
            found = 0
            for slot in range(len(safe)):
                found |= _escapes(self.board, slot, spiders, safe) << slot
            self.escapes[spiders] = found
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


def _movable(state: State) -> int:
    """Return the ants that may still move before the spiders do, as bits."""
    if state.phase == PLACE:
        return -1
    movable = 0
    if state.phase == ANTS:
        for seat in state.queue:
            movable |= _ALL << seat * COLONY
    return movable & ~state.moved


def _turns_until(state: State, movable: int) -> list[int]:
    """Return for each ant after how many turns of colonies it may move next."""
    table, first, queue = state.table, state.first, state.queue
    seats = len(table.seats)
    if state.phase == PLACE:
        queue = table.orders[first]
    following = table.orders[(first + 1) % seats]
    turns = list[int]()
    for seat in range(seats):
        now = queue.index(seat) if seat in queue else _FAR
        later = len(queue) + following.index(seat)
        for ant in range(seat * COLONY, seat * COLONY + COLONY):
            turns.append(now if movable >> ant & 1 else later)
    return turns


def _may_be_robbed(state: State, ground: _Ground, turns: list[int], ant: int) -> bool:
    """Return whether another colony's ant can take the leaf of an ant before that moves again (ATTA-LEAF-4)."""
    reaching, colony, until = ground.reached_from[state.ants[ant]], ant // COLONY, turns[ant]
    for other, slot in enumerate(state.ants):
        near = slot > NEST and reaching >> slot & 1
        if near and turns[other] < until and other // COLONY != colony and not state.laden >> other & 1:
            return True
    return False


def _worths(state: State) -> list[float]:
    """Return the worth of each colony on its own."""
    ground, ants, movable = _ground(state.board), state.ants, _movable(state)
    to_leaf = ground.steps_to(tuple([slot for slot, count in enumerate(state.leaves) if count]))
    turns, crowds, in_play = _turns_until(state, movable), [0] * len(to_leaf), [0] * len(state.eaten)
    for ant, slot in enumerate(ants):
        if slot != NOWHERE:
            crowds[slot] += 1
            in_play[ant // COLONY] += 1
    worths = [_RACE[count] - _EATEN * eaten for count, eaten in zip(in_play, state.eaten, strict=True)]
    for ant, slot in enumerate(ants):
        seat, worth, may_move = ant // COLONY, _ANT, movable >> ant & 1
        if slot > NEST:
            moves, near = state.deck + may_move, ground.steps_to(state.spiders)[slot]
            if state.laden >> ant & 1:
                robbed = _may_be_robbed(state, ground, turns, ant)
                worth += _of_leaf(ground.home[slot], moves, may_be_robbed=robbed) * _NEXT_ANT[in_play[seat]]
            else:
                worth += _of_seeking(to_leaf[slot], moves)
            risk = _risk(near, crowds[slot], in_play[seat])
            if may_move:
                risk *= _WARY if ground.escapes_from(state.spiders) >> slot & 1 else _TRAPPED
            worth -= risk
        if slot >= NEST:
            worths[seat] += worth
    return worths


def _of_leaf(home: int, moves: int, *, may_be_robbed: bool) -> float:
    """Return the worth of a leaf that is carried, so many moves from the nest, by an ant with so many moves left."""
    if home > moves:
        return 0.0
    worth = _LADEN - _HOMEWARDS * home
    return worth * _ROBBED if may_be_robbed else worth


def _of_seeking(to_leaf: int, moves: int) -> float:
    """Return the worth of being so many steps from the nearest leaf that lies somewhere."""
    return _SEEKING - _ON_THE_WAY * max(0, to_leaf) if to_leaf < moves + moves else 0.0


def _risk(to_spider: int, crowd: int, in_play: int) -> float:
    """Return what it costs to be so near to a spider, and on a card with so many ants."""
    danger = _DANGER[to_spider] if 0 <= to_spider < len(_DANGER) else 0.0
    return _CROWD * (crowd - 1) + danger * (_LAST[in_play] if in_play < len(_LAST) else 1.0)


__all__ = ["evaluate"]
