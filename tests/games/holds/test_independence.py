"""Whose vouch counts at which table: nobody can move ratings with accounts only they vouch for."""

from datetime import datetime, timedelta
from itertools import combinations

import pytest
from django.contrib.auth.models import User

from games.clubs import organising
from games.consent.confirmations import withdraw
from games.holds import flags
from games.holds.reads import vouching
from games.models import Acceptance, Claim, Flag, Game, Player, Vouch
from games.moderation.decisions import Decision, settle_flag
from games.moderation.moderators import make_moderator
from games.players.claims import make_claim, revoke_claim, vouch
from games.run import rate_waiting
from tests.factories import duels
from tests.games import evenings
from tests.games.naming import confirmed, named, uploaded

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(now: datetime) -> User:
    """A moderator."""
    user = User.objects.create_user("judge")
    make_moderator(user, now=now)
    return User.objects.get(pk=user.pk)


@pytest.fixture(autouse=True)
def _nobody_is_new(alice: User, bob: User, mallory: User, judge: User, now: datetime) -> None:
    User.objects.update(date_joined=now - timedelta(days=100))


def account(name: str, now: datetime) -> User:
    """Return another account that is not new."""
    return User.objects.create_user(name, date_joined=now - timedelta(days=100))


def upload_game_with(name: str, known: User, now: datetime, movetext: str) -> None:
    """Upload a game of a name and a known player, who can then vouch for it."""
    uploaded((Player.objects.get(account=known).name, name), User.objects.get(username="judge"), now, movetext)


def unvouched_names(game: Game) -> set[str]:
    """Return the names for which a game waits for a voucher."""
    waiting = Flag.objects.filter(game=game, kind="unvouched", settled_at=None)
    return set(waiting.values_list("player__name", flat=True))


def confirmed_again(game: Game, now: datetime, *accounts: User) -> Acceptance:
    """Return the acceptance after one account has withdrawn and renewed its confirmation."""
    withdraw(game, accounts[0], now=now)
    return confirmed(game, now, accounts[0])


@pytest.mark.full
def test_vouch_for_one_player_does_not_release_the_other_after_reconfirming(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Ada", "Bruno"), None, now)
    ada, bruno = (named(name, user, now, by=judge) for name, user in (("Ada", alice), ("Bruno", bob)))
    Vouch.objects.all().delete()
    assert confirmed(game, now, alice, bob).held
    vouch(ada, by=judge, reason="Seen at the club.", now=now)
    assert unvouched_names(game) == {"Bruno"}
    assert confirmed_again(game, now, bob).held
    assert unvouched_names(game) == {"Bruno"}
    vouch(bruno, by=judge, reason="Seen at the club.", now=now)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=game).number == 1


