"""Positions of Ant Trails for tests: tiles that leave room at the bottom of the board."""

from engine.agn.administrative import LEAVING
from engine.ant_trails.board import BOARD, NAMES, bits, members
from engine.ant_trails.ruleset import ANT_TRAILS
from engine.ant_trails.state import COLLECTED, State, Table
from engine.ruleset import IllegalMoveError, MoveSyntaxError
from tests.engine.ant_trails.bots import PLAYERS

TILES = "b5=2 c3=3 d6=1 e2=2 e8=3 f5=1 g7=2 h4=3 h9=1 i7=3 j6=1 j9=2"
TAGS = {"Game": "Ant Trails", "Rules": "2020", "Seats": "B R", **PLAYERS, "Setup": TILES, "Result": "*"}

CARRYING = "a1 b2 c3>b2 / k6 k7 / k9 k10"
"""Black's trail from a1 on the border has a tile on its other end, b2."""
RING = "b7 c8 / k6 k7 / d8 d7 / k8 k9 / b6 c6"
"""Black's ants surround c7."""


def start() -> State:
    return ANT_TRAILS.initial(TAGS)


def after(tokens: str, state: State | None = None) -> State:
    """Return the position after some actions, including leaving and agreed draws."""
    state = state or start()
    for token in tokens.split():
        if token == "draw":
            state = ANT_TRAILS.agree_draw(state)
        elif token.startswith(("resign:", "timeout:")):
            state = ANT_TRAILS.leave(state, token[-1], LEAVING[token[:-2]])
        else:
            state = ANT_TRAILS.apply(state, ANT_TRAILS.parse_action(token))
    return state


def refusal(token: str, state: State) -> tuple[str, str]:
    """Return the rule that forbids an action, and its message."""
    try:
        ANT_TRAILS.apply(state, ANT_TRAILS.parse_action(token))
    except (IllegalMoveError, MoveSyntaxError) as error:
        return error.rule, str(error)
    raise AssertionError(f"{token} is legal")


def legal(state: State) -> list[str]:
    return [ANT_TRAILS.format_action(action) for action in ANT_TRAILS.legal_actions(state)]


# Boards that are nearly full


def cells(names: str) -> int:
    return bits(map(NAMES.index, names.split()))


def crowded(free: str, black: str = "", tile: str = "") -> State:
    """Return a board full of red ants except for some cells, with one tile worth 2 points or none."""
    ants = cells(black), BOARD & ~cells(f"{free} {black} {tile}")
    tiles = [NAMES.index(tile)] if tile else []
    return start()._replace(ants=ants, tiles=(*tiles, *[COLLECTED] * (12 - len(tiles))))


def packed(black: str, red: str, free: str = "") -> State:
    """Return some ants on a board with far more tiles than in a real game."""
    tiles = BOARD & ~cells(f"{black} {red} {free}")
    table = Table(start().table.points + (1,) * tiles.bit_count())
    return start()._replace(table=table, ants=(cells(black), cells(red)), tiles=tuple(members(tiles)))
