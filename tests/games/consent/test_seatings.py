"""Who can have a game's players renamed: by agreement, only those whose seats they are."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from games.accounts.deletion import delete_account
from games.clubs import organising
from games.consent import confirmations, seatings
from games.consent.challenges import OPEN_MOST
from games.consent.seatings import SeatingError
from games.models import Acceptance, Challenge, Game, Player, Upload
from games.moderation import decisions
from games.moderation.decisions import Decision, ModerationError
from games.moderation.moderators import make_moderator
from games.players.claims import ClaimError, make_claim
from games.records.reads.games import find_game
from games.records.reads.visibility import NOBODY
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.contests import EXCHANGED, MADE_UP, TRUE, applies, names_of, upload_records
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
NAMED = (TRUE, EXCHANGED, MADE_UP)


def with_accounts(game: Game, *accounts: User, now: datetime) -> Game:
    """Give the seats of a game to accounts, in order."""
    for seat, account in enumerate(accounts):
        give_seat(game, seat, account, now)
    return game


@pytest.mark.full
def test_two_accounts_cannot_take_over_a_game_of_unclaimed_players(
    alice: User, mallory: User, bob: User, now: datetime
) -> None:
    upload_records(TRUE, now, by=alice)
    rival = with_accounts(upload_records(MADE_UP, now, by=mallory), mallory, bob, now=now)
    for account in (mallory, bob):
        seatings.choose(rival, account, now=now)
        confirmations.confirm(rival, account, now=now)
    assert names_of(applies()) == TRUE
    assert Challenge.objects.get().state == "open", "a moderator decides"


def test_seating_is_not_changed_without_the_agreement_of_every_player(
    alice: User, mallory: User, bob: User, now: datetime
) -> None:
    give_seat(upload_records(TRUE, now, by=alice), 1, bob, now)
    rival = upload_records(("Bruno", "Yuri"), now, by=bob)
    give_seat(rival, 1, mallory, now)
    for account in (bob, mallory):
        seatings.choose(rival, account, now=now)
    assert names_of(applies()) == TRUE, "Ada has no account, and was not asked"


@pytest.mark.full
def test_players_and_sole_uploader_can_change_the_seating_together(
    alice: User, mallory: User, bob: User, now: datetime
) -> None:
    first = upload_records(TRUE, now, by=alice)
    rival = with_accounts(upload_records(MADE_UP, now, by=mallory), mallory, bob, now=now)
    for account in (mallory, bob, alice):
        assert applies() == first
        seatings.choose(rival, account, now=now)
    assert applies() == rival


def test_one_of_several_uploaders_does_not_speak_for_the_others(
    alice: User, mallory: User, bob: User, now: datetime
) -> None:
    first = upload_records(TRUE, now, by=alice)
    upload_records(TRUE, now)
    rival = with_accounts(upload_records(MADE_UP, now, by=mallory), mallory, bob, now=now)
    with pytest.raises(SeatingError, match="None of your players is named"):
        seatings.choose(rival, alice, now=now)
    assert applies() == first


@pytest.mark.full
def test_replaced_seating_can_be_challenged_by_its_players_and_uploader(
    alice: User, mallory: User, bob: User, now: datetime
) -> None:
    false = with_accounts(upload_records(EXCHANGED, now, by=mallory), bob, alice, now=now)
    true = upload_records(TRUE, now, by=alice)
    for account in (alice, bob):
        seatings.choose(true, account, now=now)
    upload_records(EXCHANGED, now, note="by a stranger")
    assert not false.challenging.exists()
    upload_records(EXCHANGED, now + DAY, by=bob)
    assert Challenge.objects.get(rival=false).state == "open", "Bob is named in it"
    seatings.choose(true, bob, now=now + 2 * DAY)
    upload_records(EXCHANGED, now, by=mallory, note="once more")
    assert [one.state for one in Challenge.objects.filter(rival=false).order_by("pk")] == ["dismissed", "open"]


@pytest.mark.full
def test_seating_decided_by_a_moderator_is_not_challenged_again(
    alice: User, mallory: User, bob: User, now: datetime
) -> None:
    false = with_accounts(upload_records(EXCHANGED, now, by=mallory), bob, alice, now=now)
    true = upload_records(TRUE, now, by=alice)
    decisions.choose_seating(true, Decision(User.objects.create_user("moderator"), now, "Seen on video."))
    for account in (bob, mallory):
        upload_records(EXCHANGED, now, by=account, note=account.username)
    assert not false.challenging.exists()


@pytest.mark.full
def test_confirmation_that_settles_a_challenge_accepts_the_rival_seating(alice: User, bob: User, now: datetime) -> None:
    with_accounts(upload_records(EXCHANGED, now), bob, alice, now=now)
    true = upload_records(TRUE, now)
    assert not confirmations.confirm(true, alice, now=now).complete
    assert confirmations.confirm(true, bob, now=now).complete
    assert Acceptance.objects.get().game == true


@pytest.fixture
def moderator(db: None, now: datetime) -> User:
    """A moderator who plays no games."""
    moderator = User.objects.create_user("moderator")
    make_moderator(moderator, now=now)
    return moderator


@pytest.mark.parametrize("own", [TRUE, EXCHANGED, MADE_UP])
def test_moderator_who_uploaded_the_game_cannot_choose_a_seating(
    own: tuple[str, str], moderator: User, now: datetime
) -> None:
    first, rival, _ = [upload_records(names, now, by=moderator if names == own else None) for names in NAMED]
    decision = Decision(moderator, now, "I saw it.")
    for seating in (rival, first):
        with pytest.raises(ModerationError, match="You uploaded this game"):
            decisions.choose_seating(seating, decision)
    with pytest.raises(ModerationError, match="You uploaded this game"):
        decisions.seat_anew(first, {"R": "Cleo", "Y": "Dora"}, decision)
    assert not Game.objects.filter(seatings__player__name="Cleo").exists()
    decisions.choose_seating(rival, Decision(None, now, "By command."))


@pytest.mark.full
def test_a_moderator_can_name_other_players_once_more(moderator: User, now: datetime) -> None:
    game = upload_records(TRUE, now)
    for names in (("Cleo", "Droa"), ("Cleo", "Dora")):
        game = decisions.seat_anew(game, dict(zip("RY", names, strict=True)), Decision(moderator, now, "So."))
    assert names_of(applies()) == ("Cleo", "Dora")
    assert Player.objects.get(name="Dora").introduced_by is None, "no moderator decides alone who that is"


def test_training_game_stays_training_when_players_are_renamed(moderator: User, now: datetime) -> None:
    game = upload_records(TRUE, now, options=UploadOptions(scored=False))
    decisions.seat_anew(game, {"R": "Cleo", "Y": "Dora"}, Decision(moderator, now, "So."))
    assert not applies().scored


@pytest.mark.full
def test_seat_given_to_a_former_player_belongs_to_nobody(
    alice: User, bob: User, mallory: User, moderator: User, now: datetime
) -> None:
    give_seat(upload_records(TRUE, now), 0, alice, now)
    delete_account(alice, now=now)
    former = applies().seatings.get(seat=0).player
    game = decisions.seat_anew(applies(), {"R": "Cleo", "Y": former.name}, Decision(moderator, now, "So."))
    give_seat(game, 0, bob, now)
    rival = with_accounts(upload_records(MADE_UP, now, by=mallory), mallory, bob, now=now)
    for account in (mallory, bob):
        with suppress(SeatingError):
            seatings.choose(rival, account, now=now)
    assert names_of(applies()) == ("Cleo", former.name)
    with pytest.raises(ClaimError, match="has been deleted"):
        make_claim(former, mallory, now=now)


STRANGERS = 30
"""Number of seatings that somebody makes up in one file."""


def rows_of(work: Callable[[], object]) -> int:
    """Return how many rows the largest statement of some work reads or writes, as reported by the database."""
    most = [0]

    def count(
        execute: Callable[..., object], sql: str, params: object, many: object, context: dict[str, Any]
    ) -> object:
        result = execute(sql, params, many, context)
        most.append(context["cursor"].rowcount)
        return result

    with connection.execute_wrapper(count):
        work()
    return max(most)


def made_up_games(now: datetime, by: User, options: UploadOptions | None = None) -> list[Game]:
    """Upload one file that names new players in each record."""
    records = b"\n".join(record(names=(f"Nobody {number}", "Yuri")) for number in range(STRANGERS))
    upload = upload_file(records, via=Upload.Via.API, now=now, uploader=by, options=options or UploadOptions())
    judge_all(now)
    return list(Game.objects.filter(logs__upload=upload))


@pytest.mark.full
def test_made_up_seatings_do_not_increase_the_work_of_later_uploads(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    first = with_accounts(upload_records(EXCHANGED, now), bob, alice, now=now)
    rivals = made_up_games(now, mallory)
    made_up_games(now, mallory, UploadOptions(private=True))
    assert rows_of(lambda: upload_records(("Xenia", "Yuri"), now, by=mallory)) < STRANGERS
    true = upload_records(TRUE, now, by=alice)
    seatings.choose(true, alice, now=now)
    assert rows_of(lambda: seatings.choose(true, bob, now=now)) < STRANGERS
    assert {find_game(game.key, NOBODY) for game in (first, *rivals)} == {true}


@pytest.mark.full
def test_game_address_resolves_past_a_seating_kept_by_a_club(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    club = organising.found(slug="nest", name="The Nest", about="", organiser=mallory, now=now)
    kept = with_accounts(
        upload_records(EXCHANGED, now, by=mallory, options=UploadOptions(club=club)), bob, alice, now=now
    )
    organising.accept_judged_uploads(now=now, has_time=lambda: True)
    rival, true = upload_records(MADE_UP, now, by=bob), upload_records(TRUE, now, by=alice)
    for account in (alice, bob):
        seatings.choose(true, account, now=now)
    assert [find_game(game.key, NOBODY) for game in (kept, rival, true)] == [kept, true, true]


@pytest.fixture
def game_with_a_former_player(bob: User, mallory: User, now: datetime) -> Game:
    """Mallory was named for another player's seat and then deleted the account."""
    game = with_accounts(upload_records(("Mallory", "Bruno"), now, by=mallory), mallory, bob, now=now)
    delete_account(mallory, now=now)
    return game


