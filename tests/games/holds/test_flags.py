"""What is unusual, or the same play again, waits for somebody before it counts: in every ruleset."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from engine.registry import RULESETS
from games.holds.flags import release
from games.holds.reads.due_games import EARLY
from games.holds.thresholds import FARMED, PAIRINGS_A_DAY, PAIRINGS_A_MONTH
from games.models import Acceptance, Act, Claim, Flag, Game, League, Player, RatingEvent, Seating, Vouch
from games.moderation.decisions import Decision, ModerationError, settle_flag, settle_flags
from games.moderation.moderators import make_moderator
from games.ratings.acceptance import accept_due, make_due
from games.run import rate_waiting
from tests.games import evenings
from tests.games.seats import give_seat

pytestmark = pytest.mark.django_db

EVERY_RULESET = pytest.mark.parametrize("ruleset", [ruleset.slug for ruleset in RULESETS])
LOST, WON = (("Ada", "Bruno"), (2, 1)), (("Ada", "Bruno"), (1, 2))


@pytest.fixture
def decision(now: datetime, mallory: User) -> Decision:
    """A moderator decides."""
    make_moderator(mallory, now=now)
    return Decision(mallory, now, "They met at the club.")


def play(
    count: int, ruleset: str, now: datetime, *, league: League | None = None, seats: evenings.Played = LOST,
    left_in: int | None = None, **facts: object,
) -> list[Game]:  # fmt: skip
    """Some games that are due, of Ada and Bruno unless others sat there; what is unusual waits.

    :param left_in: the round in which the first seat gave up.
    """
    games = [evenings.game_of(seats, now, ruleset) for _ in range(count)]
    Game.objects.filter(pk__in=[game.pk for game in games]).update(**{"termination": "played", **facts})
    Seating.objects.filter(game__in=games, seat=0).update(left_in=left_in)
    make_due(games, now=now, league=league)
    while accept_due(now=now):
        pass
    return games


def waiting(kind: str) -> list[int]:
    """The games that wait for a flag of a kind."""
    held = Acceptance.objects.filter(held=True, game__flags__kind=kind, game__flags__settled_at=None)
    return list(held.order_by("pk").values_list("game", flat=True).distinct())


@EVERY_RULESET
def test_the_tenth_game_of_two_in_a_day_waits_and_so_do_those_after_it(ruleset: str, now: datetime) -> None:
    games = play(PAIRINGS_A_DAY + 2, ruleset, now)
    assert waiting("repeated-pairing") == [game.pk for game in games[PAIRINGS_A_DAY - 1 :]]
    assert RatingEvent.objects.count() == 2 * (PAIRINGS_A_DAY - 1)
    flag = Flag.objects.filter(kind="repeated-pairing").order_by("pk")[0]
    assert flag.params == {"rival": Player.objects.get(name="Bruno").pk, "day": 10, "month": 10}


@EVERY_RULESET
def test_the_fortieth_game_of_two_within_a_month_waits(ruleset: str, now: datetime) -> None:
    days = [now + timedelta(days=day) for day in range(PAIRINGS_A_MONTH // 5)]
    games = [game for day in days for game in play(5, ruleset, day)]
    assert waiting("repeated-pairing") == [games[-1].pk]


@EVERY_RULESET
def test_early_resignations_to_one_player_wait(ruleset: str, now: datetime) -> None:
    games = play(FARMED, ruleset, now, left_in=EARLY)
    assert waiting("resign-farming") == [games[-1].pk]
    flag = Flag.objects.get(kind="resign-farming")
    assert (flag.player and flag.player.name, flag.params["week"]) == ("Bruno", FARMED)


@EVERY_RULESET
def test_games_that_were_played_or_given_up_late_do_not_wait(ruleset: str, now: datetime) -> None:
    play(FARMED, ruleset, now)
    play(FARMED, ruleset, now, left_in=EARLY + 1)
    assert not Flag.objects.exists()


@pytest.mark.parametrize("others", [("Bruno", "Cleo"), ("Bruno", "Cleo", "Dora")])
def test_who_gives_up_early_at_a_larger_table_gives_to_all_who_come_before(
    others: tuple[str, ...], now: datetime
) -> None:
    table = ("Ada", *others), (len(others) + 1, *range(1, len(others) + 1))
    games = play(FARMED, evenings.RULESET, now, seats=table, left_in=1)
    assert waiting("resign-farming") == [games[-1].pk]
    assert set(Flag.objects.values_list("player__name", flat=True)) == set(others)


def test_who_gives_up_early_and_loses_nothing_by_it_gives_nothing(now: datetime) -> None:
    play(FARMED, evenings.RULESET, now, seats=WON, left_in=1)
    assert not Flag.objects.exists()


@EVERY_RULESET
def test_one_account_in_two_seats_waits(ruleset: str, bob: User, now: datetime) -> None:
    game = evenings.game_of(LOST, now, ruleset)
    give_seat(game, 0, bob, now)
    Player.objects.filter(name="Bruno").update(account=bob)
    make_due([game], now=now)
    accept_due(now=now)
    assert waiting("same-person") == [game.pk]


@EVERY_RULESET
def test_a_brand_new_account_waits_unless_a_moderator_vouches(
    ruleset: str, alice: User, bob: User, now: datetime
) -> None:
    cleo = User.objects.create_user("cleo")
    User.objects.filter(pk=bob.pk).update(date_joined=now - timedelta(days=2))
    User.objects.exclude(pk=bob.pk).update(date_joined=now - timedelta(days=200))
    known = evenings.game_of((("Cleo", "Ada"), (1, 2)), now, ruleset)
    give_seat(known, 0, cleo, now)
    give_seat(known, 1, alice, now)
    game = evenings.game_of(LOST, now, ruleset)
    bruno = give_seat(game, 1, bob, now, vouched=False)
    Vouch.objects.create(claim=bruno.claims.get(), by=cleo, role="player", at=now)
    make_due([game], now=now)
    accept_due(now=now)
    assert waiting("new-account") == [game.pk]
    assert Flag.objects.get(kind="new-account").params == {"days": 2}

    Vouch.objects.create(claim=bruno.claims.get(), role="moderator", at=now)
    other = evenings.game_of(LOST, now, ruleset)
    make_due([other], now=now)
    accept_due(now=now)
    assert Acceptance.objects.get(game=other).number


@EVERY_RULESET
def test_the_same_play_again_waits_in_every_ladder_where_it_came_before(ruleset: str, now: datetime) -> None:
    league = League.objects.create(slug="club", name="Club", created_at=now)
    first, *_ = play(1, ruleset, now, league=league, likeness="a" * 64)
    (again,) = play(1, ruleset, now, league=league, likeness="a" * 64)
    assert waiting("likeness") == [again.pk]
    assert Flag.objects.get().params == {"like": first.pk}

    make_due([again], now=now)
    accept_due(now=now)
    assert Acceptance.objects.get(game=again, ladder__league=None).number, "on the site's ladder nothing like it counts"


def test_of_one_play_due_at_the_same_moment_the_first_counts(now: datetime) -> None:
    one, other = play(2, evenings.RULESET, now, likeness="a" * 64)
    assert waiting("likeness") == [other.pk]
    assert Acceptance.objects.get(game=one).number == 1


@pytest.mark.django_db(transaction=True)
def test_two_of_one_play_accepted_by_two_at_once_do_not_both_count(now: datetime) -> None:
    for _ in range(5):
        games = [evenings.game_of(LOST, now) for _ in range(2)]
        likeness = games[0].digest or ""
        Game.objects.filter(pk__in=[game.pk for game in games]).update(likeness=likeness)
        begin = Barrier(2)

        def accept(game: Game, begin: Barrier = begin) -> None:
            try:
                begin.wait(timeout=20)
                make_due([game], now=now)
                accept_due(now=now)
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as both:
            list(both.map(accept, games))
        accept_due(now=now)
        counting = Acceptance.objects.filter(game__likeness=likeness, number__isnull=False)
        assert counting.count() == 1


def test_what_waits_goes_on_waiting_when_the_first_is_annulled(now: datetime) -> None:
    one, other = play(2, evenings.RULESET, now, likeness="a" * 64)
    evenings.annul(one, now)
    rate_waiting(now=now)
    (third,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    assert waiting("likeness") == [other.pk, third.pk], "what was annulled does not come back written otherwise"


def test_games_in_which_nobody_played_anything_are_no_repeats(now: datetime) -> None:
    """As where nobody came to two tables with the same cards; who does so often is noticed otherwise."""
    one, other = play(2, evenings.RULESET, now, likeness="a" * 64, plies=1)
    assert waiting("likeness") == []
    assert set(Acceptance.objects.filter(number__isnull=False).values_list("game", flat=True)) == {one.pk, other.pk}


def test_games_without_a_likeness_are_like_no_others(now: datetime) -> None:
    play(2, evenings.RULESET, now, likeness="")
    assert not Flag.objects.exists()


def test_a_game_that_is_let_count_gets_the_next_place(now: datetime, decision: Decision) -> None:
    play(1, evenings.RULESET, now, likeness="a" * 64)
    (again,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    settle_flag(Flag.objects.get(), decision)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=again).number == 2
    assert Act.objects.get(game=again).kind == "game-let-count"
    with pytest.raises(ModerationError, match="already settled"):
        settle_flag(Flag.objects.get(), decision)


def test_a_game_left_unrated_stays_so_until_somebody_lets_it_count(now: datetime, decision: Decision) -> None:
    play(1, evenings.RULESET, now, likeness="a" * 64)
    (again,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    settle_flag(Flag.objects.get(), decision, unrated=True)
    make_due([again], now=now)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=again).held
    assert Act.objects.get(game=again).kind == "game-left-unrated"

    settle_flag(Flag.objects.get(), decision)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=again).number == 2


def test_a_game_left_unrated_is_so_even_if_it_is_due_anew(now: datetime, decision: Decision) -> None:
    play(1, evenings.RULESET, now, likeness="a" * 64)
    (again,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    settle_flag(Flag.objects.get(), decision, unrated=True)
    Acceptance.objects.filter(game=again).delete()
    make_due([again], now=now)
    accept_due(now=now)
    assert Acceptance.objects.get(game=again).held


def test_nothing_counts_while_one_of_two_flags_is_open(now: datetime, decision: Decision) -> None:
    play(2, evenings.RULESET, now, left_in=1)
    (game,) = play(1, evenings.RULESET, now, left_in=1)
    held = Acceptance.objects.get(game=game)
    Flag.objects.create(kind="likeness", game=game, ladder=held.ladder, raised_at=now)
    settle_flag(Flag.objects.get(kind="resign-farming"), decision)
    held.refresh_from_db()
    assert held.held
    release([held])
    held.refresh_from_db()
    assert held.held


def test_flags_are_settled_together_or_not_at_all(now: datetime, decision: Decision) -> None:
    play(PAIRINGS_A_DAY + 1, evenings.RULESET, now)
    found = list(Flag.objects.order_by("pk"))
    settle_flag(found[1], decision)
    with pytest.raises(ModerationError, match="already settled"):
        settle_flags(found, decision)


def test_in_a_league_its_organisers_say_and_nobody_else(now: datetime, alice: User, bob: User) -> None:
    league = League.objects.create(slug="club", name="Club", created_at=now)
    league.organisers.add(alice)
    play(2, evenings.RULESET, now, league=league, likeness="a" * 64)
    with pytest.raises(ModerationError, match="organiser of the league"):
        settle_flag(Flag.objects.get(), Decision(bob, now, "No."))
    settle_flag(Flag.objects.get(), Decision(alice, now, "A return match."))
    rate_waiting(now=now)
    assert Acceptance.objects.filter(number__isnull=False).count() == 2


def test_seats_nobody_has_claimed_hold_nothing_back(now: datetime) -> None:
    (game,) = play(1, evenings.RULESET, now)
    assert Seating.objects.filter(game=game).count() == 2
    assert not Flag.objects.exists()


def owned(name: str, account: User, now: datetime, *, vouched: bool = True) -> Player:
    """A player who is an account's own, by a claim that was approved."""
    player = evenings.player(name, now)
    claim = Claim.objects.create(player=player, account=account, made_at=now, state="approved", decided_at=now)
    if vouched:
        Vouch.objects.create(claim=claim, role="moderator", at=now)
    Player.objects.filter(pk=player.pk).update(account=account)
    return player


