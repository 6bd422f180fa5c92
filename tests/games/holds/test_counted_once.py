"""A play is rated once per ladder: with any names, in any notation, and after any decision."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from games.clubs import organising
from games.consent import confirmations, privacy, seatings
from games.corrections import rerating
from games.models import Acceptance, Club, Flag, Game, Player, Upload
from games.moderation import decisions
from games.moderation.decisions import Decision, ModerationError
from games.moderation.moderators import make_moderator
from games.ratings.acceptance import accept_due, make_due
from games.uploads.origin import UploadOptions
from tests.engine.atta_ants.otherwise import seen
from tests.factories import SETUP, record
from tests.games.contests import EXCHANGED, TRUE, upload_records
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

TURNED, DAY = "turned right", timedelta(days=1)


@pytest.fixture
def decision(db: None, now: datetime) -> Decision:
    """By a moderator who plays no games."""
    moderator = User.objects.create_user("moderator")
    make_moderator(moderator, now=now)
    return Decision(moderator, now, "Seen on video.")


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Alice plays as Ada, Bob as Bruno, and both have confirmed it."""
    game = upload_records(TRUE, now, by=bob)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    return game


def leave_unrated(game: Game, decision: Decision, now: datetime) -> Flag:
    ladder = Acceptance.objects.get(game=game).ladder
    flag = Flag.objects.create(kind="repeated-pairing", game=game, ladder=ladder, raised_at=now)
    Acceptance.objects.filter(game=game).update(held=True)
    return decisions.settle_flag(flag, decision, unrated=True)


def agree(rival: Game, alice: User, bob: User, now: datetime) -> None:
    """Have both choose a seating and confirm it."""
    for account in (alice, bob):
        seatings.choose(rival, account, now=now)
    confirm_all(rival, alice, bob, now)


