"""A replay's actions as a list to read and to step through, by rounds and turns."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class Move:
    """One action and what was written about it."""

    ply: int
    """The state that it leads to."""
    token: str
    comment: str
    current: bool
    """Whether it led to the position that is shown."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat did in a row."""

    letter: str
    colour: str
    moves: tuple[Move, ...]
    faulty: str = ""
    """The token at fault, if it is this seat's."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round, or a pair of turns, by its number."""

    number: int
    turns: tuple[Turn, ...]


def rounds_of(replay: Replay[Any, Any], shown: int) -> list[Round]:
    """A replay's actions by rounds and turns, and the token at fault at their end.

    :param shown: the state that the page shows.
    """
    turns = [(number, _turn(replay, letter, plies, shown)) for number, letter, plies in replay.spells()]
    if faulty := _faulty(replay):
        turns.append(faulty)
    return [
        Round(number, tuple(turn for _, turn in found)) for number, found in groupby(turns, key=lambda pair: pair[0])
    ]


def _turn(replay: Replay[Any, Any], letter: str, actions: range, shown: int) -> Turn:
    moves = (Move(at + 1, replay.actions[at], replay.comments.get(at, ""), at + 1 == shown) for at in actions)
    return Turn(letter, _colour(replay, letter), tuple(moves))


def _faulty(replay: Replay[Any, Any]) -> tuple[int, Turn] | None:
    fault, last = replay.fault, replay.last
    if fault is None or not fault.token:
        return None
    letter = replay.ruleset.to_act(last) or ""
    return replay.ruleset.number(last), Turn(letter, _colour(replay, letter), (), fault.token)


def _colour(replay: Replay[Any, Any], letter: str) -> str:
    return replay.ruleset.seat(letter).colour if letter else ""
