"""The sample games are complete in the end, however often their start was interrupted."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games import sample_games
from games.models import Claim, Club, Ladder, Player, Upload
from tests.games.judging import judge_all
from tests.games.test_sample_games import start
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


@pytest.mark.full
def test_a_start_that_broke_off_is_completed_by_the_next(now: datetime) -> None:
    sample_games.upload(now=now)
    Upload.objects.filter(filename="club-evenings.agn").update(filename="not yet there")
    assert sample_games.let_players_confirm(now=now) == 0
    Upload.objects.filter(filename="not yet there").update(filename="club-evenings.agn")

    assert start(now) > 50


@pytest.mark.full
def test_names_introduced_by_others_wait_for_a_moderator(now: datetime, mallory: User) -> None:
    data = (sample_games.FOLDER / "army-ants.agn").read_bytes()
    upload_file(data, via=Upload.Via.WEB, now=now, uploader=mallory)
    judge_all(now)

    start(now)

    hers = Player.objects.filter(introduced_by=mallory)
    assert hers.exists()
    assert set(Claim.objects.filter(player__in=hers).values_list("state", flat=True)) == {"open"}
    assert not Ladder.objects.filter(ruleset="army-ants", club=None).exists()
    assert Ladder.objects.get(ruleset="army-ants").games > 0


def test_club_with_other_organisers_gets_no_more_samples(now: datetime) -> None:
    sample_games.upload(now=now)
    Club.objects.get().organisers.clear()
    Upload.objects.filter(filename="army-ants.agn").update(filename="away.agn")

    sample_games.upload(now=now)

    assert Upload.objects.get(filename="army-ants.agn").club is None
