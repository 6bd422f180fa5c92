"""Selecting actions in Picnic: an empty plate, or an ant and the crumbs it walks to."""

from engine.touches import Spelling, Touch, Touching
from engine.words import words

from .board import NAMES
from .laying import LAYING
from .state import Action, State, Walk


def _spell(state: State, action: Action) -> tuple[Spelling, ...]:
    if isinstance(action, Walk):
        number = state.ants[state.seat].index(action.start) + 1
        name, plate = f"{state.seats[state.seat]}{number}", NAMES[action.start]
        ant = Touch(name, plate, words("Ant {ant} on plate {plate}", ant=name, plate=plate))
        return ((ant, _plate(action.end, f">{NAMES[action.end]}")),)
    return ((_plate(action.plate, NAMES[action.plate]),),)


def _plate(plate: int, part: str) -> Touch:
    return Touch(f"cell:{NAMES[plate]}", part, words("Plate {plate}", plate=NAMES[plate]))


TOUCHING: Touching[State, Action] = Touching(spell=_spell, laying=LAYING)

__all__ = ["TOUCHING"]