def test_games_of_two_accounts_are_counted_under_all_their_names(alice: User, bob: User, now: datetime) -> None:
    for name, account in (("Ada", alice), ("Adele", alice), ("Bruno", bob), ("Benno", bob)):
        owned(name, account, now)
    tables = [(names, (1, 2)) for names in (("Ada", "Bruno"), ("Adele", "Benno"), ("Ada", "Benno"), ("Bruno", "Adele"))]
    games = [play(1, evenings.RULESET, now, seats=tables[number % 4])[0] for number in range(PAIRINGS_A_DAY)]
    assert waiting("repeated-pairing") == [games[-1].pk]


def test_so_are_the_games_that_they_give_each_other(alice: User, bob: User, now: datetime) -> None:
    for name, account in (("Ada", alice), ("Adele", alice), ("Bruno", bob), ("Benno", bob)):
        owned(name, account, now)
    tables = [(names, (2, 1)) for names in (("Ada", "Bruno"), ("Adele", "Benno"), ("Ada", "Benno"))]
    games = [play(1, evenings.RULESET, now, seats=table, left_in=1)[0] for table in tables]
    assert waiting("resign-farming") == [games[-1].pk]


def test_games_from_before_a_merge_are_counted_after_it(now: datetime) -> None:
    play(PAIRINGS_A_DAY - 1, evenings.RULESET, now)
    evenings.merge("Ada", "Adele", now)
    (game,) = play(1, evenings.RULESET, now, seats=(("Adele", "Bruno"), (1, 2)))
    assert waiting("repeated-pairing") == [game.pk]


