"""Looking a position up in the index."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from time import monotonic
from typing import Final, NamedTuple

from django.db import connection

from games.search.reads.blocks import games_in

MOST: Final = 10_000
"""Games that are looked at of a position that more of them reached: the newest."""
_BLOCKS: Final = 50
"""Blocks of one run that are read at first, the last ones: those of a common position hold hundreds of games each."""
_DEEPER: Final = 4
"""How many times as many are read next while too few of their games are wanted."""
_LEAST: Final = 500
"""Games that are asked about at a time beyond those that seem to be needed."""
_SECONDS: Final = 3.0
"""After which no more are read."""

Chosen = Callable[[Sequence[int]], Iterable[int]]
"""Which of some games are wanted."""

# The first block that may hold the number begins with a lower number; then come blocks that begin with it.
_FIND = """
SELECT block.run_id, block.first, block.pairs FROM games_positionrun AS run CROSS JOIN LATERAL (
    (SELECT run_id, first, pairs FROM games_positionblock
     WHERE run_id = run.id AND first = %(number)s ORDER BY id DESC LIMIT %(blocks)s)
    UNION ALL
    (SELECT run_id, first, pairs FROM games_positionblock
     WHERE run_id = run.id AND first < %(number)s ORDER BY first DESC, id DESC LIMIT 1)) AS block
"""


# As `_FIND`, for several numbers.
_FIND_EACH = """
SELECT asked.number, block.first, block.pairs FROM unnest(%(numbers)s::bigint[]) AS asked (number)
CROSS JOIN games_positionrun AS run CROSS JOIN LATERAL (
    (SELECT first, pairs FROM games_positionblock
     WHERE run_id = run.id AND first = asked.number ORDER BY id DESC LIMIT %(blocks)s)
    UNION ALL
    (SELECT first, pairs FROM games_positionblock
     WHERE run_id = run.id AND first < asked.number ORDER BY first DESC, id DESC LIMIT 1)) AS block
"""


class Reached(NamedTuple):
    """The wanted games that reached a position, the newest first."""

    games: tuple[int, ...]
    more: bool
    """Whether there are more than these, or may be."""
    cut: bool = False
    """Whether the search was given up, because it took too long."""


class _Found(NamedTuple):
    """Games that reached a position, as far as blocks were read."""

    games: set[int]
    complete_from: int
    """The lowest id from which on all of them are there; 0 when every block was read."""


def games_that_reached(number: int, chosen: Chosen) -> Reached:
    """Return the newest wanted games that reached the position with a number.

    Games that are not wanted take nobody's place and are not counted: further blocks are read instead, for some
    seconds.
    """
    kept, depth, seen_from, until = list[int](), _BLOCKS, 0, monotonic() + _SECONDS
    while True:
        found = _find(number, depth)
        new = sorted(
            (game for game in found.games if game >= found.complete_from and not 0 < seen_from <= game), reverse=True
        )
        kept += _newest(new, chosen, MOST + 1 - len(kept))
        if len(kept) > MOST or not found.complete_from:
            return Reached(tuple(kept[:MOST]), more=len(kept) > MOST)
        if monotonic() > until:
            return Reached(tuple(kept), more=True, cut=True)
        depth, seen_from = depth * _DEEPER, found.complete_from


def which_reached(numbers: Collection[int], games: AbstractSet[int]) -> dict[int, set[int]]:
    """Return, by the number of a position, which of some games reached it, in one statement.

    Of a run in which very many games reached it, the newest are found.
    """
    found = defaultdict[int, set[int]](set)
    with connection.cursor() as cursor:
        cursor.execute(_FIND_EACH, {"numbers": list(numbers), "blocks": _BLOCKS})
        for number, first, pairs in cursor:
            found[number].update(game for game in games_in(first, bytes(pairs), number) if game in games)
    return found


def _newest(games: Sequence[int], chosen: Chosen, most: int) -> list[int]:
    """Return the first wanted ones of some games, asking for no more at a time than seem to be needed."""
    kept, begin, size = list[int](), 0, most + _LEAST
    while begin < len(games) and len(kept) < most:
        wanted = set(chosen(games[begin : begin + size]))
        kept += [game for game in games[begin : begin + size] if game in wanted]
        begin += size
        size = min(size * _DEEPER, _LEAST + (most - len(kept)) * begin // max(len(kept), 1))
    return kept[:most]


def _find(number: int, depth: int) -> _Found:
    """Return the games in the last blocks of each run that begin with a number, and in the block before these."""
    found, full = set[int](), defaultdict[int, list[int]](list)
    with connection.cursor() as cursor:
        cursor.execute(_FIND, {"number": number, "blocks": depth})
        for run, first, pairs in cursor:
            games = games_in(first, bytes(pairs), number)
            found.update(games)
            if first == number:
                full[run].append(games[0])
    return _Found(found, max((min(lowest) for lowest in full.values() if len(lowest) == depth), default=0))


__all__ = ["MOST", "Chosen", "Reached", "games_that_reached", "which_reached"]