@pytest.mark.full
def test_released_game_is_held_again_when_its_vouch_is_removed(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Ada", "Bruno"), None, now)
    named("Ada", alice, now, by=judge)
    bruno = named("Bruno", bob, now, by=judge)
    Vouch.objects.filter(claim=bruno).delete()
    assert confirmed(game, now, alice, bob).held
    given = vouch(bruno, by=judge, reason="Seen at the club.", now=now)
    given.delete()
    rate_waiting(now=now)
    assert unvouched_names(game) == {"Bruno"}
    assert Acceptance.objects.get(game=game).held


@pytest.mark.full
def test_game_released_by_a_moderator_stays_released_after_reconfirming(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Ada", "Bruno"), None, now)
    named("Ada", alice, now, by=judge)
    named("Bruno", bob, now, by=judge)
    Vouch.objects.filter(claim__account=bob).delete()
    assert confirmed(game, now, alice, bob).held
    settle_flag(Flag.objects.get(), Decision(judge, now, "I know them."))
    assert confirmed_again(game, now, alice).number == 1


@pytest.mark.full
def test_moderator_release_does_not_cover_a_name_given_to_another_account(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    game = uploaded(("Ada", "Bruno"), alice, now)
    named("Ada", alice, now, by=judge)
    bruno = named("Bruno", bob, now, by=judge)
    Vouch.objects.filter(claim=bruno).delete()
    assert confirmed(game, now, alice, bob).held
    settle_flag(Flag.objects.get(), Decision(judge, now, "I know them."))
    withdraw(game, alice, now=now)
    later = now + timedelta(days=1)
    revoke_claim(bruno, by=judge, answer="Not the same.", now=later)
    named("Bruno", mallory, later, by=alice)
    assert confirmed(game, later, alice, mallory).held
    assert unvouched_names(game) == {"Bruno"}


@pytest.mark.full
def test_each_name_of_an_account_needs_its_own_vouch(alice: User, bob: User, judge: User, now: datetime) -> None:
    uploaded(("Ada", "Bruno"), None, now, "draw 1-1")
    game = uploaded(("Adele", "Bruno"), alice, now)
    named("Ada", alice, now, by=judge)
    named("Bruno", bob, now, by=judge)
    adele = make_claim(Player.objects.get(name="Adele"), alice, now=now)
    Claim.objects.filter(pk=adele.pk).update(state="approved", decided_at=now)
    Player.objects.filter(name="Adele").update(account=alice)
    assert confirmed(game, now, alice, bob).held
    assert unvouched_names(game) == {"Adele"}


@pytest.mark.full
def test_merged_names_share_their_vouches(alice: User, bob: User, judge: User, now: datetime) -> None:
    game = uploaded(("Adele", "Bruno"), None, now)
    uploaded(("Ada", "Bruno"), None, now, "draw 1-1")
    for name, user in (("Ada", alice), ("Adele", alice), ("Bruno", bob)):
        named(name, user, now, by=judge)
    Vouch.objects.filter(claim__player__name="Adele").delete()
    assert confirmed(game, now, alice, bob).held
    evenings.merge("Ada", "Adele", now)
    assert flags.look_again(now=now, has_time=lambda: True) == 1


@pytest.mark.full
def test_flag_keeps_holding_after_its_name_is_merged(alice: User, bob: User, judge: User, now: datetime) -> None:
    game = uploaded(("Ada", "Bruno"), None, now)
    uploaded(("Adele", "Bruno"), None, now, "draw 1-1")
    for name, user in (("Ada", alice), ("Adele", alice), ("Bruno", bob)):
        named(name, user, now, by=judge)
    Vouch.objects.filter(claim__account=alice).delete()
    assert confirmed(game, now, alice, bob).held
    evenings.merge("Ada", "Adele", now)
    assert flags.look_again(now=now, has_time=lambda: True) == 0
    vouch(Claim.objects.get(player__name="Adele"), by=judge, reason="Seen at the club.", now=now)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=game).number == 1


@pytest.mark.full
def test_newcomers_are_released_when_each_has_a_separate_voucher(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    cleo = account("cleo", now)
    uploaded(("Mall", "Cleo"), None, now, "draw 1-1")
    game = uploaded(("Ada", "Bruno"), None, now)
    named("Mall", mallory, now, by=judge)
    named("Cleo", cleo, now, by=judge)
    ada, bruno = (named(name, user, now, by=judge) for name, user in (("Ada", alice), ("Bruno", bob)))
    Vouch.objects.filter(claim__in=[ada, bruno]).delete()
    for claim, by in ((ada, mallory), (bruno, mallory)):
        Vouch.objects.create(claim=claim, by=by, role="player", at=now)
    assert confirmed(game, now, alice, bob).held
    assert unvouched_names(game) == {"Ada", "Bruno"}

    upload_game_with("Bruno", cleo, now, "NS@0,2 resign:R 2-1")
    vouch(bruno, by=cleo, reason="We played.", now=now)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=game).number == 1


@pytest.mark.full
def test_player_vouched_for_by_someone_at_the_table_cannot_vouch_there(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    organising.found(slug="club", name="Club", about="", organiser=bob, by=judge, now=now)
    uploaded(("Mall", "Ada"), bob, now, "draw 1-1")
    game = uploaded(("Ada", "Bruno"), mallory, now)
    named("Mall", mallory, now, by=bob)
    named("Bruno", bob, now, by=judge)
    ada = named("Ada", alice, now, by=judge)
    Vouch.objects.filter(claim=ada).delete()
    vouch(ada, by=mallory, reason="We played.", now=now)
    assert confirmed(game, now, alice, bob).held
    assert unvouched_names(game) == {"Ada"}


@pytest.mark.full
def test_vouch_of_a_deleted_organiser_no_longer_makes_players_known(
    alice: User, bob: User, mallory: User, judge: User, now: datetime
) -> None:
    uploaded(("Mall", "Ada"), None, now, "draw 1-1")
    game = uploaded(("Ada", "Bruno"), None, now)
    mall, ada, bruno = (
        named(name, user, now, by=judge) for name, user in (("Mall", mallory), ("Ada", alice), ("Bruno", bob))
    )
    Vouch.objects.exclude(claim=bruno).delete()
    Vouch.objects.create(claim=mall, role="organiser", at=now)
    Vouch.objects.create(claim=ada, by=mallory, role="player", at=now)
    assert confirmed(game, now, alice, bob).held
    assert unvouched_names(game) == {"Ada"}


@pytest.mark.full
def test_longest_waiting_flag_is_rechecked_first(
    alice: User, bob: User, judge: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flags, "BATCH", 1)
    texts = ("resign:R 2-1", "draw 1-1", "NS@0,2 resign:R 2-1")
    games = [uploaded(("Ada", "Bruno"), None, now, text) for text in texts]
    for name, user in (("Ada", alice), ("Bruno", bob)):
        named(name, user, now, by=judge)
    Vouch.objects.filter(claim__account=bob).delete()
    for game in games:
        assert confirmed(game, now, alice, bob).held
    seen = []
    for minute in range(3):
        once = iter([True, False])
        flags.look_again(now=now + timedelta(minutes=minute), has_time=once.__next__)
        seen.append(Flag.objects.filter(looked_at__isnull=False).latest("looked_at").game)
    assert seen == games


@pytest.mark.full
def test_chain_of_six_accounts_approving_each_other_gets_no_game_rated(now: datetime) -> None:
    chain = [account(f"sock{number}", now) for number in range(6)]
    names = [f"Sock{number}" for number in range(6)]
    texts = (data.decode().split("\n\n")[1].strip() for data in duels(30))
    for by, name, other in zip(chain, names, [*names[1:], "Nobody"], strict=True):
        uploaded((other, f"Beside {name}"), by, now, next(texts))
    for by, claimant, name in zip(chain, chain[1:], names[1:], strict=False):
        named(name, claimant, now, by=by)
    for first, second in combinations(range(1, 6), 2):
        game = uploaded((names[first], names[second]), None, now, next(texts))
        assert confirmed(game, now, chain[first], chain[second]).held
        assert unvouched_names(game) == {names[first], names[second]}
    assert flags.look_again(now=now + timedelta(days=100), has_time=lambda: True) == 0


@pytest.mark.full
def test_vouch_releases_a_batch_at_once_and_the_rest_at_the_next_recheck(
    alice: User, bob: User, judge: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flags, "BATCH", 1)
    games = [uploaded(("Ada", "Bruno"), None, now, text) for text in ("resign:R 2-1", "draw 1-1", "NS@0,2 draw 1-1")]
    named("Ada", alice, now, by=judge)
    bruno = named("Bruno", bob, now, by=judge)
    Vouch.objects.filter(claim=bruno).delete()
    assert all(confirmed(game, now, alice, bob).held for game in games)
    vouch(bruno, by=judge, reason="Seen at the club.", now=now)
    assert list(Acceptance.objects.filter(held=False).values_list("game", flat=True)) == [games[0].pk]
    assert flags.look_again(now=now, has_time=lambda: True) == 2


@pytest.mark.full
def test_vouch_of_a_moderator_counts_except_at_their_own_tables(
    alice: User, bob: User, judge: User, now: datetime
) -> None:
    named_by_judge = uploaded(("Ada", "Judith"), None, now)
    elsewhere = uploaded(("Ada", "Bruno"), None, now, "draw 1-1")
    ada = named("Ada", alice, now, by=judge)
    named("Bruno", bob, now, by=judge)
    named("Judith", judge, now, by=None)
    assert confirmed(named_by_judge, now, alice, judge).held
    assert unvouched_names(named_by_judge) == {"Ada"}
    assert confirmed(elsewhere, now, alice, bob).number == 1
    vouch(ada, by=None, reason="Seen at the club.", now=now)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=named_by_judge).number == 2


@pytest.mark.parametrize("role", ["organiser", "player"])
def test_only_a_limited_number_of_vouches_per_account_and_month_counts(
    role: str, alice: User, bob: User, mallory: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vouching, "ORGANISER_NAMES", 1)
    monkeypatch.setattr(vouching, "PLAYER_NAMES", 1)
    uploaded(("Mall", "Ada"), None, now, "draw 1-1")
    uploaded(("Ada", "Bruno"), None, now)
    _, ada, bruno = (named(*one, now, by=None) for one in (("Mall", mallory), ("Ada", alice), ("Bruno", bob)))
    Vouch.objects.exclude(claim__account=mallory).update(role=role, by=mallory)

    def missing() -> set[int]:
        return vouching.unvouched({bruno.player_id: bob.pk}, vouching.standings_of([bruno.player_id]))

    Vouch.objects.filter(claim=ada).update(at=now - timedelta(days=31))
    assert not missing(), "words of the month before take no room"
    Vouch.objects.filter(claim=ada).update(at=now - timedelta(days=29))
    assert missing() == {bruno.player_id}
    vouch(bruno, by=None, reason="Seen at the club.", now=now)
    assert not missing()


@pytest.mark.full
def test_club_of_thirty_is_vouched_for_but_further_names_need_a_moderator(
    mallory: User, judge: User, now: datetime
) -> None:
    organising.found(slug="club", name="Club", about="", organiser=mallory, by=judge, now=now)
    claims = [
        Claim.objects.create(player=evenings.player(f"Member {one}", now), account=account(f"m{one}", now),
                             state="approved", made_at=now, decided_at=now)
        for one in range(vouching.ORGANISER_NAMES + 2)
    ]  # fmt: skip
    for claim in claims:
        Player.objects.filter(pk=claim.player_id).update(account=claim.account)
        Vouch.objects.create(claim=claim, by=mallory, role="organiser", at=now)
    table = {claim.player_id: claim.account_id for claim in claims}
    late = {claim.player_id for claim in claims[vouching.ORGANISER_NAMES :]}
    assert vouching.unvouched(table, vouching.standings_of(table)) == late
    assert not vouching.known([claims[-1].account_id])
