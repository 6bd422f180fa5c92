"""Lanes: threads reserved for one kind of request, so that no other kind can take them all."""

from enum import Enum, auto
from typing import NamedTuple
from wsgiref.types import WSGIEnvironment

from django.conf import settings

from atta_site.front.turns import Bounds

LIVE = "/health/live"
"""Answered without a thread."""
_HEALTH = frozenset({"/health", "/health/ready"})
_ACCOUNT = "/account/"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Lane(Enum):
    """A kind of request."""

    PAGES = auto()
    HEALTH = auto()
    FILES = auto()
    """Static files, which need no database."""
    PASSWORDS = auto()
    """Forms of accounts: to hash a password takes half a second of a processor."""
    DOWNLOADS = auto()
    """What follows the beginning of a long answer, a slice at a time (`slices`)."""


LONG_ANSWERS, LONG_ANSWERS_EACH = 512, 64
"""Long answers at a time, in all and of one address."""


class Width(NamedTuple):
    """How many threads a lane has, and who may wait for them."""

    threads: int
    bounds: Bounds


WIDTHS = {
    # One address never gets all threads for pages; one is left for others. A whole club may share one address.
    Lane.PAGES: Width(4, Bounds(4096, 1024, 3)),
    Lane.HEALTH: Width(1, Bounds(1024, 256, 1)),
    Lane.FILES: Width(2, Bounds(4096, 1024, 2)),
    Lane.PASSWORDS: Width(1, Bounds(256, 64, 1)),
    Lane.DOWNLOADS: Width(1, Bounds(LONG_ANSWERS, LONG_ANSWERS_EACH, 1)),
}
"""Of each process."""


def lane_of(environ: WSGIEnvironment) -> Lane:
    """Return the lane of a request."""
    path = environ["PATH_INFO"]
    if path in _HEALTH:
        return Lane.HEALTH
    if path.startswith(settings.STATIC_URL):
        return Lane.FILES
    if path.startswith(_ACCOUNT) and environ["REQUEST_METHOD"] not in _SAFE:
        return Lane.PASSWORDS
    return Lane.PAGES
