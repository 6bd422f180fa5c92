"""Shared code for the games in `fixtures/*/shown`: each continues differently without one rule."""

from pathlib import Path
from typing import Any, Protocol

from engine.replay import Replay
from engine.verify import Verdict
from tests.engine.referees import BrokenRuleError

ILLEGAL = frozenset({"illegal"})
"""The difference reported when an action is not even allowed."""


class Referee(Protocol):
    """An independent implementation of a game's rules."""

    def play(self, token: str) -> None: ...

    def state(self) -> dict[str, Any]: ...


def rule_of(path: Path) -> str:
    return "-".join(path.stem.split("-")[:3])


def replay_of(verdict: Verdict) -> Replay[Any, Any]:
    assert verdict.replay is not None
    assert verdict.fault is None
    return verdict.replay


def first_difference(replay: Replay[Any, Any], game: Referee) -> set[str]:
    """Return what differs in the first state where the referee disagrees with the replay."""
    for token, state in zip(("", *replay.actions), replay.states, strict=True):
        try:
            if token:
                game.play(token)
        except BrokenRuleError:
            return set(ILLEGAL)
        seen, described = game.state(), replay.ruleset.describe(state)
        if seen != described:
            return {name for name, value in seen.items() if value != described[name]}
    return set()
