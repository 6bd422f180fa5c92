"""What the actions of Army Ants do, when they are legal, and how a game ends."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine.army_ants.board import BLACK, EVERYWHERE, FRONT, GAP, HOME, NOTHING, QUEEN, RANK, RED, queen_of, reached
from engine.army_ants.rules import refusals
from engine.army_ants.rules.candidates import all_attacks, attacks_on, candidates, smallest
from engine.army_ants.rules.steps import ATTACK, GAMBIT, ROAM, RUN, SLOTS, SWAP, WALK, Step, step
from engine.army_ants.state import BATTLE, OVER, SEATS, SETUP, SETUP_ACTIONS, SHARED, Action, Attack, State
from engine.ruleset import Outcome, Termination
from engine.steps import Played
from engine.words import words

if TYPE_CHECKING:
    from mypy_extensions import i64

_TIMES: Final = 4
"""How often a series of actions makes a draw (ARMY-END-3)."""
_SHORTEST_SERIES = 2
_FEW: Final = 8
"""Up to so many actions at once, their repetition is looked for in all signs instead of counting beforehand."""
_DEALT = (HOME[RED] & ~(1 << GAP[RED]), HOME[BLACK] & ~(1 << GAP[BLACK]))
"""The cells that hold each colony's cards at first (ARMY-SETUP-1)."""
_make = tuple.__new__
A = TypeVar("A", bound=Action)


def start(cards: bytes) -> State:
    """Return the position before the first action."""
    return _make(State, (cards, _DEALT, SETUP, RED, 1, (0, 0), "", "", None))


# Actions


def apply(state: State, action: Action) -> State:
    """Return the position after an action. :raises IllegalMoveError: with the rule that forbids it here."""
    played = play(state, (step(action),))
    if not played.plies:
        raise refusals.of(state, action)
    return played.state


def play(state: State, steps: Sequence[Step]) -> Played[State]:
    """Play actions up to the first illegal one."""
    return _play(state, steps, asking=False)


