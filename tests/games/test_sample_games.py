"""The sample games come in by the rules that hold for all, whole in the end however often that broke off."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from games import sample_games
from games.models import Acceptance, Act, Claim, Confirmation, Flag, Game, Ladder, League, Player, RatingEvent, Upload
from games.run import rate_waiting
from tests.games.judging import judge_all
from tests.games.uploading import take_in

pytestmark = pytest.mark.django_db


def start(now: datetime) -> int:
    """What `make run` does, with the worker's part done at once."""
    sample_games.upload(now=now)
    judge_all(now)
    confirmed = sample_games.let_players_confirm(now=now)
    rate_waiting(now=now)
    return confirmed


def everything() -> list[int]:
    return [model.objects.count() for model in (User, League, Upload, Game, Claim, Confirmation, Act, Acceptance,
                                                RatingEvent)]  # fmt: skip


def test_they_fill_the_boards_of_the_site_and_of_the_club(now: datetime) -> None:
    confirmed = start(now)

    verified = Game.objects.filter(verdict="verified").count()
    assert confirmed == verified > 50
    of_site, of_club = (
        dict(Ladder.objects.filter(league__isnull=site).values_list("ruleset", "games")) for site in (True, False)
    )
    assert of_site == of_club
    assert len(of_site) > 3
    assert min(of_site.values()) > 0
    assert not Acceptance.objects.filter(number=None).exists()
    assert not Flag.objects.exists(), "the samples are nothing unusual"


def test_every_seat_has_given_its_own_word_under_a_name_that_the_uploader_granted(now: datetime) -> None:
    start(now)

    for game in Game.objects.filter(verdict="verified"):
        words = set(game.confirmations.filter(digest=game.digest).values_list("seat", "account"))
        assert words == set(game.seatings.values_list("seat", "player__account"))
    assert set(Claim.objects.values_list("state", "decided_by__username")) == {("approved", "Steward (sample)")}
    assert Act.objects.filter(kind="claim-approved").count() == Claim.objects.count()


def test_nobody_can_sign_in_as_one_of_them(now: datetime) -> None:
    start(now)
    assert not any(user.has_usable_password() for user in User.objects.all())


def test_a_second_start_adds_nothing(now: datetime) -> None:
    start(now)
    before = everything()

    assert start(now + timedelta(days=30)) == 0

    assert everything() == before


def test_a_start_that_broke_off_is_completed_by_the_next(now: datetime) -> None:
    sample_games.upload(now=now)
    Upload.objects.filter(filename="club-evenings.agn").update(filename="not yet there")
    assert sample_games.let_players_confirm(now=now) == 0
    Upload.objects.filter(filename="not yet there").update(filename="club-evenings.agn")

    assert start(now) > 50


def test_names_that_somebody_else_introduced_wait_for_a_moderator(now: datetime, mallory: User) -> None:
    data = (sample_games.FOLDER / "army-ants.agn").read_bytes()
    take_in(data, via=Upload.Via.WEB, now=now, uploader=mallory)
    judge_all(now)

    start(now)

    hers = Player.objects.filter(introduced_by=mallory)
    assert hers.exists()
    assert set(Claim.objects.filter(player__in=hers).values_list("state", flat=True)) == {"open"}
    assert not Ladder.objects.filter(ruleset="army-ants", league=None).exists()
    assert Ladder.objects.get(ruleset="army-ants").games > 0


def test_a_club_that_has_other_organisers_gets_no_more_games(now: datetime) -> None:
    sample_games.upload(now=now)
    League.objects.get().organisers.clear()
    Upload.objects.filter(filename="army-ants.agn").update(filename="away.agn")

    sample_games.upload(now=now)

    assert Upload.objects.get(filename="army-ants.agn").league is None
