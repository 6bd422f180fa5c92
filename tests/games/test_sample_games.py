"""The sample games follow the same rules as all uploads."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoDbBlocker

from games import sample_games
from games.models import Acceptance, Act, Claim, Club, Confirmation, Flag, Game, Ladder, RatingEvent, Upload
from games.run import rate_waiting
from tests.conftest import NOW
from tests.games.judging import judge_all
from tests.standing import standing_rows

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def start(now: datetime) -> int:
    """Do what `make run` does, with the worker's part done directly."""
    sample_games.upload(now=now)
    judge_all(now)
    confirmed = sample_games.let_players_confirm(now=now)
    rate_waiting(now=now)
    return confirmed


@pytest.fixture(scope="module")
def _started(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[int]:
    with standing_rows(django_db_blocker):
        with django_db_blocker.unblock():
            confirmed = start(NOW)
        yield confirmed


@pytest.fixture
def started(_started: int, db: None) -> int:
    """Add the sample games in a first start; return how many games were confirmed."""
    return _started


def everything() -> list[int]:
    return [model.objects.count() for model in (User, Club, Upload, Game, Claim, Confirmation, Act, Acceptance,
                                                RatingEvent)]  # fmt: skip


def test_samples_fill_the_ladders_of_site_and_club(started: int) -> None:
    verified = Game.objects.filter(verdict="verified").count()
    assert started == verified > 50
    of_site, of_club = (
        dict(Ladder.objects.filter(club__isnull=site).values_list("ruleset", "games")) for site in (True, False)
    )
    assert of_site == of_club
    assert len(of_site) > 3
    assert min(of_site.values()) > 0
    assert not Acceptance.objects.filter(number=None).exists()
    assert not Flag.objects.exists(), "the samples are nothing unusual"


def test_every_sample_seat_is_confirmed_by_its_own_account(started: int) -> None:
    for game in Game.objects.filter(verdict="verified"):
        words = set(game.confirmations.filter(digest=game.digest).values_list("seat", "account"))
        assert words == set(game.seatings.values_list("seat", "player__account"))
    assert set(Claim.objects.values_list("state", "decided_by__username")) == {("approved", "Steward (sample)")}
    assert Act.objects.filter(kind="claim-approved").count() == Claim.objects.count()


def test_sample_accounts_have_no_usable_password(started: int) -> None:
    assert not any(user.has_usable_password() for user in User.objects.all())


def test_a_second_start_adds_nothing(started: int, now: datetime) -> None:
    before = everything()

    assert start(now + timedelta(days=30)) == 0

    assert everything() == before
