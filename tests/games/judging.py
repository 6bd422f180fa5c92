"""The worker's part, called directly instead of through messages."""

from datetime import datetime

from games.models import Game
from games.ratings.acceptance import accept_due, make_due
from games.search.waiting import index_waiting
from games.verification import queue


def judge_all(now: datetime) -> None:
    """Judge every waiting log; the new games wait to be indexed."""
    while claims := queue.claim():
        assert judge_batch(claims, now) == len(claims)


def judge_and_index(now: datetime) -> None:
    """Judge every waiting log, and index the new games, so that a search finds them."""
    judge_all(now)
    index_waiting(has_time=lambda: True)


def judge_batch(claims: list[queue.Lease], now: datetime, *, spent: float = 0) -> int:
    """Judge claimed logs together."""
    return queue.judge_together(claims, now=now, spent=lambda: spent)


def count_all(now: datetime, *, watch: bool = False) -> None:
    """Judge every waiting log and rate every verified game, as if all seats had confirmed.

    :param watch: whether unusual games are held as usual.
    """
    judge_all(now)
    make_due(Game.objects.filter(verdict="verified", same_as=None).order_by("pk"), now=now)
    accept_due(now=now, watch=watch)
