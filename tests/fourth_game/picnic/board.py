"""The row of plates with crumbs and ants."""

from collections.abc import Iterator

NAMES = "abcdefghijklmnopqrst"
"""The plates from left to right; a row may be shorter (PICNIC-CLOTH-1)."""
SHORTEST = 5
MOST_CRUMBS = 3
ANTS = 3
"""Ants of each player (PICNIC-PLACE-2)."""

Row = tuple[int, ...]
"""The number of crumbs on every plate."""


def within_reach(crumbs: Row, ants: frozenset[int], plate: int) -> Iterator[int]:
    """Yield the nearest plates with crumbs to the left and right, if no ant is in between (PICNIC-WALK-1)."""
    for way in (range(plate - 1, -1, -1), range(plate + 1, len(crumbs))):
        met = next((other for other in way if crumbs[other] or other in ants), None)
        if met is not None and crumbs[met]:
            yield met