@pytest.mark.full
def test_claimed_name_can_challenge_for_the_seat_of_a_former_player(
    game_with_a_former_player: Game, alice: User, now: datetime
) -> None:
    give_seat(upload_records(("Ada", "Yuri"), now), 0, alice, now)
    rival = upload_records(TRUE, now, by=alice)
    assert names_of(rival) == TRUE
    assert Challenge.objects.get(rival=rival).game == game_with_a_former_player
    assert upload_records(("Mallory", "Bruno"), now, note="an old record") == game_with_a_former_player, (
        "that name is nobody's"
    )


@pytest.mark.full
def test_moderator_can_give_the_seat_of_a_former_player_to_anyone(
    game_with_a_former_player: Game, moderator: User, now: datetime
) -> None:
    seated = decisions.seat_anew(game_with_a_former_player, {"R": "Ada", "Y": "Bruno"}, Decision(moderator, now, "So."))
    assert names_of(applies()) == names_of(seated) == TRUE


@pytest.mark.full
def test_uploader_cannot_correct_a_seating_chosen_by_a_moderator(mallory: User, moderator: User, now: datetime) -> None:
    upload_records(TRUE, now)
    rivals = [upload_records((f"Nobody {number}", "Yuri"), now, by=mallory) for number in range(OPEN_MOST + 1)]
    decisions.choose_seating(rivals[-1], Decision(moderator, now, "So."))
    upload_records(MADE_UP, now, by=mallory)
    assert applies() == rivals[-1]
