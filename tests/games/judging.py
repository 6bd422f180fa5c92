"""The worker's part, done at once: the same code, called without a message."""

from datetime import datetime

from games.services import verification


def judge_all(now: datetime) -> None:
    """Judge every log that waits."""
    while claims := verification.claim():
        for claim in claims:
            assert verification.judge(claim, now=now)
