"""A replay's actions as a list to read and to step through, by rounds and turns."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.replay import Replay

SIZE = 250
"""Actions that are listed at once: most games have fewer, and some have 5,000."""
_TALK = 20_000
"""Characters of comments in one list; where there are more each is cut, and the downloads have them whole."""


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


@dataclass(frozen=True, slots=True)
class MovesPage:
    """A part of the actions, those around the position that is shown: all of them, unless there are many."""

    rounds: tuple[Round, ...]
    opening: str
    """The comment before the first action, where the list begins with that."""
    first: int
    """The plies of the first and the last action here; of none 1 and 0."""
    last: int
    total: int
    previous: int | None
    """A ply of the part before this one, and of the part behind it."""
    next: int | None

    @property
    def is_part(self) -> bool:
        """Whether there are more actions than these."""
        return self.last - self.first + 1 < self.total


def moves_page(replay: Replay[Any, Any], shown: int) -> MovesPage:
    """Return the actions around a position by rounds and turns, and after the last the token at fault.

    :param shown: the state that the page shows.
    """
    total = len(replay.actions)
    start = (max(shown, 1) - 1) // SIZE * SIZE
    end = min(start + SIZE, total)
    return MovesPage(
        rounds=tuple(_rounds(replay, range(start, end), shown)),
        opening=_cut(replay.comments.get(-1, ""), _TALK) if not start else "",
        first=start + 1,
        last=end,
        total=total,
        previous=start or None,
        next=end + 1 if end < total else None,
    )


def _rounds(replay: Replay[Any, Any], part: range, shown: int) -> Iterator[Round]:
    most = _TALK // max(1, sum(at in replay.comments for at in part))
    turns = []
    for number, letter, plies in replay.spells():
        if here := range(max(plies.start, part.start), min(plies.stop, part.stop)):
            turns.append((number, _turn(replay, letter, here, shown, most)))
    faulty = _faulty(replay) if part.stop == len(replay.actions) else None
    turns += [faulty] if faulty else []
    for number, found in groupby(turns, key=lambda pair: pair[0]):
        yield Round(number, tuple(turn for _, turn in found))


def _turn(replay: Replay[Any, Any], letter: str, actions: range, shown: int, most: int) -> Turn:
    comments = replay.comments
    moves = (Move(at + 1, replay.actions[at], _cut(comments.get(at, ""), most), at + 1 == shown) for at in actions)
    return Turn(letter, _colour(replay, letter), tuple(moves))


def _cut(comment: str, most: int) -> str:
    return comment if len(comment) <= most else f"{comment[:most]} …"


def _faulty(replay: Replay[Any, Any]) -> tuple[int, Turn] | None:
    fault, last = replay.fault, replay.last
    if fault is None or not fault.token:
        return None
    letter = replay.ruleset.to_act(last) or ""
    return replay.ruleset.number(last), Turn(letter, _colour(replay, letter), (), fault.token)


def _colour(replay: Replay[Any, Any], letter: str) -> str:
    return replay.ruleset.seat(letter).colour if letter else ""
