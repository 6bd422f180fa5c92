"""What to touch next: a position with its picture and a tree of touches that spells each legal action.

`engine.touches` holds what a game says of it. Three parts: `tree` builds the tree, `position` is the whole answer,
`laying` the same for a game that is laid out before it begins.
"""

from engine.touching.laying import LayingError, laying
from engine.touching.position import SAID_AT_MOST, Reader, position

__all__ = ["SAID_AT_MOST", "LayingError", "Reader", "laying", "position"]
