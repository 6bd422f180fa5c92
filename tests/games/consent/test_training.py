"""Training games, club uploads, and what nobody can do to others by uploading first or leaving."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games.accounts.deletion import delete_account
from games.clubs import organising
from games.clubs.errors import ClubError
from games.models import Acceptance, Game, Player, Upload
from games.players.claims import ClaimError, make_claim
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
TRAINING = UploadOptions(scored=False)


def uploaded_game(now: datetime, options: UploadOptions, by: User | None = None, data: bytes = record()) -> Game:
    upload_file(data, via=Upload.Via.API, now=now, uploader=by, options=options)
    judge_all(now)
    return Game.objects.get()


def test_a_game_is_training_only_while_every_upload_says_so(now: datetime, alice: User, mallory: User) -> None:
    assert not uploaded_game(now, TRAINING, mallory).scored
    assert not uploaded_game(now, TRAINING, alice).scored
    assert uploaded_game(now, UploadOptions(), alice).scored
    assert uploaded_game(now, TRAINING, mallory, record() + b"\n").scored


def test_club_rates_games_of_its_organiser_despite_training_uploads(now: datetime, alice: User, mallory: User) -> None:
    nest = organising.found(slug="nest", name="The nest", about="", organiser=alice, now=now)
    uploaded_game(now, TRAINING, mallory)
    uploaded_game(now, UploadOptions(club=nest), alice)
    rate_waiting(now=now)
    assert Acceptance.objects.get(ladder__club=nest).number == 1


def test_sole_organiser_must_name_another_before_deleting_the_account(now: datetime, alice: User, bob: User) -> None:
    nest = organising.found(slug="nest", name="The nest", about="", organiser=alice, now=now)
    with pytest.raises(ClubError, match="Name another organiser first: nobody else organises The nest"):
        delete_account(alice, now=now)
    nest.members.create(account=bob, name="bob", joined_at=now)
    organising.name_organiser(nest, bob, by=alice, now=now)
    delete_account(alice, now=now)
    assert list(nest.organisers.all()) == [bob]
    assert nest.members.get().role == "owner"


def test_claim_to_a_merged_name_points_to_the_remaining_player(now: datetime, alice: User) -> None:
    uploaded_game(now, UploadOptions())
    ada, bruno = Player.objects.order_by("name")
    ada.merged_into = bruno
    ada.save()
    with pytest.raises(ClaimError, match="Ada was merged into Bruno: claim that name"):
        make_claim(ada, alice, now=now)
