"""Players of Army Ants in several styles, and a dealer, for games in which everything happens.

`python -m tests.engine.army_ants.bots hunter,hermit 17` prints one such game.
"""

import sys
from collections.abc import Sequence
from random import Random

from engine.army_ants.board import QUEEN, RANK
from engine.army_ants.rules import apply, legal_actions
from engine.army_ants.ruleset import ARMY_ANTS
from engine.army_ants.state import OVER, Action, Attack, Gambit, State, Swap
from engine.ruleset import Ruleset
from tests.strategies import Choose, Playout, at_random, bots_game

PLAYERS = {"Red": "Ada", "Black": "Bruno"}
PATIENCE = 50
"""Pairs of turns after which everybody takes a queen that can be taken."""
CARDS = "QAA2233445566778899"


def ruleset() -> Ruleset[State, Action]:
    return ARMY_ANTS


def deal(random: Random) -> dict[str, str]:
    """The tags of a game."""
    black, red = ("".join(random.sample(CARDS, len(CARDS))) for _ in range(2))
    cells = f"{black[:2]}.{black[2:]}{red[:17]}.{red[17:]}"
    setup = "/".join(cells[row * 5 : row * 5 + 5] for row in range(8))
    return {"Game": "Army Ants", "Rules": "standard", "Seats": "R B", **PLAYERS, "Setup": setup, "Result": "*"}


# Styles


def prey(state: State, action: Action) -> int:
    """The rank of the card that an action takes; -1 when it takes none."""
    return RANK[state.cards[action.end]] if isinstance(action, Attack) else -1


def spares_queens(state: State, legal: Sequence[Action]) -> Sequence[Action]:
    """The actions that take no queen, as long as there are any; nobody has patience for ever."""
    if state.pair > PATIENCE:
        return [action for action in legal if prey(state, action) == QUEEN] or legal
    return [action for action in legal if prey(state, action) != QUEEN] or legal


def hunter(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Takes the queen if it can, else the highest card, else plays what it likes."""
    queens = [action for action in legal if prey(state, action) == QUEEN]
    return random.choice(queens or _highest(state, legal))


def _highest(state: State, legal: Sequence[Action]) -> Sequence[Action]:
    most = max(prey(state, action) for action in legal)
    return [action for action in legal if prey(state, action) == most]


def trader(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Spares queens, gives cards of the same rank for each other, and takes whatever it can."""
    legal = spares_queens(state, legal)
    attacks = [action for action in legal if isinstance(action, Attack)]
    trades = [action for action in attacks if apply(state, action).cards[action.end] == 0]
    return random.choice(trades or attacks or legal)


def shepherd(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Spares queens, and leaves the other colony as little to do as it can."""
    few = random.sample(legal, min(len(legal), 40))
    attacks = [action for action in spares_queens(state, legal) if prey(state, action) > QUEEN]
    return min(attacks or spares_queens(state, few), key=lambda action: freedom(apply(state, action)))


def freedom(state: State) -> int:
    """How much the colony to act may choose from."""
    return 10_000 if state.phase == OVER else sum(1 for _ in legal_actions(state))


def hermit(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Swaps the same two cards for ever."""
    swaps = [action for action in legal if isinstance(action, Swap)]
    return swaps[0] if swaps else random.choice(legal)


def gambiteer(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Plays the queen's gambit if it can, and then hunts."""
    return legal[0] if isinstance(legal[0], Gambit) else hunter(random, state, legal)


STYLES: dict[str, Choose] = {
    "random": at_random,
    "hunter": hunter,
    "trader": trader,
    "shepherd": shepherd,
    "hermit": hermit,
    "gambiteer": gambiteer,
}


def game(styles: str, seed: int) -> Playout:
    """A game by styles separated by a comma, red's first."""
    return bots_game(ruleset(), deal, STYLES, styles, seed)


if __name__ == "__main__":
    sys.stdout.write(game(sys.argv[1], int(sys.argv[2])).text())
