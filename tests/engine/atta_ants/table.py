"""Positions of Atta Ants for tests: a ring with a spider in a corner, and some positions after it."""

from engine.agn.administrative import LEAVING
from engine.atta_ants.rules import apply
from engine.atta_ants.state import State
from engine.ruleset import IllegalMoveError, MoveSyntaxError
from tests.engine.atta_ants.bots import PLAYERS, ruleset_of

RING = "N NS* ES ESW NSW* NS# NE* NW"
"""
.  |  .    *  |  .    .     .      north-west, north, north-east
   |          |          .--
.     .    .  |  .    .  |  .
.     .    .  |  .    *  |  .      west, nest, east
 --.--      --+--      --'
.  |  .    .  |  .    .  |  .
#  |  .    *  |  .    .  |  .      south-west with a spider, south, south-east
   |          '--      --'
.  |  .    .     .    .     .
"""


def tags_of(
    seats: str = "R Y", edition: str = "online", deck: str = "reconstruction-1", ring: str = RING
) -> dict[str, str]:
    players = {PLAYERS[seat][0]: PLAYERS[seat][1] for seat in seats.split(" ")}
    return {
        "Game": "Atta Ants",
        "Rules": edition,
        "Seats": seats,
        **players,
        "Deck": deck,
        "Setup": ring,
        "Result": "*",
    }


def start(seats: str = "R Y", edition: str = "online", deck: str = "reconstruction-1", ring: str = RING) -> State:
    state: State = ruleset_of(edition).initial(tags_of(seats, edition, deck, ring))
    return state


def after(tokens: str, state: State | None = None) -> State:
    """Return the position after some actions, including leaving."""
    state, ruleset = state or start(), ruleset_of("online")
    for token in tokens.split():
        if token.startswith(("resign:", "timeout:")):
            state = ruleset.leave(state, token[-1], LEAVING[token[:-2]])
        else:
            state = apply(state, ruleset.parse_action(token))
    return state


def refusal(token: str, state: State) -> tuple[str, str]:
    """Return the rule that forbids an action, and its message."""
    try:
        apply(state, ruleset_of("online").parse_action(token))
    except (IllegalMoveError, MoveSyntaxError) as error:
        return error.rule, str(error)
    raise AssertionError(f"{token} is legal")


def legal(state: State) -> list[str]:
    ruleset = ruleset_of("online")
    return [ruleset.format_action(action) for action in ruleset.legal_actions(state)]
