"""What to touch for an action of Army Ants: a card, and where it goes or what it takes; a run by its ends."""

from functools import cache
from typing import Final

from engine.army_ants.board import EAST, GAP, NAMES, RED, SIDES, STEP, WEST, WIDTH, owner_of, queen_of
from engine.army_ants.laying import LAYING
from engine.army_ants.misses import meant
from engine.army_ants.scene.drawings import OFFSET
from engine.army_ants.scene.layout import centre
from engine.army_ants.scene.names import name_of, title_of
from engine.army_ants.state import Action, Attack, Gambit, March, MoveOut, State, Swap
from engine.touches import CHOICE, Ghost, Spelling, Touch, Touching
from engine.words import Words, words


def _spell(state: State, action: Action) -> tuple[Spelling, ...]:
    match action:
        case Attack(start, end):
            attack = _card(state.cards[end], end, f"x{NAMES[end]}")._replace(way=(centre(start), centre(end)))
            return ((_first(state, start), attack),)
        case Swap(one, other):
            ghosts = _ghost(state.cards[one], other), _ghost(state.cards[other], one)
            return _swap(state, one, other, ghosts), _swap(state, other, one, ghosts[::-1])
        case March(run) if len(run) > 1:
            return _run(state, action)
        case March((cell,)) | MoveOut(cell):
            return ((_first(state, cell), _alone(state, action)),)
    return ((_without_cards(state, action),),)


def _without_cards(state: State, action: Action) -> Touch:
    if isinstance(action, Gambit):
        ghost = _ghost(queen_of(state.seat), GAP[state.seat])
        return Touch(f"{CHOICE}QG", "QG", words("Queen’s gambit"), (ghost,))
    return Touch(f"{CHOICE}pass", "pass", words("Pass"))


def _alone(state: State, action: March | MoveOut) -> Touch:
    """Return the destination of a single card that takes none."""
    if isinstance(action, MoveOut):
        start, end, part = action.start, action.end, f">{NAMES[action.end]}"
        label = _move_out_to(end)
    else:
        start, end = action.run[0], action.run[0] + STEP[action.side] * action.steps
        part, label = f"{SIDES[action.side]}{action.steps}", _march_to(end)
    ghost = _ghost(state.cards[start], end)
    return Touch(f"cell:{NAMES[end]}", part, label, (ghost,), (centre(start), centre(end)))


@cache
def _move_out_to(cell: int) -> Words:
    return words("Move out to {cell}", cell=NAMES[cell])


@cache
def _march_to(cell: int) -> Words:
    return words("March to {cell}", cell=NAMES[cell])


@cache
def _card(card: int, cell: int, part: str) -> Touch:
    return Touch(name_of(card), part, words("{card} on {cell}", card=title_of(card), cell=NAMES[cell]))


def _first(state: State, cell: int) -> Touch:
    return _card(state.cards[cell], cell, NAMES[cell])


def _swap(state: State, one: int, other: int, ghosts: tuple[Ghost, ...]) -> Spelling:
    swap = Touch(f"{CHOICE}~", f"~{NAMES[other]}", _SWAP, ghosts)
    return _first(state, one), _card(state.cards[other], other, ""), swap


def _run(state: State, action: March) -> tuple[Spelling, Spelling]:
    """Return touches of a run from either end to the other."""
    shift = action.steps * STEP[action.side]
    ghosts = tuple([_ghost(state.cards[cell], cell + shift) for cell in action.run])
    first, last = action.run[0], action.run[-1]
    return _along(state, action, first, last, ghosts), _along(state, action, last, first, ghosts)


def _along(state: State, action: March, first: int, last: int, ghosts: tuple[Ghost, ...]) -> Spelling:
    """Return touches of a run from end to end, then of its goal, or of the end that leads."""
    side, steps, shift = action.side, action.steps, STEP[action.side] * action.steps
    in_file = (side in (EAST, WEST)) == (action.run[-1] - action.run[0] < WIDTH)
    leader = (action.run[-1] if shift > 0 else action.run[0]) if in_file else last
    goal = leader + shift
    part = f"-{NAMES[last]}{SIDES[side]}{steps}"
    landing = Touch(f"cell:{NAMES[goal]}", part, _march_to(goal), ghosts, (centre(leader), centre(goal)))
    return _first(state, first), _card(state.cards[last], last, ""), landing


@cache
def _ghost(card: int, end: int) -> Ghost:
    x, y = centre(end)
    return Ghost(name_of(card), x, y + (OFFSET if owner_of(card) == RED else -OFFSET))


_SWAP: Final = words("Swap")


TOUCHING: Final[Touching[State, Action]] = Touching(spell=_spell, meant=meant, laying=LAYING)

__all__ = ["TOUCHING"]
