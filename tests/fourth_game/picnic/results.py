"""Why a result of Picnic is what it is."""

from engine.words import Words, words

from .state import State


def explain(state: State) -> list[Words]:
    """Return why the game is not over, with the rule's id; when it is, its outcome's reason says everything."""
    said = words("The game is not over: somebody can still come to a crumb (PICNIC-END-1).")
    return [] if state.outcome else [said]


__all__ = ["explain"]
