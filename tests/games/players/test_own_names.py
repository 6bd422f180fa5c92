"""Nobody gets a name by deciding against a rival or by naming it first where nobody sees it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction

from games.consent import privacy
from games.consent.confirmations import confirm
from games.models import Act, Claim, Game, Player, Seating, Upload
from games.moderation.decisions import Decision, ModerationError, merge
from games.moderation.moderators import make_moderator
from games.players.claims import (
    CONTESTED_WITHIN,
    ClaimError,
    approve_uncontested,
    decide_claim,
    make_claim,
    mark_bot,
    may_vouch,
    revoke_claim,
)
from games.players.reads.claims import claims_to_contest, claims_to_decide
from games.records.introductions import NAMING, publish
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

LATER = CONTESTED_WITHIN + timedelta(seconds=1)
OTHERWISE = "draw 1-1"
"""Another game of the same two players."""


def uploaded(
    by: User | None, now: datetime, *names: str, movetext: str = "resign:R 2-1", private: bool = False
) -> Game:
    """Return a game of two players, Ada and Bruno by default."""
    options = UploadOptions(private=private)
    data = record(movetext, names=names or ("Ada", "Bruno"))
    upload = upload_file(data, via=Upload.Via.WEB, now=now, uploader=by, options=options)
    judge_all(now)
    game = upload.logs.get().game
    assert game
    return game


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def claimed(name: str, by: User, now: datetime) -> Claim:
    return make_claim(player(name), by, now=now)


def refusal(claim: Claim, by: User, now: datetime, *, approve: bool = False) -> str:
    with pytest.raises(ClaimError) as error:
        decide_claim(claim, approve=approve, by=by, answer="No.", now=now)
    return str(error.value)


def approved(now: datetime) -> int:
    return approve_uncontested(now=now + LATER, has_time=lambda: True)


@pytest.fixture
def judge(now: datetime) -> User:
    """A moderator."""
    user = User.objects.create_user("judge")
    make_moderator(user, now=now)
    return User.objects.get(pk=user.pk)


# --- rivals -----------------------------------------------------------------------------------------------------------


def test_uploader_claiming_a_name_cannot_reject_a_rival_claim(alice: User, bob: User, now: datetime) -> None:
    uploaded(alice, now)
    claimed("Ada", alice, now)
    rival = claimed("Ada", bob, now)
    assert refusal(rival, alice, now) == "You have claimed Ada yourself: somebody else has to decide."
    assert not claims_to_decide(alice).exists()
    assert approved(now) == 0


def test_uploader_who_withdrew_a_claim_cannot_reject_a_rival_claim(alice: User, bob: User, now: datetime) -> None:
    uploaded(alice, now)
    own = claimed("Ada", alice, now)
    Claim.objects.filter(pk=own.pk).update(state="withdrawn", decided_at=now)
    assert "You have claimed Ada yourself" in refusal(claimed("Ada", bob, now), alice, now)


def test_moderator_claiming_a_name_can_neither_reject_nor_revoke_a_rival_claim(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    uploaded(alice, now)
    rival = claimed("Ada", bob, now)
    claimed("Ada", judge, now)
    assert "You have claimed Ada yourself" in refusal(rival, judge, now)
    decide_claim(rival, approve=True, by=alice, now=now)
    with pytest.raises(ClaimError, match="You have claimed Ada yourself"):
        revoke_claim(rival, by=judge, answer="Mine.", now=now)


def test_claim_to_a_merged_name_also_prevents_deciding(alice: User, bob: User, judge: User, now: datetime) -> None:
    uploaded(alice, now)
    claimed("Bruno", judge, now)
    Player.objects.filter(name="Bruno").update(merged_into=player("Ada"))
    assert "You have claimed Ada yourself" in refusal(claimed("Ada", bob, now), judge, now)


def test_claim_made_after_rejecting_a_rival_needs_a_moderator(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    uploaded(alice, now)
    decide_claim(claimed("Ada", bob, now), approve=False, by=alice, now=now)
    own = claimed("Ada", alice, now)
    assert approved(now) == 0
    assert decide_claim(own, approve=True, by=judge, answer="Seen.", now=now).state == "approved"


def test_rival_rejected_by_a_moderator_does_not_block_automatic_approval(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    uploaded(alice, now)
    decide_claim(claimed("Ada", bob, now), approve=False, by=judge, answer="No.", now=now)
    claimed("Ada", alice, now)
    assert approved(now) == 1


def test_moderator_vouched_for_by_the_claimant_cannot_decide_for_them(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    uploaded(alice, now)
    decide_claim(claimed("Ada", judge, now), approve=True, by=alice, now=now)
    uploaded(bob, now, "Cleo", "Dora", movetext=OTHERWISE)
    said = "This account vouches for your own name, so somebody else has to decide about Cleo."
    assert refusal(claimed("Cleo", alice, now), judge, now, approve=True) == said


# --- introductions ----------------------------------------------------------------------------------------------------


def test_private_upload_does_not_introduce_names(alice: User, mallory: User, now: datetime) -> None:
    uploaded(mallory, now, private=True)
    assert player("Ada").introduced_by is None
    uploaded(alice, now)
    assert player("Ada").introduced_by == alice
    assert claimed("Ada", alice, now).approved_from


def test_name_first_uploaded_anonymously_never_gets_an_introducer(mallory: User, now: datetime) -> None:
    uploaded(None, now)
    uploaded(mallory, now, movetext=OTHERWISE)
    assert player("Ada").introduced_by is None


def test_publishing_a_game_makes_its_uploader_the_introducer_of_its_names(alice: User, now: datetime) -> None:
    game = uploaded(alice, now, private=True)
    privacy.show(game, alice, now=now)
    assert player("Ada").introduced_by == alice
    privacy.hide(game, alice, now=now)
    assert player("Ada").introduced_by is None
    uploaded(alice, now)
    assert player("Ada").introduced_by == alice


def test_hiding_a_game_passes_its_names_to_the_next_public_uploader(alice: User, mallory: User, now: datetime) -> None:
    squatted = uploaded(mallory, now)
    uploaded(alice, now, movetext=OTHERWISE)
    privacy.hide(squatted, mallory, now=now)
    assert player("Ada").introduced_by == alice


def test_name_in_private_games_only_cannot_be_claimed(alice: User, now: datetime) -> None:
    uploaded(alice, now, private=True)
    with pytest.raises(ClaimError, match="Ada has played in no public game"):
        claimed("Ada", alice, now)


def test_name_uploaded_by_others_too_is_not_approved_automatically(alice: User, mallory: User, now: datetime) -> None:
    uploaded(mallory, now)
    uploaded(alice, now, movetext=OTHERWISE)
    assert claimed("Ada", mallory, now).approved_from is None


def test_upload_by_another_account_stops_automatic_approval(alice: User, mallory: User, now: datetime) -> None:
    uploaded(mallory, now)
    claim = claimed("Ada", mallory, now)
    uploaded(alice, now, movetext=OTHERWISE)
    assert approved(now) == 0
    claim.refresh_from_db()
    assert (claim.state, claim.approved_from) == ("open", None), "a moderator decides"


def test_private_games_of_others_do_not_affect_claims(alice: User, mallory: User, judge: User, now: datetime) -> None:
    uploaded(alice, now, "Ada", "Cleo", private=True)
    uploaded(mallory, now)
    uploaded(judge, now, "Cleo", "Dora", movetext=OTHERWISE)
    decide_claim(claimed("Cleo", mallory, now), approve=True, by=judge, answer="Seen.", now=now)
    assert claimed("Ada", mallory, now).approved_from, "that the two sat together is Alice's secret"
    assert approved(now) == 1


# --- tables -----------------------------------------------------------------------------------------------------------


def test_self_uploaded_table_does_not_allow_vouching(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    uploaded(alice, now)
    bruno = decide_claim(claimed("Bruno", bob, now), approve=True, by=alice, now=now)
    made_up = uploaded(mallory, now, "Mall", "Bruno", movetext=OTHERWISE)
    decide_claim(claimed("Mall", mallory, now), approve=True, by=judge, answer="Seen.", now=now)
    assert not may_vouch(bruno, mallory)
    confirm(made_up, bob, now=now)
    assert may_vouch(bruno, mallory), "Bob says that they played"


def test_self_uploaded_table_does_not_allow_contesting_or_seeing_a_claim(
    alice: User, mallory: User, judge: User, now: datetime
) -> None:
    uploaded(alice, now)
    claimed("Ada", alice, now)
    uploaded(mallory, now, "Mall", "Ada", movetext=OTHERWISE)
    decide_claim(claimed("Mall", mallory, now), approve=True, by=judge, answer="Seen.", now=now)
    assert not claims_to_contest(mallory).exists()


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_player_numbers_do_not_reveal_names_in_private_games(
    alice: User, bob: User, mallory: User, now: datetime
) -> None:
    uploaded(alice, now, private=True)
    uploaded(bob, now, "Ada", "Cleo", private=True)
    assert min(player(name).pk for name in ("Ada", "Cleo")) > 10**12, "numbers by chance"
    game = uploaded(mallory, now, "Ada", "Dora")
    uploaded(mallory, now, "Eve", "Cleo", movetext=OTHERWISE)
    assert [player(name).pk - player("Ada").pk for name in ("Dora", "Cleo", "Eve")] == [1, 2, 3]
    assert set(Seating.objects.filter(player=player("Ada")).values_list("game__private", flat=True)) == {True, False}
    assert game.seatings.get(seat=0).player == player("Ada")


def test_player_numbers_do_not_reveal_names_when_a_game_is_published(alice: User, bob: User, now: datetime) -> None:
    uploaded(alice, now, private=True)
    game = uploaded(bob, now, "Ada", "Cleo", private=True)
    privacy.show(game, bob, now=now)
    uploaded(bob, now, "Ada", "Dora", movetext=OTHERWISE)
    numbers = [player(name).pk for name in ("Ada", "Cleo", "Dora")]
    assert max(numbers) - min(numbers) == len(numbers) - 1
    assert player("Bruno").pk > 10**12


@pytest.mark.django_db(transaction=True)
def test_name_published_twice_at_once_gets_one_public_number(alice: User, bob: User, now: datetime) -> None:
    uploaded(alice, now, private=True)
    begin = Barrier(2)

    def show(number: int) -> None:
        begin.wait(timeout=20)
        with transaction.atomic():
            publish(dict.fromkeys([("", name) for name in ("Ada", "Bruno")[:: 1 - 2 * number]]), now=now)
        connection.close()

    with ThreadPoolExecutor(2) as both:
        list(both.map(show, range(2)))
    assert sorted(Seating.objects.values_list("player__name", flat=True)) == ["Ada", "Bruno"]
    assert max(player("Ada").pk, player("Bruno").pk) < 10**12


def test_name_in_private_games_only_cannot_be_marked_or_merged(
    alice: User, mallory: User, judge: User, now: datetime
) -> None:
    uploaded(alice, now, private=True)
    with pytest.raises(ClaimError, match="Ada is in no public game yet"):
        mark_bot(player("Ada"), judge, is_bot=True, now=now)
    with pytest.raises(ModerationError, match="Ada is in no public game yet"):
        merge(player("Ada"), player("Bruno"), Decision(judge, now, "One person."))
    uploaded(mallory, now)
    assert player("Ada").pk < 10**12
    mark_bot(player("Ada"), judge, is_bot=True, now=now)


def test_player_referenced_elsewhere_keeps_the_number_when_published(
    alice: User, mallory: User, judge: User, now: datetime
) -> None:
    uploaded(alice, now, private=True)
    before = player("Ada").pk
    Act.objects.create(kind="bot-marked", by=judge, at=now, player=player("Ada"))
    uploaded(mallory, now)
    assert player("Ada").pk == before
    fields = [field for model in apps.get_models() for field in model._meta.local_fields]
    naming = {(field.model._meta.db_table, field.column) for field in fields if field.related_model is Player}
    kept = {("games_seating", "player_id"), ("games_snapshotrow", "player_id"), ("games_dayrating", "player_id")}
    assert naming == {*NAMING, *kept}, "seats follow, and who stands on a board or is rated by day has a standing"
