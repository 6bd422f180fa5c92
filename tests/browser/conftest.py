"""Games on the running site."""

from collections.abc import Callable
from datetime import datetime

import pytest

from games.models import Game, Upload
from games.services.intake import take_in
from tests.games.judging import judge_all

HandIn = Callable[..., list[Game]]


@pytest.fixture
def hand_in(live: str, now: datetime) -> HandIn:
    """Take records in and judge them as the worker does, without waiting for one."""

    def games_of(*records: bytes) -> list[Game]:
        upload = take_in(b"\n".join(records), via=Upload.Via.WEB, now=now, filename="evening.agn")
        judge_all(now)
        return [log.game for log in upload.logs.order_by("number") if log.game]

    return games_of
