"""Players of Ant Trails in several styles, and a dealer, for games in which everything happens.

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
    """The tags of a game, with the tiles laid by chance."""
    cells = sorted(_apart(random))
    points = random.sample(POINTS, len(POINTS))
    setup = " ".join(f"{NAMES[cell]}={worth}" for cell, worth in zip(cells, points, strict=True))
    return {"Game": "Ant Trails", "Rules": "2020", "Seats": "B R", **PLAYERS, "Setup": setup, "Result": "*"}


def _apart(random: Random) -> list[int]:
    """Twelve cells within the border that are no neighbours, found by trying."""
    while True:
        chosen, free = list[int](), BOARD & ~BORDER
        while free and len(chosen) < len(POINTS):
            chosen.append(random.choice(list(members(free))))
            free &= ~(NEAR[chosen[-1]] | 1 << chosen[-1])
        if len(chosen) == len(POINTS):
            return chosen


# Styles: what somebody would like best; of equals one by chance


def _best(random: Random, legal: Sequence[Action], worth: Sequence[float]) -> Action:
    most = max(worth)
    return random.choice([action for action, value in zip(legal, worth, strict=True) if value == most])


def builder(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Makes its longest trail longer, else one that is long already; tiles interest it where they score at once."""
    return _best(random, legal, [_gain(state, action) - isinstance(action, TileMove) for action in legal])


def _gain(state: State, action: Action) -> float:
    after = apply(state, action)
    trail = trail_of(after.ants[state.seat], action.cell).bit_count() if isinstance(action, Placing) else 0
    return 10 * (score(after, state.seat) - score(state, state.seat)) + trail / 100


def collector(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Goes for tiles, and carries them wherever they can be carried."""
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
    """Joins what it can, best of all into loops."""
    return _best(random, legal, [_joined(state, action) for action in legal])


def _joined(state: State, action: Action) -> int:
    own = state.ants[state.seat]
    return (own & NEAR[action.cell]).bit_count() if isinstance(action, Placing) else 0


def hermit(random: Random, state: State, legal: Sequence[Action]) -> Action:
    """Begins a trail wherever it can, and moves any tile: its ants collect what comes beside them."""
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
    """A game by styles separated by commas, black's first."""
    return bots_game(ANT_TRAILS, deal, STYLES, styles, seed)


if __name__ == "__main__":
    styles, seed = sys.argv[1:]
    sys.stdout.write(game(styles, int(seed)).text())
