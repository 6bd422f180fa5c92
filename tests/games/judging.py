"""The worker's part, done at once: the same code, called without a message."""

from datetime import datetime

from games.models import Game
from games.ratings.acceptance import accept_due, make_due
from games.verification import queue


def judge_all(now: datetime) -> None:
    """Judge every log that waits."""
    while claims := queue.claim():
        assert judge_batch(claims, now) == len(claims)


def judge_batch(claims: list[queue.Lease], now: datetime, *, spent: float = 0) -> int:
    """Judge claimed logs together."""
    return queue.judge_together(claims, now=now, spent=lambda: spent)


def count_all(now: datetime, *, watch: bool = False) -> None:
    """Judge every log that waits, and have every verified game count, as if all seats had confirmed.

    :param watch: whether what is unusual waits, as it does.
    """
    judge_all(now)
    make_due(Game.objects.filter(verdict="verified", same_as=None).order_by("pk"), now=now)
    accept_due(now=now, watch=watch)
