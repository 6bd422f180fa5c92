"""What happened in a game as numbers, so that games can be found by their events and nothing is replayed for it.

There is a number for each kind of event and each size at which it happened, one more for each in the last round or pair
of turns, and one for how often it happened.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Final, TypeVar

from engine.ruleset import Ruleset
from engine.story.following import moments_of

S = TypeVar("S")
A = TypeVar("A")

MOST: Final = 127
"""Sizes and frequencies above this one count as this one."""
_ANYWHERE, _LAST, _OFTEN = range(3)
_SIZES: Final = MOST + 1
_SCOPES: Final = 4


def event_codes(
    ruleset: Ruleset[S, A], states: Sequence[S], tokens: Sequence[str], numbers: Sequence[int]
) -> list[int]:
    """Return the numbers of what happened in a game, sorted.

    :param states: the first position and that after each action.
    :param numbers: of each action its round, or pair of turns.
    """
    moments = list(moments_of(ruleset, states, tokens, (0, *numbers)))
    codes = {_code(moment.event.kind, _ANYWHERE, moment.event.amount) for moment in moments}
    codes |= {_code(event.kind, _LAST, event.amount) for _, number, event in moments if number == numbers[-1]}
    often = Counter(moment.event.kind for moment in moments)
    return sorted(codes | {_code(kind, _OFTEN, count) for kind, count in often.items()})


def codes_of_size(kind: str, size: int, *, last_round: bool) -> list[int]:
    """Return numbers: a game has one of them if an event of this kind and at least this size happened in it."""
    return list(_codes(kind, _LAST if last_round else _ANYWHERE, size))


def codes_of_count(kind: str, count: int) -> list[int]:
    """Return numbers: a game has one of them if events of this kind happened in it at least so many times."""
    return list(_codes(kind, _OFTEN, count))


def _codes(kind: str, scope: int, least: int) -> Iterator[int]:
    return (_code(kind, scope, size) for size in range(min(least, MOST), _SIZES))


def _code(kind: str, scope: int, size: int) -> int:
    return (_number(kind) * _SCOPES + scope) * _SIZES + min(size, MOST)


@cache
def _number(kind: str) -> int:
    """Return a number that stays the same for a kind when others are added."""
    return int.from_bytes(sha256(kind.encode()).digest()[:2])


__all__ = ["MOST", "codes_of_count", "codes_of_size", "event_codes"]
