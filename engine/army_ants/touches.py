"""What to touch for an action of Army Ants: a card, and where it goes or what it takes; a run by its ends."""

from typing import Final

from engine.army_ants.board import EAST, GAP, NAMES, RED, SIDES, STEP, WEST, WIDTH, owner_of, queen_of
from engine.army_ants.laying import LAYING
from engine.army_ants.scene.drawings import OFFSET
from engine.army_ants.scene.layout import centre
from engine.army_ants.scene.names import name_of, title_of
from engine.army_ants.state import Action, Attack, Gambit, March, MoveOut, State, Swap
from engine.touches import CHOICE, Ghost, Spelling, Touch, Touching
from engine.words import words


def _spell(state: State, action: Action) -> tuple[Spelling, ...]:
    match action:
        case Attack(start, end):
            attack = _card(state, end, f"x{NAMES[end]}")._replace(way=(centre(start), centre(end)))
            return ((_first(state, start), attack),)
        case Swap(one, other):
            return _swap(state, one, other), _swap(state, other, one)
        case March(run) if len(run) > 1:
            return _run(state, action, run[0], run[-1]), _run(state, action, run[-1], run[0])
        case March((cell,)) | MoveOut(cell):
            return ((_first(state, cell), _alone(state, action)),)
    return ((_without_cards(state, action),),)


def _without_cards(state: State, action: Action) -> Touch:
    if isinstance(action, Gambit):
        ghost = _ghost(state, state.cards.index(queen_of(state.seat)), GAP[state.seat])
        return Touch(f"{CHOICE}QG", "QG", words("Queen's gambit"), (ghost,))
    return Touch(f"{CHOICE}pass", "pass", words("Pass"))


def _alone(state: State, action: March | MoveOut) -> Touch:
    """Return the destination of a single card that takes none."""
    if isinstance(action, MoveOut):
        start, end, part = action.start, action.end, f">{NAMES[action.end]}"
        label = words("Move out to {cell}", cell=NAMES[end])
    else:
        start, end = action.run[0], action.run[0] + STEP[action.side] * action.steps
        part, label = f"{SIDES[action.side]}{action.steps}", words("March to {cell}", cell=NAMES[end])
    return Touch(f"cell:{NAMES[end]}", part, label, (_ghost(state, start, end),), (centre(start), centre(end)))


def _card(state: State, cell: int, part: str) -> Touch:
    card = state.cards[cell]
    return Touch(name_of(card), part, words("{card} on {cell}", card=title_of(card), cell=NAMES[cell]))


def _first(state: State, cell: int) -> Touch:
    return _card(state, cell, NAMES[cell])


def _swap(state: State, one: int, other: int) -> Spelling:
    ghosts = _ghost(state, one, other), _ghost(state, other, one)
    swap = Touch(f"{CHOICE}~", f"~{NAMES[other]}", words("Swap"), ghosts)
    return _first(state, one), _card(state, other, ""), swap


def _run(state: State, action: March, first: int, last: int) -> Spelling:
    """Return touches of a run from end to end, then of its goal, or of the end that leads."""
    side, steps, shift = action.side, action.steps, STEP[action.side] * action.steps
    in_file = (side in (EAST, WEST)) == (action.run[-1] - action.run[0] < WIDTH)
    leader = (action.run[-1] if shift > 0 else action.run[0]) if in_file else last
    label = words("March to {cell}", cell=NAMES[leader + shift])
    ghosts = tuple(_ghost(state, cell, cell + shift) for cell in action.run)
    part = f"-{NAMES[last]}{SIDES[side]}{steps}"
    landing = Touch(f"cell:{NAMES[leader + shift]}", part, label, ghosts, (centre(leader), centre(leader + shift)))
    return _first(state, first), _card(state, last, ""), landing


def _ghost(state: State, start: int, end: int) -> Ghost:
    x, y = centre(end)
    return Ghost(name_of(state.cards[start]), x, y + (OFFSET if owner_of(state.cards[start]) == RED else -OFFSET))


TOUCHING: Final[Touching[State, Action]] = Touching(spell=_spell, laying=LAYING)

__all__ = ["TOUCHING"]
