"""The opening of a replay, or of a record that need not be played for it."""

from typing import Any

from engine.agn.log import Record
from engine.agn.reading import NUMBER, RESULT, parse
from engine.openings import OpeningStep, written
from engine.replay.values import Replay
from engine.ruleset import Ruleset


def opening_of(replay: Replay[Any, Any]) -> str:
    """Return the opening of a legal replay as it is written; an empty text for a game without openings."""
    return written(opening_steps(replay))


def opening_steps(replay: Replay[Any, Any]) -> list[OpeningStep]:
    """Return the steps of the opening of a legal replay."""
    parts = replay.ruleset.openings
    return parts.steps(replay.tags, replay.actions) if parts else []


def record_steps(ruleset: Ruleset[Any, Any], record: Record) -> list[OpeningStep]:
    """Return the steps of the opening of a legal record, as those of its replay."""
    log, parts = parse(record), ruleset.openings
    actions = [token for token in log.tokens if not (NUMBER.fullmatch(token) or RESULT.fullmatch(token))]
    return parts.steps(log.tags, actions) if parts else []


__all__ = ["opening_of", "opening_steps", "record_steps"]
