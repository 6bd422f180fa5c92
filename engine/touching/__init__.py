"""Play by touch: a position with its picture and a tree of touches for the legal actions.

`engine.touches` defines what each game supplies. Three parts: `tree` builds the tree, `position` the whole answer,
`laying` the same for laying out a game.
"""

from engine.touching.laying import LayingError, laying
from engine.touching.position import SAID_AT_MOST, Reader, position

__all__ = ["SAID_AT_MOST", "LayingError", "Reader", "laying", "position"]
