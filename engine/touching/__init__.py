"""Play by touch: a position with its picture and a tree of touches for the legal actions.

`engine.touches` defines what each game supplies. Four parts: `tree` builds the tree, `refusing` says why something
cannot be touched, `position` builds the whole answer, `laying` the same for laying out a game.
"""

from engine.touching.laying import LayingError, laying
from engine.touching.position import SAID_AT_MOST, Reader, position
from engine.touching.refusing import refusal

__all__ = ["SAID_AT_MOST", "LayingError", "Reader", "laying", "position", "refusal"]
