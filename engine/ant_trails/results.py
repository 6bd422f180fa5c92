"""Why a result of Ant Trails is what it is, with the scores that decide the places."""

from engine.ant_trails.board import longest
from engine.ant_trails.state import State, player, points_of
from engine.ruleset import Termination
from engine.words import Words, words


def explain(state: State) -> list[Words]:
    """Return what decided the places, or why the game is not over, with the rules' ids."""
    outcome = state.outcome
    if outcome is None:
        return [_not_over(state)]
    if outcome.termination != Termination.PLAYED:
        return []
    scores = [_score(state, seat) for seat in range(len(state.ants))]
    return [words("Scores: {black}; {red} (TRAILS-SCORE-1).", black=scores[0], red=scores[1])]


def _not_over(state: State) -> Words:
    if state.passes:
        return words(
            "The game is not over: it ends when both players pass, one after the other, and only {player} has passed"
            " (TRAILS-END-1).",
            player=player(1 - state.seat),
        )
    return words("The game is not over: it ends when both players pass, one after the other (TRAILS-END-1).")


def _score(state: State, seat: int) -> Words:
    trail, tiles = longest(state.ants[seat]), sum(points_of(state, seat))
    return words("{player} {score}, of which {tiles} for tiles", player=player(seat), score=trail + tiles, tiles=tiles)


__all__ = ["explain"]
