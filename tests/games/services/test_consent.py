"""A game counts when all who sat there say so, each by an account of his own, and by nothing else."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from time import sleep

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from games.models import Acceptance, Confirmation, Dispute, Game, RatingEvent, Upload
from games.selectors.consent import Consent, consent_of
from games.services import consent
from games.services.acceptance import accept_due
from games.services.consent import LAPSES_AFTER, confirm, dispute, withdraw
from games.services.intake import SCORED, Wish, take_in
from games.services.privacy import hide
from games.services.rating import rate_waiting
from games.services.refusals import RefusedError
from tests.factories import BROKEN, record
from tests.games.judging import judge_all
from tests.games.seats import give_seat

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def handed_in(now: datetime, *, text: bytes = b"", by: User | None = None, wish: Wish = SCORED) -> Game:
    """A game of Ada and Bruno."""
    upload = take_in(text or record(), via=Upload.Via.WEB, now=now, uploader=by, wish=wish)
    judge_all(now)
    game = upload.logs.get().game
    assert game
    return game


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Uploaded by nobody known; Alice is Ada, Bob is Bruno."""
    game = handed_in(now)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    return game


def why(act: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(RefusedError) as error:
        act()
    return error.value.code, str(error.value)


def state(game: Game, now: datetime) -> str:
    return consent_of(Game.objects.get(pk=game.pk), now=now).state


def due(game: Game) -> bool:
    return Acceptance.objects.filter(game=game, ladder__league=None).exists()


# Words


def test_a_game_is_due_when_the_last_seat_has_confirmed(game: Game, alice: User, bob: User, now: datetime) -> None:
    assert (confirm(game, alice, now=now).state, due(game)) == ("partly", False)
    assert (confirm(game, bob, now=now).state, due(game)) == ("confirmed", True)
    rate_waiting(now=now)
    assert RatingEvent.objects.count() == 2


def test_a_word_binds_digest_seat_and_ruleset_and_has_its_time(game: Game, alice: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    word = Confirmation.objects.get()
    assert (word.digest, word.ruleset, word.seat, word.account) == (game.digest, "atta-ants-online", 0, alice)
    assert (word.how, word.at, word.until) == ("word", now, now + LAPSES_AFTER)


def test_who_says_it_again_has_said_it_once_for_longer(game: Game, alice: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    confirm(game, alice, now=now + DAY)
    word = Confirmation.objects.get()
    assert (word.at, word.until) == (now, now + DAY + LAPSES_AFTER)


def test_a_word_lapses_after_a_fortnight(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    late = now + LAPSES_AFTER
    assert state(game, late - timedelta(seconds=1)) == "partly"
    assert state(game, late) == "pending"
    assert (confirm(game, bob, now=late).state, due(game)) == ("partly", False)
    assert (confirm(game, alice, now=late).state, due(game)) == ("confirmed", True)


def test_no_word_lapses_once_the_game_is_due(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    late = now + LAPSES_AFTER + DAY
    consent.settle(game, now=late)
    assert (state(game, late), due(game)) == ("confirmed", True)


def test_a_word_does_not_outlive_a_change_of_the_game(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    Game.objects.filter(pk=game.pk).update(digest="0" * 64)
    assert state(game, now) == "pending"
    confirm(game, bob, now=now)
    assert not due(game)


def test_a_word_does_not_outlive_the_claim(game: Game, alice: User, bob: User, mallory: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    player = game.seatings.get(seat=0).player
    player.account = mallory
    player.save()
    assert (confirm(game, bob, now=now).state, due(game)) == ("partly", False)
    assert next(seat.confirmation for seat in consent_of(game, now=now).seats) is None


def test_taking_a_word_back_undoes_what_is_due(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    assert (withdraw(game, bob, now=now).state, due(game)) == ("partly", False)
    rate_waiting(now=now)
    assert not RatingEvent.objects.exists()


# What is refused


def test_nobody_confirms_or_disputes_a_game_at_which_he_did_not_sit(game: Game, mallory: User, now: datetime) -> None:
    refusal = ("not_seated", "None of your players sat at this game.")
    assert why(lambda: confirm(game, mallory, now=now)) == refusal
    assert why(lambda: dispute(game, mallory, reason="No.", now=now)) == refusal


@pytest.mark.parametrize(
    ("text", "wish", "refusal"),
    [
        (record("*"), SCORED, ("unfinished", "A game counts only when it was played to its end.")),
        (record(), Wish(scored=False), ("training", "A training game never counts.")),
        (record(), Wish(private=True), ("private", "A private game cannot count.")),
    ],
)
def test_what_can_never_count_is_not_confirmed(
    text: bytes, wish: Wish, refusal: tuple[str, str], alice: User, now: datetime
) -> None:
    game = handed_in(now, text=text, by=alice, wish=wish)
    give_seat(game, 0, alice, now)
    assert why(lambda: confirm(game, alice, now=now)) == refusal
    assert not Confirmation.objects.exists()


def test_a_record_that_a_later_engine_rejects_is_not_confirmed(game: Game, alice: User, now: datetime) -> None:
    Game.objects.filter(pk=game.pk).update(verdict="rejected")
    assert why(lambda: confirm(game, alice, now=now)) == ("rejected", "A rejected record cannot count.")


def test_a_rejected_record_seats_nobody_who_could_confirm(alice: User, now: datetime) -> None:
    game = handed_in(now, text=BROKEN)
    assert why(lambda: confirm(game, alice, now=now))[0] == "not_seated"


def test_what_counts_is_not_taken_back(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    rate_waiting(now=now)
    said = "The game counts already: dispute it, and a moderator will look at it."
    assert why(lambda: withdraw(game, alice, now=now)) == ("counted", said)


def test_nobody_takes_back_what_he_has_not_said(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    assert why(lambda: withdraw(game, bob, now=now)) == ("no_word", "You have not confirmed this game.")


def test_one_account_in_two_seats_makes_nothing_count(alice: User, now: datetime) -> None:
    game = handed_in(now)
    for seat in (0, 1):
        give_seat(game, seat, alice, now)
    found = confirm(game, alice, now=now)
    assert (found.state, found.hindrance, due(game)) == ("confirmed", "same-person", False)


# Disputes


def test_an_open_dispute_keeps_a_game_from_counting(game: Game, alice: User, bob: User, now: datetime) -> None:
    raised = dispute(game, bob, reason=" I was ill. ", now=now)
    assert (raised.reason, raised.state) == ("I was ill.", "open")
    for account in (alice, bob):
        assert confirm(game, account, now=now).state == "disputed"
    assert not due(game)
    consent.close_dispute(raised, Dispute.State.DISMISSED, by=None, answer="You were seen.", now=now)
    assert due(game)


def test_a_dispute_undoes_what_is_due_and_not_what_counts(game: Game, alice: User, bob: User, now: datetime) -> None:
    for account in (alice, bob):
        confirm(game, account, now=now)
    raised = dispute(game, alice, reason="No.", now=now)
    assert not due(game)
    consent.withdraw_dispute(game, alice, pk=raised.pk, now=now)
    rate_waiting(now=now)
    dispute(game, alice, reason="No.", now=now)
    assert Acceptance.objects.get(game=game).number == 1


def test_a_dispute_that_was_upheld_keeps_the_game_out(game: Game, alice: User, bob: User, now: datetime) -> None:
    raised = dispute(game, bob, reason="No.", now=now)
    consent.close_dispute(raised, Dispute.State.UPHELD, by=None, answer="So it is.", now=now)
    for account in (alice, bob):
        confirm(game, account, now=now)
    assert (state(game, now), due(game)) == ("disputed", False)


def test_a_dispute_has_a_reason_and_is_raised_once(game: Game, alice: User, now: datetime) -> None:
    assert why(lambda: dispute(game, alice, reason=" \n", now=now)) == ("no_reason", "Say what is wrong with the game.")
    dispute(game, alice, reason="No.", now=now)
    refusal = ("disputed", "You dispute this game already.")
    assert why(lambda: dispute(game, alice, reason="No!", now=now)) == refusal


def test_a_dispute_is_settled_once_and_withdrawn_by_its_own(game: Game, alice: User, bob: User, now: datetime) -> None:
    raised = dispute(game, alice, reason="No.", now=now)
    with pytest.raises(Dispute.DoesNotExist):
        consent.withdraw_dispute(game, bob, pk=raised.pk, now=now)
    consent.withdraw_dispute(game, alice, pk=raised.pk, now=now)
    refusal = ("closed", "This dispute has been settled before.")
    assert why(lambda: consent.withdraw_dispute(game, alice, pk=raised.pk, now=now)) == refusal


# Convergence: an upload as a word


def converged(game: Game, now: datetime) -> Consent:
    return consent_of(Game.objects.get(pk=game.pk), now=now)


def test_an_upload_of_ones_own_is_a_word_when_another_uploaded_first(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    game = handed_in(now, by=mallory)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    handed_in(now + DAY, by=alice)
    word = Confirmation.objects.get()
    assert (word.seat, word.account, word.how, converged(game, now + DAY).state) == (0, alice, "upload", "partly")
    handed_in(now + DAY, by=bob)
    assert due(game)


def test_the_first_upload_is_never_a_word(alice: User, bob: User, now: datetime) -> None:
    first = handed_in(now)
    give_seat(first, 0, alice, now)
    give_seat(first, 1, bob, now)
    game = handed_in(now + DAY, text=record("NS@0,2 resign:R 2-1"), by=alice)
    handed_in(now + 2 * DAY, text=record("NS@0,2 resign:R 2-1"), by=alice)
    assert not Confirmation.objects.exists()
    handed_in(now + 2 * DAY, text=record("NS@0,2 resign:R 2-1"), by=bob)
    assert (converged(game, now + 2 * DAY).state, due(game)) == ("partly", False)


def test_an_upload_before_the_claim_was_approved_is_no_word(alice: User, mallory: User, now: datetime) -> None:
    game = handed_in(now, by=mallory)
    upload = take_in(record(), via=Upload.Via.WEB, now=now + DAY, uploader=alice)
    give_seat(game, 0, alice, upload.received_at)
    judge_all(now + 2 * DAY)
    assert not Confirmation.objects.exists()


@pytest.mark.parametrize("wish", [Wish(scored=False), Wish(private=True)])
def test_a_training_or_private_upload_is_no_word(wish: Wish, alice: User, mallory: User, now: datetime) -> None:
    game = handed_in(now, by=mallory)
    give_seat(game, 0, alice, now)
    handed_in(now + DAY, by=alice, wish=wish)
    assert converged(game, now + DAY).state == "pending"


def test_an_upload_without_an_account_or_with_other_names_is_no_word(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    handed_in(now + DAY)
    handed_in(now + DAY, text=record(names=("Somebody", "Else")), by=alice)
    assert Game.objects.count() == 1
    assert not Confirmation.objects.exists()


def test_an_upload_speaks_for_the_uploaders_own_seat_alone(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    game = handed_in(now, by=mallory)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    handed_in(now + DAY, by=bob)
    assert [seat.confirmation is not None for seat in converged(game, now + DAY).seats] == [False, True]


def test_a_lone_upload_moves_nothing(alice: User, bob: User, now: datetime) -> None:
    first = handed_in(now)
    give_seat(first, 0, alice, now)
    give_seat(first, 1, bob, now)
    handed_in(now + DAY, text=record("NS@0,2 resign:R 2-1"), by=alice)
    rate_waiting(now=now + DAY)
    assert not Acceptance.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("word", [withdraw, hide])
def test_a_word_taken_back_while_the_game_gets_its_place_comes_too_late(
    word: Callable[..., object], alice: User, bob: User, now: datetime
) -> None:
    """The place is given and not yet to be seen, when the word is taken back."""
    game = handed_in(now, by=alice)
    for seat, account in enumerate((alice, bob)):
        give_seat(game, seat, account, now)
        confirm(game, account, now=now)

    def take_back() -> str:
        try:
            return why(lambda: word(game, alice, now=now))[0]
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as others:
        with transaction.atomic():
            accept_due(now=now)
            too_late = others.submit(take_back)
            until_somebody_waits()
        assert too_late.result(timeout=10) in ("counted", "counts")
    game.refresh_from_db()
    assert not game.private
    assert game.confirmations.filter(withdrawn_at=None).count() == 2


def until_somebody_waits() -> None:
    """Returns when another connection waits for a lock that this one holds."""
    with connection.cursor() as cursor:
        for _ in range(1000):
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
            if cursor.fetchone()[0]:
                return
            sleep(0.01)
    pytest.fail("nobody waits")
