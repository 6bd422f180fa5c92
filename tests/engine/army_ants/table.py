"""Positions of Army Ants for tests: a deal with both queens in front, and some positions after it."""

from engine.agn.administrative import LEAVING
from engine.army_ants.rules import agree_draw, apply, leave
from engine.army_ants.ruleset import ARMY_ANTS
from engine.army_ants.state import State
from engine.ruleset import IllegalMoveError, MoveSyntaxError

DEAL = "27.9A/35448/36689/AQ572/39Q45/66778/A2A98/24.35"
"""
8   2  7  .  9  A
7   3  5  4  4  8
6   3  6  6  8  9
5   A  Q  5  7  2      black's front row
4   3  9  Q  4  5      red's front row
3   6  6  7  7  8
2   A  2  A  9  8
1   2  4  .  3  5
    a  b  c  d  e
"""
BATTLE = "QG QG"
"""The queens move to c1 and c8; b5 and c4 are empty, and it is red's turn."""


def start(deal: str = DEAL) -> State:
    return ARMY_ANTS.initial({"Setup": deal})


def states(tokens: str, deal: str = DEAL) -> list[State]:
    """Return the states of a game, including leaving and agreed draws."""
    found = [start(deal)]
    for token in tokens.split():
        found.append(_after(found[-1], token))
    return found


def _after(state: State, token: str) -> State:
    if token == "draw":
        return agree_draw(state)
    if token.startswith(("resign:", "timeout:")):
        return leave(state, token[-1], LEAVING[token[:-2]])
    return apply(state, ARMY_ANTS.parse_action(token))


def after(tokens: str, deal: str = DEAL) -> State:
    return states(tokens, deal)[-1]


def refusal(token: str, state: State) -> tuple[str, str]:
    """Return the rule that forbids an action, and its message."""
    try:
        apply(state, ARMY_ANTS.parse_action(token))
    except (IllegalMoveError, MoveSyntaxError) as error:
        return error.rule, str(error)
    raise AssertionError(f"{token} is legal")


def legal(state: State) -> list[str]:
    return [ARMY_ANTS.format_action(action) for action in ARMY_ANTS.legal_actions(state)]