def _play(state: State, steps: Sequence[Step], *, asking: bool) -> Played[State]:  # noqa: C901, PLR0912, PLR0915
    """Play actions up to the first illegal one: only here is written which are legal, and what they do.

    One long loop over local values, because verification spends its time here: `bench/` shows it three times as fast
    as a function for each action and a position after each. `own` are the cells of the colony to act; cards are only
    passed on, so that compiled code does not make numbers of them, and back.

    :param asking: whether it is only asked if the first action is legal; then the state stays as it is.
    """
    cards, held, phase, seat, pair, done, older, recent, _ = state
    if phase == OVER:
        return Played(state, 0, ())
    on: list[Any] = list(cards)
    rank, setup, in_setup = RANK, phase == SETUP, 0
    own: i64 = held[seat]
    theirs: i64 = held[1 - seat]
    made, others_made = done[seat], done[1 - seat]
    signs, turn_starts, ended = older + recent, list[int](), ""
    battle: i64 = 0
    begin: int
    end: int
    cell: int
    stride: int
    others: int
    slot: int
    todo: list[Step] = steps if isinstance(steps, list) else list(steps)
    often = None if signs or len(steps) <= _FEW else [0] * SLOTS
    times, signed = 0, 0  # `signed`: of how many actions of the battle `signs` has the sign
    for each in todo:
        kind, cells = each.kind, each.cells
        if setup and not each.stays >> seat & 1:
            break
        if kind == SWAP:
            if own & cells != cells:
                break
            begin = each.begin
            end = each.end
            on[begin], on[end] = on[end], on[begin]
        elif kind == WALK:
            everybody = own | theirs
            if not own & cells or (everybody & each.path and everybody & each.other):
                break
            begin = each.begin
            on[each.end] = on[begin]
            on[begin] = NOTHING
            own ^= cells
        elif kind == ATTACK:
            begin = each.begin
            end = each.end
            prey = each.other
            attacker = on[begin]
            strength: i64 = rank[attacker]
            value: i64 = rank[on[end]]
            if not own & cells or not theirs & prey or (own | theirs) & each.path or not QUEEN < strength >= value:
                break
            on[begin] = on[end] = NOTHING
            own ^= cells
            theirs ^= prey
            if strength > value:
                on[end] = attacker
                own ^= prey
            if value == QUEEN:
                ended = "ARMY-END-1"
            elif not own & own - 1 and not theirs & theirs - 1:
                ended = "ARMY-END-2"
        elif kind == RUN:
            if own & cells != cells or (own | theirs) & each.path:
                break
            cell = each.begin
            end = each.end
            stride = each.stride
            others = each.others
            shift = end - cell
            if shift > 0:  # the foremost card moves first
                cell, stride = cell + others * stride, -stride
            for _ in range(others + 1):
                on[cell + shift] = on[cell]
                on[cell] = NOTHING
                cell += stride
            own ^= cells ^ each.other
        elif kind == ROAM:
            prey = each.other
            begin = each.begin
            if not own & cells or own & prey or not reached(cells ^ prey, EVERYWHERE & ~(own | theirs)) & prey:
                break
            on[each.end] = on[begin]
            on[begin] = NOTHING
            own ^= cells
        elif kind == GAMBIT:
            queen, gap = on.index(queen_of(seat)), GAP[seat]
            if not setup or made or not FRONT[seat] >> queen & 1:
                break
            on[gap], on[queen] = on[queen], NOTHING
            own ^= 1 << queen | 1 << gap
        elif _can_act(state, on, own, theirs, seat ^ battle & 1):
            break
        if asking:
            return Played(state, 1, ())
        if setup:
            in_setup += 1
            last = seat
            made, others_made, seat = after_setup_action(made, others_made, seat, kind)
            setup = made < SETUP_ACTIONS or others_made < SETUP_ACTIONS
            if seat in (RED, last):
                turn_starts.append(in_setup)
            if seat != last:
                own, theirs = theirs, own
        else:
            battle += 1
            if often is not None:
                slot = each.slot
                times = often[slot] + 1
                often[slot] = times
            if (often is None or times >= _TIMES) and not ended:
                signs, signed = signs + _signs(todo[in_setup + signed : in_setup + battle]), battle
                if signs.count(each.sign) >= _TIMES and _is_repeated(signs):
                    ended = "ARMY-END-3"
            if ended:
                break
            own, theirs = theirs, own
    if asking:
        return Played(state, 0, ())
    signs += _signs(todo[in_setup + signed : in_setup + battle])
    turns = battle - 1 if ended else battle
    turn_starts.extend(range(in_setup + 2 - seat, in_setup + turns + 1, 2))  # after every turn of black in the battle
    seat ^= turns & 1
    shared = len(signs) - len(signs) % SHARED
    after = (
        bytes(on),
        (theirs, own) if seat else (own, theirs),
        OVER if ended else SETUP if setup else BATTLE,
        seat,
        pair + len(turn_starts),
        (others_made, made) if seat else (made, others_made),
        older if shared == len(older) else signs[:shared],
        signs[shared:],
        _ending(ended, seat) if ended else None,
    )
    return Played(_make(State, after), in_setup + battle, turn_starts)


def _signs(steps: list[Step]) -> str:
    return "".join([step.sign for step in steps])


def _accepted(state: State, candidates: Iterator[A]) -> Iterator[A]:
    """Yield the candidates that are legal, which is asked without making the position after each."""
    for action in candidates:
        if _play(state, (step(action),), asking=True).plies:
            yield action


def after_setup_action(made: int, others_made: int, seat: int, kind: int) -> tuple[int, int, int]:
    """Return how many setup actions a colony has made after one of a kind, and the other one, and whose turn it is.

    The colony whose turn it is comes first, before and after. In the battle that is red, and both have made all.
    """
    made = SETUP_ACTIONS if kind == GAMBIT else made + 1
    if others_made < SETUP_ACTIONS:
        return others_made, made, 1 - seat
    return made, others_made, seat if made < SETUP_ACTIONS else RED


