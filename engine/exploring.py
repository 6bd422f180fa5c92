"""What would have happened otherwise: a replay that is played on from one of its positions with other actions."""

from collections.abc import Sequence
from typing import Any

from engine.drafting.writing import compose
from engine.insights import insight_json
from engine.replay import Replay
from engine.ruleset import IllegalMoveError, RuleError
from engine.touching import Reader, position

Json = dict[str, Any]


class PlayedOnError(Exception):
    """An action of a branch is not legal; `at` is its place among them."""

    def __init__(self, at: int, token: str, error: RuleError) -> None:
        super().__init__(str(error))
        self.at, self.token, self.error = at, token, error


def answer_branch(
    played: Replay[Any, Any], ply: int, play: Sequence[str], reader: Reader, drawn: str | None = None
) -> Json:
    """Return the position after other actions, what follows from the rules there, and the record up to it.

    :param ply: the position of the replay from which is played on.
    :param drawn: the card that comes, in any rotation.
    :raises PlayedOnError: at the first action that is not legal.
    """
    ruleset = played.ruleset
    states, tokens = played_on(played, ply, play)
    return {
        "position": position(ruleset, states, tokens, reader, drawn),
        "insights": [insight_json(one, reader.translate) for one in ruleset.shown.insights(states[-1])],
        "played": _played(played, ply, states, tokens, reader),
        "text": compose({**played.tags, "Result": "*"}, tokens, {}),
    }


def played_on(played: Replay[Any, Any], ply: int, play: Sequence[str]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return the positions up to a ply of a replay and after each of some other actions, and all the actions.

    :raises PlayedOnError: at the first that is not legal.
    """
    states, tokens = list(played.states[: ply + 1]), list(played.actions[:ply])
    for at, token in enumerate(play):
        try:
            states.append(_after(played, states[-1], token))
        except RuleError as error:
            raise PlayedOnError(at, token, error) from None
        tokens.append(token)
    return tuple(states), tuple(tokens)


def _after(played: Replay[Any, Any], state: Any, token: str) -> Any:  # noqa: ANN401 (any game's position)
    ruleset = played.ruleset
    if ruleset.to_act(state) is None:
        raise IllegalMoveError("AGN-MOVE-4", "The game already ended with the previous action.")
    return ruleset.apply(state, ruleset.parse_action(token))


def _played(
    played: Replay[Any, Any], start: int, states: tuple[Any, ...], tokens: tuple[str, ...], reader: Reader
) -> list[Json]:
    ruleset, caption = played.ruleset, played.ruleset.shown.caption
    steps = zip(states[start:], states[start + 1 :], tokens[start:], strict=False)
    return [
        {
            "token": token,
            "seat": ruleset.to_act(before),
            "number": ruleset.number(before),
            "sentence": caption(before, ruleset.parse_action(token), after, token).render(reader.translate),
        }
        for before, after, token in steps
    ]
