"""What the games of `fixtures/*/shown` have in common: a game that goes another way without one rule."""

from pathlib import Path
from typing import Any, Protocol

from engine.replay import Replay
from engine.verify import Verdict

ILLEGAL = frozenset({"illegal"})
"""What is seen otherwise when an action is not even allowed."""


class Referee(Protocol):
    """An independent reading of a game's rules."""

    def play(self, token: str) -> None: ...

    def state(self) -> dict[str, Any]: ...


def rule_of(path: Path) -> str:
    return "-".join(path.stem.split("-")[:3])


def replay_of(verdict: Verdict) -> Replay[Any, Any]:
    assert verdict.replay is not None
    assert verdict.fault is None
    return verdict.replay


def first_difference(replay: Replay[Any, Any], game: Referee, broken: type[Exception]) -> set[str]:
    """What a referee sees otherwise in the first state that he does not see as the replay does.

    `broken` is what the referee raises when he does not allow an action.
    """
    for token, state in zip(("", *replay.actions), replay.states, strict=True):
        try:
            if token:
                game.play(token)
        except broken:
            return set(ILLEGAL)
        seen, described = game.state(), replay.ruleset.describe(state)
        if seen != described:
            return {name for name, value in seen.items() if value != described[name]}
    return set()
