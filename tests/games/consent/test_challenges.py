"""Two uploads name different players for the same moves: the game waits until the seating is settled."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db import connection, transaction
from pytest_django.fixtures import Settings

from games.accounts.deletion import delete_account
from games.audit.check import Audit
from games.clubs import organising
from games.consent import confirmations, seatings
from games.consent.challenges import OPEN_MOST
from games.consent.reads.challenges import contest_of
from games.corrections import rerating
from games.models import Acceptance, Act, Challenge, Game, Notice, Player, RatingEvent, Seating, Upload
from games.moderation import decisions
from games.moderation.decisions import Decision, ModerationError
from games.ratings.acceptance import accept_due, make_due
from games.uploads.origin import UploadOptions
from tests.factories import duels, record
from tests.games.contests import EXCHANGED, MADE_UP, TRUE, applies, ineligible_reason, names_of, upload_records
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Uploaded anonymously; Alice plays as Ada, Bob as Bruno."""
    game = upload_records(TRUE, now)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    return game


@pytest.fixture
def moderator(db: None) -> User:
    """A moderator who plays no games."""
    return User.objects.create_user("moderator")


def confirm_and_rate(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    accept_due(now=now)
    assert Acceptance.objects.filter(game=game, number__isnull=False, counts=True).exists()


@pytest.mark.parametrize("names", [EXCHANGED, MADE_UP, ("Ada", "Cleo")])
def test_upload_with_other_names_holds_the_game_and_changes_no_seats(
    game: Game, names: tuple[str, str], mallory: User, now: datetime
) -> None:
    upload_records(names, now, by=mallory)
    assert names_of(applies()) == TRUE
    assert ineligible_reason(game, now) == "contested"
    assert Challenge.objects.get().holds


def test_players_settle_a_challenge_by_confirming_the_right_seating(
    game: Game, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    upload_records(MADE_UP, now, by=mallory)
    assert not confirmations.confirm(game, alice, now=now).complete
    assert confirmations.confirm(game, bob, now=now).complete
    assert Challenge.objects.get().state == "dismissed"


@pytest.mark.full
def test_players_named_in_both_seatings_can_replace_a_false_one(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    false = upload_records(EXCHANGED, now, by=mallory)
    give_seat(false, 1, alice, now)
    give_seat(false, 0, bob, now)
    true = upload_records(TRUE, now, by=alice)
    seatings.choose(true, alice, now=now)
    assert applies() == false, "Bob has not said anything yet"
    seatings.choose(true, bob, now=now)
    assert names_of(applies()) == TRUE
    false.refresh_from_db()
    assert (false.upheld, false.same_as) == (False, true)
    assert ineligible_reason(true, now) == ""
    for account in (alice, bob):
        confirmations.confirm(applies(), account, now=now)
    assert accept_due(now=now) == 1
    assert Act.objects.get(kind="seating-agreed").game == true


@pytest.mark.full
def test_moderator_decides_between_unclaimed_names(alice: User, mallory: User, now: datetime, moderator: User) -> None:
    false = upload_records(("Mallory", "Bruno"), now, by=mallory)
    give_seat(false, 0, mallory, now)
    true = upload_records(TRUE, now, by=alice)
    seatings.choose(false, mallory, now=now)
    assert Challenge.objects.get().state == "open", "Ada and Bruno have no accounts, and cannot agree"
    decisions.choose_seating(true, Decision(moderator, now, "The club says so."))
    assert names_of(applies()) == TRUE
    assert Act.objects.get(kind="seating-chosen").reason == "The club says so."


@pytest.mark.full
def test_uploader_can_correct_names_while_nobody_else_is_involved(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    typo = upload_records(("Ada", "Brnuo"), now, by=mallory)
    right = upload_records(TRUE, now, by=mallory)
    assert applies() == right
    assert Game.objects.get(pk=typo.pk).same_as == right
    assert not Challenge.objects.exists()
    give_seat(right, 0, alice, now)
    upload_records(MADE_UP, now, by=mallory)
    assert applies() == right, "Ada is somebody's now"
    assert ineligible_reason(right, now) == "contested"


def test_account_named_in_neither_seating_cannot_choose(game: Game, mallory: User, now: datetime) -> None:
    rival = upload_records(MADE_UP, now, by=mallory)
    with pytest.raises(seatings.SeatingError, match="None of your players"):
        seatings.choose(rival, mallory, now=now)


def test_stranger_cannot_hold_a_fully_confirmed_game(
    game: Game, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    upload_records(MADE_UP, now, by=mallory)
    raised = Challenge.objects.get()
    assert (raised.state, raised.holds) == ("open", False), "a moderator looks at it"
    assert accept_due(now=now) == 1


def test_named_player_can_hold_a_game_that_is_not_yet_rated(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    upload_records(EXCHANGED, now, by=bob)
    assert Challenge.objects.get().holds
    assert accept_due(now=now) == 0


@pytest.mark.full
def test_only_a_moderator_can_change_the_seating_of_a_rated_game(
    game: Game, alice: User, bob: User, mallory: User, moderator: User, now: datetime
) -> None:
    confirm_and_rate(game, alice, bob, now)
    upload_records(MADE_UP, now, by=mallory)
    rival = upload_records(EXCHANGED, now, by=bob)
    for account in (alice, bob):
        seatings.choose(rival, account, now=now)
    assert applies() == game, "what counts is no longer for the players to change"

    decisions.choose_seating(rival, Decision(moderator, now, "Seen on video."))
    assert ineligible_reason(rival, now) == "contested", "until the annulment has been carried out"
    rerating.perform_waiting(now=now)
    assert ineligible_reason(rival, now) == ""
    assert not Acceptance.objects.get(game=game).counts
    for account in (alice, bob):
        confirmations.confirm(rival, account, now=now + DAY)
    accept_due(now=now + DAY)
    assert RatingEvent.objects.filter(game=rival, counts=True).count() == 2
    assert not list(Audit(replay=True).run())
    with pytest.raises(ModerationError, match="Another seating"):
        decisions.restore(Acceptance.objects.get(game=game), Decision(moderator, now, "Back."))


@pytest.mark.full
def test_settled_game_is_not_held_by_further_uploads(
    game: Game, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    rival = upload_records(EXCHANGED, now, by=mallory)
    for account in (alice, bob):
        seatings.choose(game, account, now=now)
    assert ineligible_reason(game, now) == ""
    upload_records(EXCHANGED, now + DAY, by=mallory, note="Once more")
    assert not rival.challenging.filter(state="open").exists()
    upload_records(MADE_UP, now + DAY, by=mallory)
    assert ineligible_reason(game, now) == ""
    assert Challenge.objects.filter(state="open", holds=False).count() == 1


def test_moderator_can_seat_players_named_in_no_upload(
    game: Game, mallory: User, moderator: User, now: datetime
) -> None:
    upload_records(MADE_UP, now, by=mallory)
    decision = Decision(moderator, now, "Ada played Cleo.")
    seated = decisions.seat_anew(game, {"R": "Ada", "Y": "Cleo"}, decision)
    assert names_of(seated) == ("Ada", "Cleo")
    assert applies() == seated
    assert not Challenge.objects.filter(state="open").exists()
    with pytest.raises(ModerationError, match="Name one player for each seat"):
        decisions.seat_anew(game, {"R": "Ada", "Y": ""}, decision)


def test_moderator_cannot_decide_the_seating_of_their_own_game(
    game: Game, alice: User, mallory: User, now: datetime
) -> None:
    rival = upload_records(MADE_UP, now, by=mallory)
    with pytest.raises(ModerationError, match="another moderator has to decide"):
        decisions.choose_seating(rival, Decision(alice, now, "Mine."))


def test_club_rates_only_the_names_in_its_own_file(game: Game, alice: User, mallory: User, now: datetime) -> None:
    club = organising.found(slug="nest", name="The Nest", about="", organiser=mallory, now=now)
    own = upload_records(("Cleo", "Dora"), now, by=mallory, options=UploadOptions(club=club))
    accept_club(now)
    assert list(Acceptance.objects.values_list("game", "ladder__club")) == [(own.pk, club.pk)]
    assert set(RatingEvent.objects.values_list("player__name", flat=True)) == {"Cleo", "Dora"}
    own.refresh_from_db()
    assert (own.upheld, own.same_as) == (False, None), "it has a page of its own, and the site's seating stays"
    assert not list(Audit(replay=True).run())


def test_club_rates_the_same_moves_once_whatever_the_names(game: Game, mallory: User, now: datetime) -> None:
    club = organising.found(slug="nest", name="The Nest", about="", organiser=mallory, now=now)
    both = b"\n".join([record(names=("Cleo", "Dora")), record(names=TRUE), record(names=("Dora", "Cleo"))])
    upload_file(both, via=Upload.Via.API, now=now, uploader=mallory, options=UploadOptions(club=club))
    judge_all(now)
    accept_club(now)
    upload_records(("Emil", "Dora"), now + DAY, by=mallory, options=UploadOptions(club=club))
    accept_club(now + DAY)
    assert [names_of(one.game) for one in Acceptance.objects.select_related("game")] == [("Cleo", "Dora")]


def accept_club(now: datetime) -> None:
    organising.accept_judged_uploads(now=now, has_time=lambda: True)
    accept_due(now=now)


@pytest.mark.full
def test_deleted_account_loses_its_choice_and_its_name_in_both_seatings(
    game: Game, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    rival = upload_records(EXCHANGED, now, by=mallory)
    seatings.choose(rival, alice, now=now)
    delete_account(alice, now=now)
    assert not game.choices.exists()
    assert "Ada" not in names_of(game) + names_of(rival)
    seatings.choose(rival, bob, now=now)
    assert Challenge.objects.get().state == "open", "a seat is nobody's now: a moderator decides"


def test_merged_players_have_a_single_choice(
    game: Game, alice: User, bob: User, mallory: User, moderator: User, now: datetime
) -> None:
    rival = upload_records(("Ada B.", "Bruno"), now, by=mallory)
    seatings.choose(rival, bob, now=now)
    other, ada = Player.objects.get(name="Ada B."), Player.objects.get(name="Ada")
    decisions.merge(other, ada, Decision(moderator, now, "One person."))
    rerating.perform_waiting(now=now)
    assert seatings.choose(rival, alice, now=now) == applies()
    assert applies() == rival


@pytest.mark.full
def test_named_accounts_are_notified_once_when_challenged_and_once_when_settled(
    game: Game, alice: User, bob: User, mallory: User, now: datetime, settings: Settings
) -> None:
    settings.MAIL_IS_ON = True
    for account in (alice, bob):
        EmailAddress.objects.create(user=account, email=f"{account}@ants.example", primary=True, verified=True)
    for names in (EXCHANGED, MADE_UP, ("Emil", "Fred")):
        upload_records(names, now, by=mallory)
    for account in (alice, bob):
        seatings.choose(game, account, now=now)
    notices = Notice.objects.filter(kind__startswith="seating-").order_by("pk").values_list("kind", "account")
    assert list(notices) == [("seating-raised", alice.pk), ("seating-raised", bob.pk), ("seating-settled", alice.pk)]


def upload_made_up_seatings(count: int, now: datetime, by: User | None = None, other: str = "Yuri") -> None:
    """Upload one file that names a new player in each record."""
    records = b"\n".join(record(names=(f"Nobody {number} {by}", other)) for number in range(count))
    upload_file(records, via=Upload.Via.API, now=now, uploader=by)
    judge_all(now)


@pytest.mark.full
def test_uploader_can_raise_only_a_few_open_challenges(
    game: Game, alice: User, bob: User, mallory: User, now: datetime
) -> None:
    for by in (None, mallory):
        upload_made_up_seatings(OPEN_MOST + 40, now, by)
        assert Challenge.objects.filter(raised_by=by).count() == OPEN_MOST
    assert Game.objects.filter(upheld=False, same_as=game).count() == 2 * (OPEN_MOST + 40)
    for account in (alice, bob):
        confirmations.confirm(game, account, now=now)
    assert ineligible_reason(game, now) == ""
    assert not Challenge.objects.filter(state="open").exists()


@pytest.mark.full
def test_rival_beyond_the_limit_challenges_when_another_account_uploads_it(
    game: Game, bob: User, mallory: User, now: datetime
) -> None:
    upload_made_up_seatings(OPEN_MOST, now, mallory)
    rival = upload_records(EXCHANGED, now, by=mallory)
    assert not rival.challenging.exists()
    upload_records(EXCHANGED, now, by=bob)
    assert rival.challenging.get().raised_by == bob


@pytest.mark.full
def test_confirmation_ignores_seatings_without_accounts(game: Game, mallory: User, now: datetime) -> None:
    upload_made_up_seatings(OPEN_MOST, now)
    upload_made_up_seatings(OPEN_MOST, now, mallory, other="Bruno")
    assert len(contest_of(game, now=now).rivals) == OPEN_MOST, "those beside Bruno, who has an account"


class TestRaces:
    """Simultaneous actions take effect one after the other."""

    pytestmark = pytest.mark.django_db(transaction=True)

    def both(self, *works: Callable[[], object]) -> list[object]:
        together = Barrier(len(works))

        def run(work: Callable[[], object]) -> object:
            try:
                together.wait(30)
                return work()
            finally:
                connection.close()

        with ThreadPoolExecutor(len(works)) as workers:
            return [done.result() for done in [workers.submit(run, work) for work in works]]

    @pytest.mark.full
    def test_two_first_uploads_at_once_make_one_seating_and_one_challenge(self, now: datetime) -> None:
        for pair in zip(duels(12, TRUE), duels(12, EXCHANGED), strict=True):
            for one in pair:
                upload_file(one, via=Upload.Via.API, now=now)
        self.both(lambda: judge_all(now), lambda: judge_all(now))
        judge_all(now)
        assert Game.objects.filter(upheld=True).count() == Game.objects.filter(upheld=False).count() == 12
        assert Challenge.objects.filter(state="open", game__upheld=True, rival__upheld=False).count() == 12
        assert Seating.objects.count() == 48

    @pytest.mark.full
    def test_challenge_during_acceptance_either_holds_the_game_or_comes_too_late(
        self, alice: User, bob: User, mallory: User, now: datetime
    ) -> None:
        game = upload_records(TRUE, now)
        give_seat(game, 0, alice, now)
        give_seat(game, 1, bob, now)
        for account in (alice, bob):
            confirmations.confirm(game, account, now=now)
        upload_file(record(names=EXCHANGED), via=Upload.Via.API, now=now, uploader=bob)
        self.both(lambda: accept_due(now=now), lambda: judge_all(now))
        placed = Acceptance.objects.filter(game=game, number__isnull=False).exists()
        assert Challenge.objects.get().holds is not placed

    def test_two_concurrent_choices_settle_a_challenge_once(
        self, alice: User, bob: User, mallory: User, now: datetime
    ) -> None:
        game = upload_records(EXCHANGED, now, by=mallory)
        give_seat(game, 0, bob, now)
        give_seat(game, 1, alice, now)
        rival = upload_records(TRUE, now)
        self.both(
            lambda: seatings.choose(rival, alice, now=now),
            lambda: seatings.choose(rival, bob, now=now),
            lambda: upload_records(MADE_UP, now, by=mallory),
        )
        open_now = Challenge.objects.filter(state="open")
        assert applies() == (game if open_now.filter(game=game).count() == 2 else rival)
        assert all(one.game == applies() for one in open_now)

    def seated(self, alice: User, bob: User, mallory: User, now: datetime) -> tuple[Game, Game]:
        """A game of Ada and Bruno, and a rival with exchanged players."""
        game = upload_records(TRUE, now)
        give_seat(game, 0, alice, now)
        give_seat(game, 1, bob, now)
        return game, upload_records(EXCHANGED, now, by=mallory)

    @pytest.mark.full
    def test_seating_choice_during_an_annulment_annuls_once(
        self, alice: User, bob: User, mallory: User, moderator: User, now: datetime
    ) -> None:
        game, rival = self.seated(alice, bob, mallory, now)
        make_due([game], now=now)
        accept_due(now=now)
        decision = Decision(moderator, now, "Seen.")

        def attempt(act: Callable[[], object]) -> None:
            with suppress(ModerationError):
                act()

        self.both(
            lambda: attempt(lambda: decisions.choose_seating(rival, decision)),
            lambda: attempt(lambda: decisions.annul(Acceptance.objects.get(game=game), decision)),
        )
        if applies() == game:
            decisions.choose_seating(rival, decision)
        assert rerating.perform_waiting(now=now) == 1
        assert (applies(), ineligible_reason(rival, now)) == (rival, "")
        with transaction.atomic():
            assert not list(Audit(replay=True).run())

    @pytest.mark.full
    def test_account_deletion_during_settlement_leaves_one_seating(
        self, alice: User, bob: User, mallory: User, now: datetime
    ) -> None:
        game, rival = self.seated(alice, bob, mallory, now)
        seatings.choose(rival, alice, now=now)
        self.both(lambda: seatings.choose(rival, bob, now=now), lambda: delete_account(alice, now=now))
        assert applies() == (game if Challenge.objects.filter(state="open").exists() else rival)
        assert not rival.choices.filter(account=alice.pk).exists()
        assert {"Ada"}.isdisjoint(names_of(game) + names_of(rival))