def test_other_accounts_are_counted_apart(alice: User, bob: User, now: datetime) -> None:
    owned("Ada", alice, now)
    owned("Bruno", bob, now)
    play(PAIRINGS_A_DAY - 1, evenings.RULESET, now)
    play(PAIRINGS_A_DAY - 1, evenings.RULESET, now, seats=(("Ada", "Cleo"), (1, 2)))
    assert not Flag.objects.exists()


def test_what_waits_itself_keeps_no_game_of_the_same_play_from_counting(alice: User, now: datetime) -> None:
    owned("Ada", alice, now, vouched=False)
    (turned,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    (honest,) = play(1, evenings.RULESET, now, likeness="a" * 64, seats=(("Cleo", "Dora"), (1, 2)))
    assert waiting("unvouched") == [turned.pk]
    assert Acceptance.objects.get(game=honest).number == 1


def test_of_two_games_of_one_play_that_wait_the_second_to_go_on_waits_for_the_first(
    alice: User, now: datetime, decision: Decision
) -> None:
    owned("Ada", alice, now, vouched=False)
    one, other = play(2, evenings.RULESET, now, likeness="a" * 64)
    for flag in Flag.objects.filter(kind="unvouched"):
        settle_flag(flag, decision)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=one).number == 1
    assert waiting("likeness") == [other.pk]


def test_what_was_left_unrated_does_not_come_back_turned_or_with_other_names(now: datetime, decision: Decision) -> None:
    (game,) = play(FARMED, evenings.RULESET, now, left_in=1)[-1:]
    Game.objects.filter(pk=game.pk).update(likeness="a" * 64)
    settle_flag(Flag.objects.get(), decision, unrated=True)
    Acceptance.objects.filter(game=game).delete()
    (turned,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    Game.objects.filter(pk=game.pk).update(upheld=False)
    (renamed,) = play(1, evenings.RULESET, now, likeness="a" * 64, digest=game.digest, seats=(("Cleo", "Dora"), (1, 2)))
    assert waiting("likeness") == [turned.pk, renamed.pk]
