"""Unusual games and repeated plays are held until somebody decides, in every ruleset."""

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
from games.models import Acceptance, Act, Claim, Club, Flag, Game, Player, RatingEvent, Seating, Vouch
from games.moderation.decisions import Decision, ModerationError, settle_flag, settle_flags
from games.moderation.moderators import make_moderator
from games.ratings.acceptance import accept_due, make_due
from games.run import rate_waiting
from tests.games import evenings
from tests.games.seats import give_seat
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db

EVERY_RULESET = pytest.mark.parametrize("ruleset", first_quick([ruleset.slug for ruleset in RULESETS]))
LOST, WON = (("Ada", "Bruno"), (2, 1)), (("Ada", "Bruno"), (1, 2))


@pytest.fixture
def decision(now: datetime, mallory: User) -> Decision:
    """A moderator decides."""
    make_moderator(mallory, now=now)
    return Decision(mallory, now, "They met at the club.")


def play(
    count: int, ruleset: str, now: datetime, *, club: Club | None = None, seats: evenings.Played = LOST,
    left_in: int | None = None, **facts: object,
) -> list[Game]:  # fmt: skip
    """Return some due games, of Ada and Bruno unless others are given; unusual ones are held.

    :param left_in: the round in which the first seat left.
    """
    games = [evenings.game_of(seats, now, ruleset) for _ in range(count)]
    Game.objects.filter(pk__in=[game.pk for game in games]).update(**{"termination": "played", **facts})
    Seating.objects.filter(game__in=games, seat=0).update(left_in=left_in)
    make_due(games, now=now, club=club)
    while accept_due(now=now):
        pass
    return games


def waiting(kind: str) -> list[int]:
    """Return the games held by a kind of flag."""
    held = Acceptance.objects.filter(held=True, game__flags__kind=kind, game__flags__settled_at=None)
    return list(held.order_by("pk").values_list("game", flat=True).distinct())


@EVERY_RULESET
def test_tenth_game_of_a_pair_in_a_day_and_later_ones_are_held(ruleset: str, now: datetime) -> None:
    games = play(PAIRINGS_A_DAY + 2, ruleset, now)
    assert waiting("repeated-pairing") == [game.pk for game in games[PAIRINGS_A_DAY - 1 :]]
    assert RatingEvent.objects.count() == 2 * (PAIRINGS_A_DAY - 1)
    flag = Flag.objects.filter(kind="repeated-pairing").order_by("pk")[0]
    assert flag.params == {"rival": Player.objects.get(name="Bruno").pk, "day": 10, "month": 10}


