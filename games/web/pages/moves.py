"""A replay's actions as a list to read and to step through, by rounds and turns."""

from collections.abc import Iterator
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
    turns = [(number, _turn(replay, letter, list(plies), shown)) for (number, letter), plies in _grouped(replay)]
    if faulty := _faulty(replay):
        turns.append(faulty)
    return [
        Round(number, tuple(turn for _, turn in found)) for number, found in groupby(turns, key=lambda pair: pair[0])
    ]


def _grouped(replay: Replay[Any, Any]) -> Iterator[tuple[tuple[int, str], Iterator[int]]]:
    """The actions' numbers, together those of one round and seat that follow each other."""
    to_act = replay.ruleset.to_act
    return groupby(range(len(replay.actions)), key=lambda at: (replay.numbers[at], to_act(replay.states[at]) or ""))


def _turn(replay: Replay[Any, Any], letter: str, actions: list[int], shown: int) -> Turn:
    moves = (Move(at + 1, replay.actions[at], replay.comments.get(at, ""), at + 1 == shown) for at in actions)
    return Turn(letter, _colour(replay, letter), tuple(moves))


def _faulty(replay: Replay[Any, Any]) -> tuple[int, Turn] | None:
    fault, last = replay.fault, replay.states[-1]
    if fault is None or not fault.token:
        return None
    letter = replay.ruleset.to_act(last) or ""
    return replay.ruleset.number(last), Turn(letter, _colour(replay, letter), (), fault.token)


def _colour(replay: Replay[Any, Any], letter: str) -> str:
    return replay.ruleset.seat(letter).colour if letter else ""
