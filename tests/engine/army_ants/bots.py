"""Bots for Army Ants in several styles, and a dealer, for games that cover everything.

`python -m tests.engine.army_ants.bots hunter,hermit 17 free` prints one such game by the free rules.
"""

import sys
from collections.abc import Sequence
from functools import partial
from random import Random

from engine.army_ants.board import QUEEN, RANK
from engine.army_ants.rules import apply, legal_actions
from engine.army_ants.ruleset import ARMY_ANTS, FREE_ARMY_ANTS
from engine.army_ants.state import OVER, Action, Attack, Gambit, State, Swap
from engine.ruleset import Ruleset
from tests.strategies import Choose, Playout, at_random, bots_game

PLAYERS = {"Red": "Ada", "Black": "Bruno"}
PATIENCE = 50
"""Pairs of turns after which every bot captures a queen if it can."""
CARDS = "QAA2233445566778899"


RULESETS: dict[str, Ruleset[State, Action]] = {one.edition: one for one in (ARMY_ANTS, FREE_ARMY_ANTS)}


def deal(rules: str, random: Random) -> dict[str, str]:
    """The tags of a game."""
    black, red = ("".join(random.sample(CARDS, len(CARDS))) for _ in range(2))
    cells = f"{black[:2]}.{black[2:]}{red[:17]}.{red[17:]}"
    setup = "/".join(cells[row * 5 : row * 5 + 5] for row in range(8))
    return {"Game": "Army Ants", "Rules": rules, "Seats": "R B", **PLAYERS, "Setup": setup, "Result": "*"}


# Styles


def prey(state: State, action: Action) -> int:
    """Return the rank of the captured card; -1 if none."""
    return RANK[state.cards[action.end]] if isinstance(action, Attack) else -1


def spares_queens(state: State, legal: Sequence[Action]) -> Sequence[Action]:
    """Return the actions that do not capture a queen, if there are any, until patience ends."""
    if state.pair > PATIENCE:
        return [action for action in legal if prey(state, action) == QUEEN] or legal
    return [action for action in legal if prey(state, action) != QUEEN] or legal


def hunter(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Capture the queen if possible, else the highest card, else play anything."""
    queens = [action for action in legal if prey(state, action) == QUEEN]
    return random.choice(queens or _highest(state, legal))


def _highest(state: State, legal: Sequence[Action]) -> Sequence[Action]:
    most = max(prey(state, action) for action in legal)
    return [action for action in legal if prey(state, action) == most]


def trader(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Spare queens, trade cards of equal rank and capture whatever is possible."""
    legal = spares_queens(state, legal)
    attacks = [action for action in legal if isinstance(action, Attack)]
    trades = [action for action in attacks if apply(state, action).cards[action.end] == 0]
    return random.choice(trades or attacks or legal)


def shepherd(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Spare queens and leave the other colony as few actions as possible."""
    few = random.sample(legal, min(len(legal), 40))
    attacks = [action for action in spares_queens(state, legal) if prey(state, action) > QUEEN]
    return min(attacks or spares_queens(state, few), key=lambda action: freedom(apply(state, action)))


def freedom(state: State) -> int:
    """Return how many actions the colony to act can choose from."""
    return 10_000 if state.phase == OVER else sum(1 for _ in legal_actions(state))


def hermit(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Swap the same two cards forever."""
    swaps = [action for action in legal if isinstance(action, Swap)]
    return swaps[0] if swaps else random.choice(legal)


def gambiteer(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Play the queen’s gambit if possible, then hunt."""
    return legal[0] if isinstance(legal[0], Gambit) else hunter(random, state, legal)


STYLES: dict[str, Choose] = {
    "random": at_random,
    "hunter": hunter,
    "trader": trader,
    "shepherd": shepherd,
    "hermit": hermit,
    "gambiteer": gambiteer,
}


def game(styles: str, seed: int, rules: str = "standard") -> Playout:
    """Return a game played by comma-separated styles, red's first."""
    return bots_game(RULESETS[rules], partial(deal, rules), STYLES, styles, seed)


if __name__ == "__main__":
    sys.stdout.write(game(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]).text())
