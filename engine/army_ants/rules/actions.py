"""What the actions of Army Ants do, where they are legal, and how a game ends."""

from collections.abc import Callable, Iterator
from typing import Any

from engine.army_ants.board import BLACK, FRONT, GAP, HOME, NOTHING, QUEEN, RANK, RED, STEP, queen_of
from engine.army_ants.rules import refusals
from engine.army_ants.rules.candidates import candidates, smallest
from engine.army_ants.state import (
    BATTLE,
    OVER,
    SETUP,
    SETUP_ACTIONS,
    SHARED,
    Action,
    Attack,
    Gambit,
    March,
    MoveOut,
    Pass,
    State,
    Swap,
)
from engine.ruleset import Outcome, accepted
from engine.words import marked

_TIMES = 4
"""How often a series of actions makes a draw (ARMY-END-3)."""
_SHORTEST_SERIES = 2
_DEALT = (HOME[RED] & ~(1 << GAP[RED]), HOME[BLACK] & ~(1 << GAP[BLACK]))
"""The cells that hold each colony's cards at first (ARMY-SETUP-1)."""
_make = tuple.__new__


def start(cards: bytes) -> State:
    """The position before the first action."""
    return State(
        cards=cards, held=_DEALT, phase=SETUP, seat=RED, pair=1, done=(0, 0),
        older="", recent="", outcome=None,
    )  # fmt: skip


# Actions


def apply(state: State, action: Action) -> State:
    """The position after an action. :raises IllegalMoveError: with the rule that forbids it here."""
    return _APPLY[type(action)](state, action)


def _swap(state: State, action: Swap) -> State:
    one, other, cells, sign = action
    if state.held[state.seat] & cells != cells or state.phase == OVER:
        raise refusals.of_swap(state, action)
    cards = bytearray(state.cards)
    cards[one], cards[other] = cards[other], cards[one]
    return _turn(state, bytes(cards), state.held, sign)


def _march(state: State, action: March) -> State:
    run, side, steps, cells, path, landed, sign = action
    held, seat, phase = state.held, state.seat, state.phase
    own, beyond = held[seat], landed & ~HOME[seat]
    if own & cells != cells or (held[RED] | held[BLACK]) & path or (beyond and phase == SETUP) or phase == OVER:
        raise refusals.of_march(state, action)
    before, shift = state.cards, STEP[side] * steps
    cards = bytearray(before)
    for cell in run:
        cards[cell] = NOTHING
    for cell in run:
        cards[cell + shift] = before[cell]
    own ^= cells ^ landed
    return _turn(state, bytes(cards), (held[RED], own) if seat else (own, held[BLACK]), sign)


def _move_out(state: State, action: MoveOut) -> State:
    begin, end, by_row, by_column, sign = action
    held, seat = state.held, state.seat
    own, everybody = held[seat], held[RED] | held[BLACK]
    if not own >> begin & 1 or (everybody & by_row and everybody & by_column) or state.phase != BATTLE:
        raise refusals.of_move_out(state, action)
    cards = bytearray(state.cards)
    cards[end], cards[begin] = cards[begin], NOTHING
    own ^= 1 << begin | 1 << end
    return _turn(state, bytes(cards), (held[RED], own) if seat else (own, held[BLACK]), sign)


def _attack(state: State, action: Attack) -> State:
    begin, end, path, sign = action
    held, seat, before = state.held, state.seat, state.cards
    own, theirs = held[seat], held[1 - seat]
    attacker = before[begin]
    strength, value = RANK[attacker], RANK[before[end]]
    if not own >> begin & theirs >> end & 1 or (own | theirs) & path or state.phase != BATTLE:
        raise refusals.of_attack(state, action)
    if strength < value or strength == QUEEN:
        raise refusals.of_attack(state, action)
    cards = bytearray(before)
    cards[begin] = NOTHING
    cards[end] = attacker if strength > value else NOTHING
    own ^= 1 << begin | (1 << end if strength > value else 0)
    theirs ^= 1 << end
    ended = "ARMY-END-1" if value == QUEEN else "" if own & own - 1 or theirs & theirs - 1 else "ARMY-END-2"
    return _turn(state, bytes(cards), (theirs, own) if seat else (own, theirs), sign, ended)


def _gambit(state: State, _: Gambit) -> State:
    seat, gap = state.seat, GAP[state.seat]
    queen = state.cards.find(queen_of(seat))
    if state.phase != SETUP or state.done[seat] or not FRONT[seat] >> queen & 1:
        raise refusals.of_gambit(state)
    cards = bytearray(state.cards)
    cards[gap], cards[queen] = cards[queen], NOTHING
    own = state.held[seat] ^ (1 << queen | 1 << gap)
    return _setup_turn(state, bytes(cards), (state.held[RED], own) if seat else (own, state.held[BLACK]), SETUP_ACTIONS)