@pytest.mark.full
@EVERY_RULESET
def test_fortieth_game_of_a_pair_in_a_month_is_held(ruleset: str, now: datetime) -> None:
    days = [now + timedelta(days=day) for day in range(PAIRINGS_A_MONTH // 5)]
    games = [game for day in days for game in play(5, ruleset, day)]
    assert waiting("repeated-pairing") == [games[-1].pk]


@EVERY_RULESET
def test_repeated_early_resignations_to_one_player_are_held(ruleset: str, now: datetime) -> None:
    games = play(FARMED, ruleset, now, left_in=EARLY)
    assert waiting("resign-farming") == [games[-1].pk]
    flag = Flag.objects.get(kind="resign-farming")
    assert (flag.player and flag.player.name, flag.params["week"]) == ("Bruno", FARMED)


@EVERY_RULESET
def test_games_played_out_or_resigned_late_are_not_held(ruleset: str, now: datetime) -> None:
    play(FARMED, ruleset, now)
    play(FARMED, ruleset, now, left_in=EARLY + 1)
    assert not Flag.objects.exists()


@pytest.mark.parametrize("others", [("Bruno", "Cleo"), ("Bruno", "Cleo", "Dora")])
def test_early_resignation_at_a_larger_table_benefits_all_higher_places(others: tuple[str, ...], now: datetime) -> None:
    table = ("Ada", *others), (len(others) + 1, *range(1, len(others) + 1))
    games = play(FARMED, evenings.RULESET, now, seats=table, left_in=1)
    assert waiting("resign-farming") == [games[-1].pk]
    assert set(Flag.objects.values_list("player__name", flat=True)) == set(others)


def test_early_resignation_without_losing_a_place_is_not_flagged(now: datetime) -> None:
    play(FARMED, evenings.RULESET, now, seats=WON, left_in=1)
    assert not Flag.objects.exists()


@EVERY_RULESET
def test_game_with_one_account_in_two_seats_is_held(ruleset: str, bob: User, now: datetime) -> None:
    game = evenings.game_of(LOST, now, ruleset)
    give_seat(game, 0, bob, now)
    Player.objects.filter(name="Bruno").update(account=bob)
    make_due([game], now=now)
    accept_due(now=now)
    assert waiting("same-person") == [game.pk]


@EVERY_RULESET
def test_game_of_a_new_account_is_held_unless_a_moderator_vouches(
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
def test_repeated_play_is_held_only_on_ladders_where_the_first_is_rated(ruleset: str, now: datetime) -> None:
    club = Club.objects.create(slug="club", name="Club", created_at=now)
    first, *_ = play(1, ruleset, now, club=club, likeness="a" * 64)
    (again,) = play(1, ruleset, now, club=club, likeness="a" * 64)
    assert waiting("likeness") == [again.pk]
    assert Flag.objects.get().params == {"like": first.pk}

    make_due([again], now=now)
    accept_due(now=now)
    assert Acceptance.objects.get(game=again, ladder__club=None).number, "on the site's ladder nothing like it counts"


def test_first_of_two_equal_games_due_at_once_is_rated(now: datetime) -> None:
    one, other = play(2, evenings.RULESET, now, likeness="a" * 64)
    assert waiting("likeness") == [other.pk]
    assert Acceptance.objects.get(game=one).number == 1


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_concurrent_acceptance_rates_only_one_of_two_equal_games(now: datetime) -> None:
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


def test_repeated_game_stays_held_when_the_first_is_annulled(now: datetime) -> None:
    one, other = play(2, evenings.RULESET, now, likeness="a" * 64)
    evenings.annul(one, now)
    rate_waiting(now=now)
    (third,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    assert waiting("likeness") == [other.pk, third.pk], "what was annulled does not come back written otherwise"


def test_games_without_real_actions_are_no_repeats_of_those_at_another_table(now: datetime) -> None:
    """As at a tournament with the same cards at all tables, to several of which somebody did not come."""
    other_table = (("Cleo", "Dora"), (2, 1))
    (one,) = play(1, evenings.RULESET, now, likeness="a" * 64, plies=1)
    (other,) = play(1, evenings.RULESET, now, seats=other_table, likeness="a" * 64, plies=1)
    assert waiting("likeness") == []
    assert set(Acceptance.objects.filter(number__isnull=False).values_list("game", flat=True)) == {one.pk, other.pk}


def test_game_without_real_actions_counts_once_for_the_same_persons(now: datetime, mallory: User) -> None:
    """Otherwise a game that somebody gave up at once would count each time that it is written otherwise."""
    play(1, evenings.RULESET, now, likeness="a" * 64, plies=1)
    (turned,) = play(1, evenings.RULESET, now, likeness="a" * 64, plies=1)
    evenings.player("Ada B.", now)
    Player.objects.filter(name__startswith="Ada").update(account=mallory)
    (renamed,) = play(1, evenings.RULESET, now, seats=(("Bruno", "Ada B."), (1, 2)), likeness="a" * 64, plies=1)
    assert waiting("likeness") == [turned.pk, renamed.pk]


def test_games_without_a_likeness_are_not_flagged_as_repeats(now: datetime) -> None:
    play(2, evenings.RULESET, now, likeness="")
    assert not Flag.objects.exists()


def test_released_game_gets_the_next_place(now: datetime, decision: Decision) -> None:
    play(1, evenings.RULESET, now, likeness="a" * 64)
    (again,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    settle_flag(Flag.objects.get(), decision)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=again).number == 2
    assert Act.objects.get(game=again).kind == "game-let-count"
    with pytest.raises(ModerationError, match="already settled"):
        settle_flag(Flag.objects.get(), decision)


def test_unrated_game_stays_unrated_until_someone_releases_it(now: datetime, decision: Decision) -> None:
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


def test_unrated_game_stays_held_when_it_becomes_due_again(now: datetime, decision: Decision) -> None:
    play(1, evenings.RULESET, now, likeness="a" * 64)
    (again,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    settle_flag(Flag.objects.get(), decision, unrated=True)
    Acceptance.objects.filter(game=again).delete()
    make_due([again], now=now)
    accept_due(now=now)
    assert Acceptance.objects.get(game=again).held


def test_game_with_two_flags_is_held_until_both_are_settled(now: datetime, decision: Decision) -> None:
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


def test_only_organisers_settle_flags_in_their_club(now: datetime, alice: User, bob: User) -> None:
    club = Club.objects.create(slug="club", name="Club", created_at=now)
    club.organisers.add(alice)
    play(2, evenings.RULESET, now, club=club, likeness="a" * 64)
    with pytest.raises(ModerationError, match="organiser of the club"):
        settle_flag(Flag.objects.get(), Decision(bob, now, "No."))
    settle_flag(Flag.objects.get(), Decision(alice, now, "A return match."))
    rate_waiting(now=now)
    assert Acceptance.objects.filter(number__isnull=False).count() == 2


def test_game_of_unclaimed_seats_is_not_held(now: datetime) -> None:
    (game,) = play(1, evenings.RULESET, now)
    assert Seating.objects.filter(game=game).count() == 2
    assert not Flag.objects.exists()


def player_of(name: str, account: User, now: datetime, *, vouched: bool = True) -> Player:
    """Return a player who belongs to an account through an approved claim."""
    player = evenings.player(name, now)
    claim = Claim.objects.create(player=player, account=account, made_at=now, state="approved", decided_at=now)
    if vouched:
        Vouch.objects.create(claim=claim, role="moderator", at=now)
    Player.objects.filter(pk=player.pk).update(account=account)
    return player


@pytest.mark.full
def test_games_of_two_accounts_are_counted_under_all_their_names(alice: User, bob: User, now: datetime) -> None:
    for name, account in (("Ada", alice), ("Adele", alice), ("Bruno", bob), ("Benno", bob)):
        player_of(name, account, now)
    tables = [(names, (1, 2)) for names in (("Ada", "Bruno"), ("Adele", "Benno"), ("Ada", "Benno"), ("Bruno", "Adele"))]
    games = [play(1, evenings.RULESET, now, seats=tables[number % 4])[0] for number in range(PAIRINGS_A_DAY)]
    assert waiting("repeated-pairing") == [games[-1].pk]


def test_early_resignations_count_all_names_of_two_accounts(alice: User, bob: User, now: datetime) -> None:
    for name, account in (("Ada", alice), ("Adele", alice), ("Bruno", bob), ("Benno", bob)):
        player_of(name, account, now)
    tables = [(names, (2, 1)) for names in (("Ada", "Bruno"), ("Adele", "Benno"), ("Ada", "Benno"))]
    games = [play(1, evenings.RULESET, now, seats=table, left_in=1)[0] for table in tables]
    assert waiting("resign-farming") == [games[-1].pk]


def test_games_before_a_merge_count_towards_repeated_pairings(now: datetime) -> None:
    play(PAIRINGS_A_DAY - 1, evenings.RULESET, now)
    evenings.merge("Ada", "Adele", now)
    (game,) = play(1, evenings.RULESET, now, seats=(("Adele", "Bruno"), (1, 2)))
    assert waiting("repeated-pairing") == [game.pk]


def test_other_accounts_are_counted_apart(alice: User, bob: User, now: datetime) -> None:
    player_of("Ada", alice, now)
    player_of("Bruno", bob, now)
    play(PAIRINGS_A_DAY - 1, evenings.RULESET, now)
    play(PAIRINGS_A_DAY - 1, evenings.RULESET, now, seats=(("Ada", "Cleo"), (1, 2)))
    assert not Flag.objects.exists()


def test_held_game_does_not_block_an_equal_game_from_being_rated(alice: User, now: datetime) -> None:
    player_of("Ada", alice, now, vouched=False)
    (turned,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    (honest,) = play(1, evenings.RULESET, now, likeness="a" * 64, seats=(("Cleo", "Dora"), (1, 2)))
    assert waiting("unvouched") == [turned.pk]
    assert Acceptance.objects.get(game=honest).number == 1


def test_second_of_two_released_equal_games_is_held_for_the_first(
    alice: User, now: datetime, decision: Decision
) -> None:
    player_of("Ada", alice, now, vouched=False)
    one, other = play(2, evenings.RULESET, now, likeness="a" * 64)
    for flag in Flag.objects.filter(kind="unvouched"):
        settle_flag(flag, decision)
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=one).number == 1
    assert waiting("likeness") == [other.pk]


def test_unrated_game_cannot_return_turned_or_under_other_names(now: datetime, decision: Decision) -> None:
    (game,) = play(FARMED, evenings.RULESET, now, left_in=1)[-1:]
    Game.objects.filter(pk=game.pk).update(likeness="a" * 64)
    settle_flag(Flag.objects.get(), decision, unrated=True)
    Acceptance.objects.filter(game=game).delete()
    (turned,) = play(1, evenings.RULESET, now, likeness="a" * 64)
    Game.objects.filter(pk=game.pk).update(upheld=False)
    (renamed,) = play(1, evenings.RULESET, now, likeness="a" * 64, digest=game.digest, seats=(("Cleo", "Dora"), (1, 2)))
    assert waiting("likeness") == [turned.pk, renamed.pk]
