"""The opening of a replay."""

from typing import Any

from engine.openings import OpeningStep, written
from engine.replay.values import Replay


def opening_of(replay: Replay[Any, Any]) -> str:
    """Return the opening of a legal replay as it is written; an empty text for a game without openings."""
    return written(opening_steps(replay))


def opening_steps(replay: Replay[Any, Any]) -> list[OpeningStep]:
    """Return the steps of the opening of a legal replay."""
    parts = replay.ruleset.openings
    return parts.steps(replay.tags, replay.actions) if parts else []


__all__ = ["opening_of", "opening_steps"]
