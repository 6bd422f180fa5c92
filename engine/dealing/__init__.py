"""Deals that nobody can manipulate and everybody can check: they follow from a secret and the players' entropies.

Two parts: `deals` makes a deal and explains it, `checking` says of a record whether its deal is the one that follows.
The arithmetic is in `engine/chance.py`, what each game deals in the `dealing.py` of its folder. `RULES.md` holds the
numbered rules.
"""

from engine.dealing.checking import BROKEN, PROVED, SEALED, SECRET, Dealing, check_dealing, entropies_in
from engine.dealing.deals import Deal, Explanation, deal, explain_deal

__all__ = [
    "BROKEN",
    "PROVED",
    "SEALED",
    "SECRET",
    "Deal",
    "Dealing",
    "Explanation",
    "check_dealing",
    "deal",
    "entropies_in",
    "explain_deal",
]