def _pass(state: State, action: Pass) -> State:
    if state.phase != BATTLE or any(True for _ in accepted(apply, state, smallest(state))):
        raise refusals.of_pass(state)
    return _turn(state, state.cards, state.held, action.sign)


# What follows an action


def _turn(state: State, cards: bytes, held: tuple[int, int], sign: str, ended: str = "") -> State:
    """The state in which the other colony acts, or the game is over."""
    _, _, phase, seat, pair, done, older, recent, _ = state
    if phase == SETUP:
        return _setup_turn(state, cards, held, done[seat] + 1)
    recent += sign
    if len(recent) == SHARED:
        older, recent = older + recent, ""
    if not ended and _is_repeated(older + recent):
        ended = "ARMY-END-3"
    if ended:
        return _make(State, (cards, held, OVER, seat, pair, done, older, recent, _ending(ended, seat)))
    return _make(State, (cards, held, BATTLE, 1 - seat, pair + seat, done, older, recent, None))


def _setup_turn(state: State, cards: bytes, held: tuple[int, int], made: int) -> State:
    """The state after a setup action: a colony that is done is skipped, and when both are the battle begins."""
    seat = state.seat
    done = (state.done[RED], made) if seat else (made, state.done[BLACK])
    phase = BATTLE if min(done) == SETUP_ACTIONS else SETUP
    following = RED if phase == BATTLE else 1 - seat if done[1 - seat] < SETUP_ACTIONS else seat
    pair = state.pair + (following in (RED, seat))
    return state._replace(cards=cards, held=held, phase=phase, seat=following, pair=pair, done=done)


def _ending(rule: str, winner: int) -> Outcome:
    """How the game ended: with the queen somebody has won, else nobody (ARMY-RANK-1)."""
    if rule != "ARMY-END-1":
        return _outcome(rule, (1, 1))
    return _outcome(rule, (2, 1) if winner else (1, 2))


def _outcome(rule: str, placements: tuple[int, int]) -> Outcome:
    return Outcome(placements, rule, _REASONS[rule, placements])


def _is_repeated(signs: str) -> bool:
    """Whether the last signs are a block of an even number of them written four times (ARMY-END-3).

    Blocks shorter than `block` are ruled out. Three blocks of any that is left must stand at the end and once more as
    far back as that block is long: the nearest such place is the shortest that it can be. As places that are near to
    each other would have made a series of four before, the block about doubles from step to step.
    """
    block = _SHORTEST_SERIES
    while _TIMES * block <= len(signs):
        tail = (_TIMES - 1) * block
        found = signs.rfind(signs[-tail:], 0, len(signs) - block)
        if found < 0:
            return False
        back = len(signs) - tail - found
        if back == block:
            return True
        block = back + back % 2
    return False


def leave(state: State) -> State:
    """The position after the colony to act has resigned or run out of time: the other one wins (AGN-ADMIN-1)."""
    return state._replace(phase=OVER, outcome=_outcome("AGN-ADMIN-1", (1, 2) if state.seat else (2, 1)))


def agree_draw(state: State) -> State:
    """The position after both agreed on a draw (AGN-ADMIN-2)."""
    return state._replace(phase=OVER, outcome=_outcome("AGN-ADMIN-2", (1, 1)))


_REASONS = {
    ("ARMY-END-1", (1, 2)): marked("The black queen is taken."),
    ("ARMY-END-1", (2, 1)): marked("The red queen is taken."),
    ("ARMY-END-2", (1, 1)): marked("Only the two queens are left."),
    ("ARMY-END-3", (1, 1)): marked("The same series of actions was made four times in succession."),
    ("AGN-ADMIN-1", (1, 2)): marked("Black left the game."),
    ("AGN-ADMIN-1", (2, 1)): marked("Red left the game."),
    ("AGN-ADMIN-2", (1, 1)): marked("The players agreed on a draw."),
}


# Enumeration: candidates in a fixed order, judged by `apply` alone, so that legality is written once


def legal_actions(state: State) -> Iterator[Action]:
    """Every action that `apply` accepts here, administrative ones left out."""
    return accepted(apply, state, candidates(state))


_APPLY: dict[type, Callable[[State, Any], State]] = {
    Swap: _swap,
    March: _march,
    MoveOut: _move_out,
    Attack: _attack,
    Gambit: _gambit,
    Pass: _pass,
}
