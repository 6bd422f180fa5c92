"""Lanes: places kept for one kind of request, so that no other kind can take all threads."""

import re
from enum import Enum, auto
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest

LIVE = "/health/live"
"""Answered without a thread."""
_HEALTH = frozenset({"/health", "/health/ready"})
_ACCOUNT = "/account/"
_REPLAYED = re.compile(
    r"/account/export/"
    r"|/check/"
    r"|/games/[^/]+/.*"
    r"|/studies/.+"
    r"|/api/v[0-9]+/(games/(?!of-the-day).+|openings/.+|studies/.+|uploads/[^/]+/report|.+/table|leaderboards/.+/games)"
)
"""What replays records, or writes answers that grow with them."""
_DRAFTS, _LONG = re.compile(r"/api/v[0-9]+/(positions|studies)"), 16 * 1024
"""Records that are sent, and the bytes beyond which they take long: hardly any record of a game has more."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Lane(Enum):
    """A kind of request."""

    PAGES = auto()
    HEALTH = auto()
    FILES = auto()
    """Static files, which need no database."""
    PASSWORDS = auto()
    """Forms of accounts: to hash a password takes half a second of a processor."""
    REPLAYS = auto()
    """What takes the longer the longer a record is, up to a second; what waits for it holds no thread."""
    DOWNLOADS = auto()
    """What follows the beginning of a long answer, a slice at a time."""


LONG_ANSWERS, LONG_ANSWERS_EACH = 512, 64
"""Long answers at a time, in all and of one address."""


class Width(NamedTuple):
    """How many requests of a lane are answered at once, in all and of one address."""

    places: int
    each: int


WIDTHS = {
    # One address never gets all places for pages; one is left for others. A whole club may share one address.
    Lane.PAGES: Width(4, 3),
    Lane.HEALTH: Width(1, 1),
    Lane.FILES: Width(2, 2),
    Lane.PASSWORDS: Width(1, 1),
    # A second one would wait for the same interpreter, and double the memory that the longest replays take.
    Lane.REPLAYS: Width(1, 1),
    Lane.DOWNLOADS: Width(1, 1),
}
"""Of each process."""


def lane_of(request: HttpRequest) -> Lane:
    """Return the lane of a request."""
    path = request.path_info
    if path in _HEALTH:
        return Lane.HEALTH
    if path.startswith(settings.STATIC_URL):
        return Lane.FILES
    if path.startswith(_ACCOUNT) and request.method not in _SAFE:
        return Lane.PASSWORDS
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    if _REPLAYED.fullmatch(path) or (_DRAFTS.fullmatch(path) and length > _LONG):
        return Lane.REPLAYS
    return Lane.PAGES
