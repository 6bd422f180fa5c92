"""Looking a position up in the index."""

from typing import Final, NamedTuple

from django.db import connection

from games.search.reads.blocks import games_in

MOST: Final = 10_000
"""Games that are looked at of a position that more of them reached: the newest."""
_BLOCKS: Final = 50
"""Blocks of one run that are read, the last first: those of a common position hold hundreds of games each."""
# The first block that may hold the number begins with a lower number; then come blocks that begin with it.
_FIND = """
SELECT block.run_id, block.first, block.pairs FROM games_positionrun AS run CROSS JOIN LATERAL (
    (SELECT run_id, first, pairs FROM games_positionblock
     WHERE run_id = run.id AND first = %(number)s ORDER BY id DESC LIMIT %(blocks)s)
    UNION ALL
    (SELECT run_id, first, pairs FROM games_positionblock
     WHERE run_id = run.id AND first < %(number)s ORDER BY first DESC, id DESC LIMIT 1)) AS block
"""


class Reached(NamedTuple):
    """The games that reached a position, the newest first."""

    games: tuple[int, ...]
    """Their ids; among them may be games that a viewer may not see, and such as lead on to others."""
    more: bool
    """Whether there are more than these."""


def games_that_reached(number: int) -> Reached:
    """Return the games that reached the position with a number."""
    found, blocks = set[int](), dict[int, int]()
    with connection.cursor() as cursor:
        cursor.execute(_FIND, {"number": number, "blocks": _BLOCKS})
        for run, first, pairs in cursor:
            found.update(games_in(first, bytes(pairs), number))
            blocks[run] = blocks.get(run, 0) + (first == number)
    more = len(found) > MOST or any(count == _BLOCKS for count in blocks.values())
    return Reached(tuple(sorted(found, reverse=True)[:MOST]), more)


__all__ = ["MOST", "Reached", "games_that_reached"]