def confirm_all(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    accept_due(now=now)


def written(how: str, now: datetime, club: Club | None = None, by: User | None = None) -> Game:
    """Upload one play on a rotated board."""
    tags, tokens = seen({"Setup": SETUP}, ["NS@0,2", "R1:N", "resign:R"], how)
    data = record(f"{' '.join(tokens)} 2-1").replace(SETUP.encode(), tags["Setup"].encode())
    upload = upload_file(data, via=Upload.Via.API, now=now, uploader=by, options=UploadOptions(club=club))
    judge_all(now)
    return Game.objects.get(logs__upload=upload)


def count(game: Game, now: datetime) -> Acceptance:
    """Rate a game as if everyone had confirmed it."""
    make_due([game], now=now)
    accept_due(now=now, watch=False)
    return Acceptance.objects.get(game=game)


def annul(game: Game, decision: Decision, now: datetime) -> Acceptance:
    acceptance = Acceptance.objects.get(game=game)
    decisions.annul(acceptance, replace(decision, at=now))
    rerating.perform_waiting(now=now)
    return acceptance


@pytest.mark.full
def test_unrated_game_is_held_again_under_a_new_seating(
    game: Game, alice: User, bob: User, decision: Decision, now: datetime
) -> None:
    leave_unrated(game, decision, now)
    rival = upload_records(EXCHANGED, now, by=bob)
    agree(rival, alice, bob, now)
    assert Acceptance.objects.get(game=rival).held
    assert Flag.objects.get(kind="likeness", game=rival).params == {"like": game.pk}


@pytest.mark.full
def test_hiding_and_reuploading_an_unrated_game_does_not_rate_it(
    game: Game, alice: User, bob: User, decision: Decision, now: datetime
) -> None:
    leave_unrated(game, decision, now)
    confirmations.withdraw(game, alice, now=now)
    privacy.hide(game, bob, now=now)
    again = upload_records(EXCHANGED, now, by=bob)
    assert again != game
    confirm_all(again, alice, bob, now)
    assert Acceptance.objects.get(game=again).held


@pytest.mark.full
def test_flag_moves_to_the_new_seating_of_its_game(game: Game, alice: User, bob: User, now: datetime) -> None:
    due = Acceptance.objects.get()
    Flag.objects.create(kind="repeated-pairing", game=game, ladder=due.ladder, raised_at=now)
    rival = upload_records(EXCHANGED, now, by=bob)
    agree(rival, alice, bob, now)
    assert Flag.objects.filter(game=rival, settled_at=None).exists()
    assert Acceptance.objects.get().held


def test_withdrawing_a_confirmation_does_not_remove_a_flag(game: Game, alice: User, bob: User, now: datetime) -> None:
    due = Acceptance.objects.get()
    Flag.objects.create(kind="repeated-pairing", game=game, ladder=due.ladder, raised_at=now)
    confirmations.withdraw(game, alice, now=now)
    confirm_all(game, alice, bob, now)
    assert Acceptance.objects.get().held


@pytest.mark.full
def test_annulled_game_is_held_under_a_new_seating(
    game: Game, alice: User, bob: User, decision: Decision, now: datetime
) -> None:
    accept_due(now=now)
    annul(game, decision, now)
    rival = upload_records(EXCHANGED, now, by=bob)
    decisions.choose_seating(rival, decision)
    confirm_all(rival, alice, bob, now)
    assert Flag.objects.get(game=rival).kind == "likeness"


@pytest.mark.full
def test_rated_copy_is_found_through_an_annulled_seating(
    game: Game, alice: User, bob: User, decision: Decision, now: datetime
) -> None:
    one, other = written("as it is", now), written(TURNED, now)
    count(one, now)
    count(other, now)
    annul(one, decision, now)
    decisions.settle_flag(Flag.objects.get(game=other), decision)
    assert count(other, now).number
    rival = upload_turned(one, now)
    decisions.choose_seating(rival, decision)
    assert count(rival, now).held
    assert Flag.objects.filter(game=rival, kind="likeness").exists()


def upload_turned(game: Game, now: datetime) -> Game:
    """Upload the moves of a game with exchanged players."""
    log = bytes(game.logs.get().data).replace(b"Ada", b"?").replace(b"Bruno", b"Ada").replace(b"?", b"Bruno")
    upload = upload_file(log, via=Upload.Via.API, now=now)
    judge_all(now)
    return Game.objects.get(logs__upload=upload)


@pytest.mark.full
def test_game_cannot_be_restored_while_another_seating_is_rated_in_the_club(
    alice: User, decision: Decision, now: datetime
) -> None:
    club = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    one = upload_records(TRUE, now, by=alice, options=UploadOptions(club=club))
    accept_club(now)
    annulled = annul(one, decision, now)
    other = upload_records(EXCHANGED, now, by=alice, options=UploadOptions(club=club))
    accept_club(now)
    decisions.settle_flag(Flag.objects.get(game=other, kind="likeness"), decision)
    accept_due(now=now)
    assert Acceptance.objects.get(game=other).number
    with pytest.raises(ModerationError, match=f"Game {other.key} has the same moves"):
        decisions.restore(annulled, decision)


def accept_club(now: datetime) -> None:
    organising.accept_judged_uploads(now=now, has_time=lambda: True)
    accept_due(now=now)


def test_game_cannot_be_restored_while_a_turned_copy_is_rated_or_due(decision: Decision, now: datetime) -> None:
    one, other = written("as it is", now), written(TURNED, now)
    count(one, now)
    count(other, now)
    annulled = annul(one, decision, now)
    decisions.settle_flag(Flag.objects.get(), decision)
    with pytest.raises(ModerationError, match=f"Game {other.key} has the same moves"):
        decisions.restore(annulled, decision)
    accept_due(now=now, watch=False)
    with pytest.raises(ModerationError, match=f"Game {other.key} has the same moves"):
        decisions.restore(annulled, decision)


@pytest.mark.full
def test_only_one_of_two_annulled_copies_can_be_restored(decision: Decision, now: datetime) -> None:
    one, other = written("as it is", now), written(TURNED, now)
    count(one, now)
    count(other, now)
    first = annul(one, decision, now)
    decisions.settle_flag(Flag.objects.get(), decision)
    count(other, now)
    second = annul(other, decision, now)
    decisions.restore(first, decision)
    with pytest.raises(ModerationError, match=f"Game {one.key} has the same moves"):
        decisions.restore(second, decision)


@pytest.mark.full
def test_two_games_rated_together_can_both_be_restored(decision: Decision, now: datetime) -> None:
    one, other = written("as it is", now), written(TURNED, now)
    count(one, now)
    count(other, now)
    decisions.settle_flag(Flag.objects.get(), decision)
    assert count(other, now).number == 2
    for game in (one, other):
        decisions.restore(annul(game, decision, now + DAY), replace(decision, at=now + DAY))
        rerating.perform_waiting(now=now + DAY)
    assert Acceptance.objects.filter(counts=True).count() == 2


@pytest.mark.full
def test_seating_cannot_be_chosen_during_a_restoration(
    game: Game, bob: User, decision: Decision, now: datetime
) -> None:
    accept_due(now=now)
    rival = upload_records(EXCHANGED, now, by=bob)
    decisions.restore(annul(game, decision, now), decision)
    with pytest.raises(ModerationError, match="being carried out"):
        decisions.choose_seating(rival, decision)


@pytest.mark.parametrize("at", ["the seats", "the upload", "the other upload"])
def test_moderator_involved_in_either_copy_cannot_let_both_be_rated(
    at: str, alice: User, decision: Decision, now: datetime
) -> None:
    make_moderator(alice, now=now)
    one = written("as it is", now, by=alice if at == "the other upload" else None)
    other = written(TURNED, now, by=alice if at == "the upload" else None)
    if at == "the seats":
        other.seatings.filter(seat=0).update(player=Player.objects.create(name="Cleo", created_at=now))
        give_seat(one, 0, alice, now)
    count(one, now)
    count(other, now)
    with pytest.raises(ModerationError, match="another moderator has to decide"):
        decisions.settle_flag(Flag.objects.get(), replace(decision, by=User.objects.get(pk=alice.pk)))
    decisions.settle_flag(Flag.objects.get(), decision)


def test_game_is_held_again_when_its_annulled_copy_is_restored(decision: Decision, now: datetime) -> None:
    one, other = written("as it is", now), written(TURNED, now)
    count(one, now)
    count(other, now)
    annulled = annul(one, decision, now)
    second = Flag.objects.create(
        kind="repeated-pairing", game=other, ladder=annulled.ladder, player=None, raised_at=now
    )
    decisions.settle_flag(Flag.objects.get(kind="likeness"), decision)
    decisions.restore(annulled, decision)
    decisions.settle_flag(second, decision)
    assert count(other, now).held