def _can_act(state: State, on: list[int], own: int, theirs: int, seat: int) -> bool:
    """Return whether a colony can do anything but pass in the battle (ARMY-TURN-3)."""
    held = (theirs, own) if seat else (own, theirs)
    now = state._replace(cards=bytes(on), held=held, phase=BATTLE, seat=seat)
    return next(_accepted(now, smallest(now)), None) is not None


def _ending(rule: str, winner: int) -> Outcome:
    """Return how the game ended: the player who took the queen has won, otherwise nobody (ARMY-RANK-1)."""
    if rule != "ARMY-END-1":
        return _outcome(rule, (1, 1))
    return _outcome(rule, (2, 1) if winner else (1, 2))


@cache
def _outcome(rule: str, placements: tuple[int, int], how: Termination = Termination.PLAYED) -> Outcome:
    return Outcome(placements, rule, _REASONS[rule, placements, how], how)


def _is_repeated(signs: str) -> bool:
    """Return whether the last signs are a block of an even number of them written four times (ARMY-END-3).

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


def leave(state: State, letter: str, how: Termination) -> State:
    """Return the position after a colony has resigned or run out of time: the other one wins (AGN-ADMIN-1)."""
    return _ended(state, _outcome("AGN-ADMIN-1", (1, 2) if letter == SEATS[1] else (2, 1), how))


def agree_draw(state: State) -> State:
    """Return the position after both players agreed to a draw (AGN-ADMIN-2)."""
    return _ended(state, _outcome("AGN-ADMIN-2", (1, 1), Termination.AGREED))


def _ended(state: State, outcome: Outcome) -> State:
    cards, held, _, seat, pair, done, older, recent, _ = state
    return _make(State, (cards, held, OVER, seat, pair, done, older, recent, outcome))


_REASONS = {
    ("ARMY-END-1", (1, 2), Termination.PLAYED): words("The black queen is taken."),
    ("ARMY-END-1", (2, 1), Termination.PLAYED): words("The red queen is taken."),
    ("ARMY-END-2", (1, 1), Termination.PLAYED): words("Only the two queens are left."),
    ("ARMY-END-3", (1, 1), Termination.PLAYED): words("The same series of actions was made four times in succession."),
    ("AGN-ADMIN-1", (1, 2), Termination.RESIGNED): words("Black resigned."),
    ("AGN-ADMIN-1", (2, 1), Termination.RESIGNED): words("Red resigned."),
    ("AGN-ADMIN-1", (1, 2), Termination.TIMED_OUT): words("Black ran out of time."),
    ("AGN-ADMIN-1", (2, 1), Termination.TIMED_OUT): words("Red ran out of time."),
    ("AGN-ADMIN-2", (1, 1), Termination.AGREED): words("The players agreed to a draw."),
}


# Enumeration: candidates in a fixed order, judged by `_play` alone, so that legality is written once


def legal_actions(state: State, *, free: bool = False) -> Iterator[Action]:
    """Return every legal action, except administrative ones, by the standard or by the free rules."""
    return _accepted(state, candidates(state, free=free))


def queen_attacks(state: State) -> Iterator[Attack]:
    """Return the actions with which the colony to act can take the other queen."""
    queen = queen_of(1 - state.seat)
    if state.phase != BATTLE or queen not in state.cards:
        return iter(())
    return _accepted(state, attacks_on(state, state.cards.index(queen)))


def attacks(state: State, seat: int) -> Iterator[Attack]:
    """Return the attacks that a colony could make if it were its turn."""
    if state.phase != BATTLE:
        return iter(())
    turned = state._replace(seat=seat)
    return _accepted(turned, all_attacks(turned))
