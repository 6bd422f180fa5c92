"""Reading games."""

from collections.abc import Callable
from datetime import datetime

import pytest

from games.models import Game, RatingEvent, Upload
from games.ratings.reads.ledger import ratings_of
from games.records.reads.games import faults_of, latest_verified
from tests.factories import BROKEN, record
from tests.games.judging import count_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


def stored(data: bytes, at: datetime) -> list[Game]:
    """Upload records and judge them; return their games."""
    upload = upload_file(data, via=Upload.Via.WEB, now=at)
    count_all(at)
    return [log.game for log in upload.logs.order_by("number") if log.game]


def test_the_latest_games_are_verified_ones_only(now: datetime) -> None:
    first, _, _ = stored(b"\n".join([record(), BROKEN, record("NS@0,2 *")]), now)
    assert latest_verified(5) == [first]


def test_faults_are_those_of_the_first_log(now: datetime) -> None:
    legal, broken = stored(b"\n".join([record(), BROKEN]), now)
    found = faults_of([legal, broken])
    assert {number: verdict.rule for number, verdict in found.items()} == {broken.pk: "ATTA-MOVE-1"}


def test_no_query_is_made_without_rejected_games(
    now: datetime, django_assert_num_queries: Callable[..., object]
) -> None:
    (legal,) = stored(record(), now)
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        assert faults_of([legal]) == {}


def test_ratings_of_a_game_are_by_seat(now: datetime) -> None:
    (game,) = stored(record(), now)
    events = ratings_of(game)
    assert {seat: event.place for seat, event in events.items()} == {0: 2, 1: 1}
    assert RatingEvent.objects.count() == 2
