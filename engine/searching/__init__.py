"""Bots: one plays anything, one looks at one action, one looks ahead.

They know a game only by its `Ruleset`, and of a position only what everybody may know; cards that may still come are
sampled. Nothing here reads a clock or draws a number by itself: the caller passes both.
"""

from engine.searching.choosing import Strength, choose
from engine.searching.looking import Looking

__all__ = ["Looking", "Strength", "choose"]
