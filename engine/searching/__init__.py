"""Players that the machine plays itself: one that plays anything, one that looks at one action, one that looks ahead.

They know a game only by its `Ruleset`, and of a position only what everybody may know; cards that may still come are
sampled. Nothing here reads a clock or draws a number by itself: both are handed in.
"""

from engine.searching.choosing import Strength, choose
from engine.searching.looking import Looking

__all__ = ["Looking", "Strength", "choose"]
