"""The built-in bots: one plays at random, one judges single actions, one looks ahead.

They use only the functions of a `Ruleset` and what every player may know; cards still to come are sampled. Clocks and
random numbers are passed in by the caller.
"""

from engine.searching.choosing import Strength, choose
from engine.searching.search import Search

__all__ = ["Search", "Strength", "choose"]
