"""An upload as confirmation: only of the uploader's own seat, and only after somebody else's upload."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games.consent.confirmations import confirm
from games.consent.privacy import hide
from games.consent.reads.eligibility import Consent, consent_of
from games.models import Acceptance, Confirmation, Game, Upload
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.consent.asking import DAY, due, uploaded_game
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


def current_consent(game: Game, now: datetime) -> Consent:
    return consent_of(Game.objects.get(pk=game.pk), now=now)


def test_upload_by_a_player_counts_as_confirmation_after_another_upload(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    game = uploaded_game(now, by=mallory)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    uploaded_game(now + DAY, by=alice)
    word = Confirmation.objects.get()
    assert (word.seat, word.account, word.how, current_consent(game, now + DAY).state) == (0, alice, "upload", "partly")
    uploaded_game(now + DAY, by=bob)
    assert due(game)


def test_first_upload_never_counts_as_confirmation(alice: User, bob: User, now: datetime) -> None:
    first = uploaded_game(now)
    give_seat(first, 0, alice, now)
    give_seat(first, 1, bob, now)
    game = uploaded_game(now + DAY, text=record("NS@0,2 resign:R 2-1"), by=alice)
    uploaded_game(now + 2 * DAY, text=record("NS@0,2 resign:R 2-1") + b"\n", by=alice)
    assert not Confirmation.objects.exists()
    uploaded_game(now + 2 * DAY, text=record("NS@0,2 resign:R 2-1"), by=bob)
    assert (current_consent(game, now + 2 * DAY).state, due(game)) == ("partly", False)


def test_upload_before_the_claim_was_approved_is_not_a_confirmation(alice: User, mallory: User, now: datetime) -> None:
    game = uploaded_game(now, by=mallory)
    upload = upload_file(record(), via=Upload.Via.WEB, now=now + DAY, uploader=alice)
    give_seat(game, 0, alice, upload.received_at)
    judge_all(now + 2 * DAY)
    assert not Confirmation.objects.exists()


@pytest.mark.parametrize("options", [UploadOptions(scored=False), UploadOptions(private=True)])
def test_training_or_private_upload_is_not_a_confirmation(
    options: UploadOptions, alice: User, mallory: User, now: datetime
) -> None:
    game = uploaded_game(now, by=mallory)
    give_seat(game, 0, alice, now)
    uploaded_game(now + DAY, by=alice, options=options)
    assert current_consent(game, now + DAY).state == "pending"


def test_anonymous_upload_or_one_with_other_names_is_not_a_confirmation(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    uploaded_game(now + DAY)
    uploaded_game(now + DAY, text=record(names=("Somebody", "Else")), by=alice)
    assert Game.objects.filter(upheld=True).count() == 1
    assert not Confirmation.objects.exists()


def test_upload_confirms_only_the_uploaders_own_seat(alice: User, bob: User, mallory: User, now: datetime) -> None:
    game = uploaded_game(now, by=mallory)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    uploaded_game(now + DAY, by=bob)
    assert [seat.confirmation is not None for seat in current_consent(game, now + DAY).seats] == [False, True]


def test_first_upload_alone_does_not_rate_the_game(alice: User, bob: User, now: datetime) -> None:
    first = uploaded_game(now)
    give_seat(first, 0, alice, now)
    give_seat(first, 1, bob, now)
    uploaded_game(now + DAY, text=record("NS@0,2 resign:R 2-1"), by=alice)
    rate_waiting(now=now + DAY)
    assert not Acceptance.objects.exists()


def test_confirmation_applies_only_to_its_own_seating(alice: User, bob: User, mallory: User, now: datetime) -> None:
    game = uploaded_game(now, by=mallory)
    give_seat(game, 1, bob, now)
    confirm(game, bob, now=now)
    hide(game, mallory, now=now)
    other = uploaded_game(now + DAY, text=record(names=("Cleo", "Bruno")), by=alice)
    give_seat(other, 0, alice, now)
    assert other != game, "the private one stays private"
    assert confirm(other, alice, now=now + DAY).state == "partly", "Bob has said that he played against Ada"
    assert confirm(other, bob, now=now + DAY).complete
