"""Why a result of Army Ants is what it is."""

from engine.army_ants.state import SETUP, State
from engine.words import Words, words


def explain(state: State) -> list[Words]:
    """Return why the game is not over, with the rules' ids; when it is, its outcome's reason says everything."""
    if state.outcome:
        return []
    if state.phase == SETUP:
        return [words("The game is not over: the battle, in which a queen can be taken, has not begun (ARMY-TURN-2).")]
    return [
        words(
            "The game is not over: both queens are on the board (ARMY-END-1) with other cards beside them"
            " (ARMY-END-2), and no series of actions was made four times in succession (ARMY-END-3)."
        )
    ]


__all__ = ["explain"]
