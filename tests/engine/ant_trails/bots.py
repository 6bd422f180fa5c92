"""Bots for Ant Trails in several styles, and a dealer, for games that cover everything.

`python -m tests.engine.ant_trails.bots collector,builder 17` prints one such game.
"""

import sys
from collections.abc import Sequence
from random import Random

from engine.ant_trails.board import BOARD, BORDER, NAMES, NEAR, members, trail_of
from engine.ant_trails.rules import apply
from engine.ant_trails.ruleset import ANT_TRAILS
from engine.ant_trails.state import COLLECTED, Action, Placing, State, TileMove, score
from tests.strategies import Choose, Playout, at_random, bots_game

PLAYERS = {"Black": "Ada", "Red": "Bruno"}
POINTS = (3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1)


def deal(random: Random) -> dict[str, str]:
    """Return the tags of a game with randomly placed tiles."""
    cells = sorted(_apart(random))
    points = random.sample(POINTS, len(POINTS))
    setup = " ".join(f"{NAMES[cell]}={worth}" for cell, worth in zip(cells, points, strict=True))
    return {"Game": "Ant Trails", "Rules": "2020", "Seats": "B R", **PLAYERS, "Setup": setup, "Result": "*"}


def _apart(random: Random) -> list[int]:
    """Return twelve inner cells that are not adjacent, found by trial."""
    while True:
        chosen, free = list[int](), BOARD & ~BORDER
        while free and len(chosen) < len(POINTS):
            chosen.append(random.choice(list(members(free))))
            free &= ~(NEAR[chosen[-1]] | 1 << chosen[-1])
        if len(chosen) == len(POINTS):
            return chosen


# Styles: the preferred action, ties broken at random


def _best(random: Random, legal: Sequence[Action], worth: Sequence[float]) -> Action:
    most = max(worth)
    return random.choice([action for action, value in zip(legal, worth, strict=True) if value == most])


def builder(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Extend the longest trail, or another long one; move tiles only where they score at once."""
    return _best(random, legal, [_gain(state, action) - isinstance(action, TileMove) for action in legal])


def _gain(state: State, action: Action) -> float:
    after = apply(state, action)
    trail = trail_of(after.ants[state.seat], action.cell).bit_count() if isinstance(action, Placing) else 0
    return 10 * (score(after, state.seat) - score(state, state.seat)) + trail / 100


def collector(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Go for tiles and carry them wherever possible."""
    return _best(random, legal, [_value(state, action) for action in legal])


def _value(state: State, action: Action) -> float:
    if isinstance(action, TileMove):
        return 1 + state.table.points[state.tiles.index(action.start)]
    if isinstance(action, Placing):
        taken = state.ants[0] | state.ants[1]
        near = [cell for cell in state.tiles if cell != COLLECTED and not taken >> cell & 1]
        return sum(NEAR[action.cell] >> cell & 1 for cell in near) + _gain(state, action) / 100
    return 0


def looper(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Join trails, preferably into loops."""
    return _best(random, legal, [_joined(state, action) for action in legal])


def _joined(state: State, action: Action) -> int:
    own = state.ants[state.seat]
    return (own & NEAR[action.cell]).bit_count() if isinstance(action, Placing) else 0


def hermit(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Start trails everywhere and move any tile: its ants collect adjacent tiles."""
    own = state.ants[state.seat]
    alone = [isinstance(action, Placing) and not own & NEAR[action.cell] for action in legal]
    return _best(random, legal, [single or isinstance(act, TileMove) for single, act in zip(alone, legal, strict=True)])


STYLES: dict[str, Choose] = {
    "random": at_random,
    "builder": builder,
    "collector": collector,
    "looper": looper,
    "hermit": hermit,
}


def game(styles: str, seed: int) -> Playout:
    """Return a game played by comma-separated styles, black's first."""
    return bots_game(ANT_TRAILS, deal, STYLES, styles, seed)


if __name__ == "__main__":
    styles, seed = sys.argv[1:]
    sys.stdout.write(game(styles, int(seed)).text())
