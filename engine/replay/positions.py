"""The numbers and texts by which the positions of a replay are found again."""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from engine.agn.administrative import administer, parse_administrative
from engine.positions import BITS
from engine.replay.tokens import token_cache
from engine.replay.values import Replay
from engine.ruleset import Ruleset, Step


def position_numbers(replay: Replay[Any, Any]) -> list[int]:
    """Return the numbers of the first position of a replay and of that after each action, `BITS` bits each."""
    edition = _edition(replay.ruleset.slug)
    return [number ^ edition for number in _numbers(replay)]


def position_text(replay: Replay[Any, Any], ply: int) -> str:
    """Return a text that the position at a ply has in common exactly with those that are the same."""
    return text_of(replay.ruleset, state_at(replay, ply))


def number_of(ruleset: Ruleset[Any, Any], state: Any) -> int:  # noqa: ANN401 (any game's position)
    """Return the number of a position."""
    return ruleset.positions.number(state) ^ _edition(ruleset.slug)


def text_of(ruleset: Ruleset[Any, Any], state: Any) -> str:  # noqa: ANN401 (any game's position)
    """Return a text that a position has in common exactly with those that are the same."""
    return f"{ruleset.slug}\n{ruleset.positions.text(state)}"


def state_at(replay: Replay[Any, Any], ply: int) -> Any:  # noqa: ANN401 (any game's position)
    """Return the position at a ply of a replay, without those between."""
    ruleset, state, at = replay.ruleset, replay.start, 0
    known = token_cache(ruleset.parse_action, ruleset.step)
    while at < ply:
        if steps := known.read(replay.actions[at:ply]):
            state = ruleset.play(state, steps).state
            at += len(steps)
        else:
            state = _administered(ruleset, state, replay.actions[at])
            at += 1
    return state


def _administered(ruleset: Ruleset[Any, Any], state: Any, token: str) -> Any:  # noqa: ANN401 (any game's position)
    said = parse_administrative(token)
    if said is None:
        raise ValueError(f"{token} is no action")
    return administer(ruleset, state, said)


@cache
def _edition(slug: str) -> int:
    return int.from_bytes(sha256(slug.encode()).digest()[: BITS // 8])


def _numbers(replay: Replay[Any, Any]) -> list[int]:
    """Return the numbers stretch by stretch: between two stretches a seat leaves, or both agree to a draw."""
    ruleset, actions, state, at = replay.ruleset, replay.actions, replay.start, 0
    known, found, last = token_cache(ruleset.parse_action, ruleset.step), list[int](), len(replay.actions) - 1
    while True:
        steps = known.read(actions[at:])
        at += len(steps)
        numbers, after = _along(ruleset, state, steps, replay.last if at > last and replay.finished else None)
        found += numbers
        if at > last:
            return found
        if at == last:
            return found + _along(ruleset, replay.last, (), None)[0]
        state = _administered(ruleset, after(), actions[at])
        at += 1


def _along(
    ruleset: Ruleset[Any, Any],
    state: Any,  # noqa: ANN401 (any game's position)
    steps: Sequence[Step],
    over: Any,  # noqa: ANN401
) -> tuple[list[int], Callable[[], Any]]:
    """Return the numbers of a position and of those after some actions, and what returns the last of them.

    None of these actions is administrative.
    """
    parts = ruleset.positions
    if parts.along is not None:
        return parts.along(state, steps, over)
    found = [parts.number(state)]
    for step in steps:
        state = ruleset.play(state, (step,)).state
        found.append(parts.number(state))
    return found, lambda: state


__all__ = ["number_of", "position_numbers", "position_text", "state_at", "text_of"]
