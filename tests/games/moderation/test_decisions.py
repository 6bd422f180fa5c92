"""Decisions of moderators, and the flags raised for them."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from engine.fold import Change
from games.consent import confirmations
from games.corrections import previews
from games.corrections.previews import preview
from games.models import Acceptance, Act, Dispute, Flag, Game, Player, RatingEvent, Standing, Upload
from games.moderation import decisions
from games.moderation.decisions import Decision, ModerationError
from games.moderation.moderators import make_moderator
from games.players import claims
from games.run import rate_waiting
from tests.factories import duels, record
from tests.games.judging import count_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def decision(now: datetime, alice: User) -> Decision:
    """Alice, who moderates, decides."""
    make_moderator(alice, now=now)
    return Decision(alice, now, "It was never played.")


def rated(data: bytes, now: datetime) -> Acceptance:
    upload_file(data, via=Upload.Via.API, now=now)
    count_all(now)
    return Acceptance.objects.order_by("-number")[0]


def test_annulled_game_is_no_longer_rated_and_the_act_is_logged(now: datetime, decision: Decision) -> None:
    first = rated(record(), now)
    rated(record("draw 1-1", names=("Ada", "Cleo")), now)

    decisions.annul(first, decision)
    rate_waiting(now=now)

    assert dict(Standing.objects.values_list("player__name", "games")) == {"Ada": 1, "Cleo": 1}
    assert Standing.objects.get(player__name="Ada").mu == Standing.objects.get(player__name="Cleo").mu == 1200
    (act,) = Act.objects.exclude(kind="moderator-named")
    assert (act.kind, act.by, act.reason, act.game) == ("game-annulled", decision.by, decision.reason, first.game)


def test_a_restored_game_leaves_the_ladder_as_it_was(now: datetime, decision: Decision) -> None:
    first = rated(record(), now)
    rated(record("draw 1-1", names=("Ada", "Cleo")), now)
    before = list(Standing.objects.order_by("player").values_list("player", "games", "wins", "mu", "sigma"))

    decisions.annul(first, decision)
    rate_waiting(now=now)
    decisions.restore(first, decision)
    rate_waiting(now=now)

    assert list(Standing.objects.order_by("player").values_list("player", "games", "wins", "mu", "sigma")) == before
    assert RatingEvent.objects.filter(number=1).count() == 6


def test_annulled_game_cannot_be_annulled_again(now: datetime, decision: Decision) -> None:
    first = rated(record(), now)
    decisions.annul(first, decision)
    with pytest.raises(ModerationError, match="being carried out"):
        decisions.annul(first, decision)
    rate_waiting(now=now)
    with pytest.raises(ModerationError, match="already annulled"):
        decisions.annul(first, decision)


def test_decision_without_a_reason_is_rejected(now: datetime, alice: User) -> None:
    with pytest.raises(ModerationError, match="Give a reason"):
        decisions.annul(rated(record(), now), Decision(alice, now, " "))
    assert not Act.objects.exists()


def test_moderator_cannot_decide_on_a_game_they_played(
    now: datetime, decision: Decision, alice: User, bob: User
) -> None:
    acceptance = rated(record(), now)
    give_seat(acceptance.game, 0, alice, now)
    give_seat(acceptance.game, 1, bob, now)
    dispute = confirmations.dispute(acceptance.game, bob, reason="I was not there.", now=now)
    flag = Flag.objects.create(game=acceptance.game, kind="same-person", raised_at=now)
    for act in (
        lambda: decisions.annul(acceptance, decision),
        lambda: decisions.restore(acceptance, decision),
        lambda: decisions.settle_dispute(dispute, decision, upheld=False),
        lambda: decisions.settle_flag(flag, decision),
    ):
        with pytest.raises(ModerationError, match="You played in this game") as refused:
            act()
        assert refused.value.code == "own_case"
    assert not Act.objects.exclude(kind="moderator-named").exists()


def test_moderator_cannot_decide_their_own_dispute_or_merge_their_own_player(
    now: datetime, decision: Decision, alice: User
) -> None:
    game = rated(record(), now).game
    dispute = Dispute.objects.create(game=game, account=alice, reason="No.", raised_at=now)
    with pytest.raises(ModerationError, match="You raised this dispute"):
        decisions.settle_dispute(dispute, decision, upheld=True)

    ada, bruno = give_seat(game, 0, alice, now), Player.objects.get(name="Bruno")
    for one, other in ((ada, bruno), (bruno, ada)):
        with pytest.raises(ModerationError, match="This is your own player"):
            decisions.merge(one, other, decision)
    Player.objects.filter(pk=bruno.pk).update(merged_into=ada)
    with pytest.raises(ModerationError, match="This is your own player"):
        decisions.part(bruno, decision)


def test_preview_shows_what_the_annulment_then_does(now: datetime, decision: Decision) -> None:
    first = rated(record(), now)
    rated(record("draw 1-1", names=("Ada", "Cleo")), now)

    seen = preview(Change(annulled={1: True}))

    decisions.annul(first, decision)
    rate_waiting(now=now)
    after = {standing.player_id: standing.rating for standing in Standing.objects.all()}
    previewed = {one.player.name: one.after for one in seen.changes}
    ranks = dict(zip([one.player.name for one in seen.changes], [one.rank_after for one in seen.changes], strict=True))
    assert seen.games == 2
    assert ranks == {"Ada": 1, "Bruno": None, "Cleo": 1}
    assert {name: previewed[name] for name in ("Ada", "Cleo")} == {
        name: after[Player.objects.get(name=name).pk] for name in ("Ada", "Cleo")
    }


def test_truncated_preview_says_so_and_compares_only_what_it_covers(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated(b"\n".join(duels(3)), now)
    monkeypatch.setattr(previews, "MOST", 2)

    seen = preview(Change(annulled={1: True}))

    assert (seen.games, seen.whole) == (2, False)
    events = RatingEvent.objects.filter(number=2).order_by("seat")
    assert {one.before.mu for one in seen.changes} == {event.mu for event in events}
    assert preview(Change(annulled={2: True})).whole


def test_merged_players_share_a_standing_and_can_be_split(now: datetime, decision: Decision) -> None:
    rated(record(), now)
    rated(record("draw 1-1", names=("Adah", "Cleo")), now)
    ada, adah = Player.objects.get(name="Ada"), Player.objects.get(name="Adah")

    decisions.merge(adah, ada, decision)
    rate_waiting(now=now)
    assert dict(Standing.objects.values_list("player__name", "games")) == {"Ada": 2, "Bruno": 1, "Cleo": 1}

    adah.refresh_from_db()
    decisions.part(adah, decision)
    rate_waiting(now=now)
    assert dict(Standing.objects.values_list("player__name", "games")) == {"Ada": 1, "Adah": 1, "Bruno": 1, "Cleo": 1}


def test_merge_of_an_already_merged_player_is_rejected(now: datetime, decision: Decision) -> None:
    rated(record(), now)
    ada, bruno = Player.objects.get(name="Ada"), Player.objects.get(name="Bruno")
    Player.objects.filter(pk=ada.pk).update(merged_into=bruno)
    with pytest.raises(ModerationError, match="already merged"):
        decisions.merge(ada, bruno, decision)


def test_account_getting_both_names_of_a_rated_game_is_flagged(now: datetime, alice: User, bob: User) -> None:
    rated(b"\n".join(duels(2)), now)
    Player.objects.filter(name="Bruno").update(account=bob)
    rate_waiting(now=now)
    make_moderator(alice, now=now)
    claim = claims.make_claim(Player.objects.get(name="Ada"), bob, now=now)

    claims.decide_claim(claim, approve=True, by=alice, answer="He says so.", now=now)

    pointed_out = Flag.objects.filter(kind="same-person", params={"seats": 2})
    assert set(pointed_out.values_list("game", flat=True)) == set(Game.objects.values_list("pk", flat=True))


def test_merged_players_who_played_each_other_are_flagged(now: datetime, decision: Decision) -> None:
    game = rated(record(), now).game
    decisions.merge(Player.objects.get(name="Ada"), Player.objects.get(name="Bruno"), decision)
    rate_waiting(now=now)

    (flag,) = Flag.objects.filter(kind="same-person")
    assert (flag.game, flag.player and flag.player.name, flag.params) == (game, "Bruno", {"seats": 2})


@pytest.mark.full
def test_merged_players_who_never_met_are_not_flagged(now: datetime, decision: Decision) -> None:
    rated(record(), now)
    rated(record("draw 1-1", names=("Adah", "Cleo")), now)
    decisions.merge(Player.objects.get(name="Adah"), Player.objects.get(name="Ada"), decision)
    rate_waiting(now=now)

    assert not Flag.objects.filter(kind="same-person").exists()


def test_moderator_claiming_a_name_cannot_decide_about_its_games(
    now: datetime, decision: Decision, alice: User
) -> None:
    game = rated(record(), now).game
    claims.make_claim(Player.objects.get(name="Ada"), alice, now=now)
    with pytest.raises(ModerationError, match="You have claimed Ada yourself"):
        decisions.annul(game.acceptances.get(), decision)
    with pytest.raises(ModerationError, match="You have claimed Ada yourself"):
        decisions.merge(Player.objects.get(name="Bruno"), Player.objects.get(name="Ada"), decision)


def test_player_cannot_remove_a_bot_mark_set_by_a_moderator(now: datetime, decision: Decision, bob: User) -> None:
    rated(record(), now)
    Player.objects.filter(name="Ada").update(account=bob)
    ada = Player.objects.get(name="Ada")
    for is_bot in (True, False):
        claims.mark_bot(ada, bob, is_bot=is_bot, now=now)
    decisions.mark_bot(Player.objects.get(name="Ada"), decision, is_bot=True)
    with pytest.raises(claims.ClaimError, match="Somebody else marked Ada as a bot: a moderator has to decide"):
        claims.mark_bot(ada, bob, is_bot=False, now=now)
    decisions.mark_bot(Player.objects.get(name="Ada"), decision, is_bot=False)
    assert not Player.objects.get(name="Ada").is_bot
