"""What to touch next: a position with its picture and its legal actions, as a tree that spells each of them by touches.

`engine.touches` holds what a game says of it. Two parts: `tree` builds the tree, `position` is the whole answer.
"""

from engine.touching.position import SAID_AT_MOST, Reader, position

__all__ = ["SAID_AT_MOST", "Reader", "position"]
