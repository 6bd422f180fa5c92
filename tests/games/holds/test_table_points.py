"""Games at rated tables count at once, but a circle of accounts that nobody knows lifts none of them."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import combinations, pairwise
from random import Random

import pytest
from django.contrib.auth.models import User

from engine.rating import Rating
from games.holds.reads.table_points import BEGINNERS, FREE
from games.models import Acceptance, Claim, Flag, Game, Player, Standing, Table, Vouch
from games.players.claims import vouch
from games.ratings.acceptance import accept_due, make_due
from games.run import rate_waiting
from tests.games import evenings
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db

SOCKS = tuple(f"Sock {number}" for number in range(10))
HONEST = tuple(f"Honest {number}" for number in range(8))


def account(name: str, now: datetime, *, known: bool = False) -> Player:
    """Return the player as whom an account plays at tables."""
    player = evenings.player(name, now)
    if player.account_id is None:
        player.account = User.objects.create_user(name)
        player.save()
        claim = Claim.objects.create(
            player=player, account=player.account, made_at=now, state="approved", decided_at=now
        )
        if known:
            Vouch.objects.create(claim=claim, role="moderator", at=now)
    return player


def at_tables(
    evening: Iterable[evenings.Played], now: datetime, *, known: bool = False, once: bool = False
) -> list[Game]:
    """Play games at rated tables, and rate each when it is over, or all at once."""
    games = []
    for names, places in evening:
        for name in names:
            account(name, now, known=known)
        game = evenings.game_of((names, places), now)
        Table.objects.create(
            ruleset=game.ruleset, places=len(names), first="drawn", rated=True, commitment="0" * 64, sealed_secret=b"",
            opened_at=now, game=game,
        )  # fmt: skip
        make_due([game], now=now)
        games.append(game)
        if not once:
            accept_due(now=now)
    accept_due(now=now)
    return games


def wins(winner: str, losers: Sequence[str], times: int = 1) -> list[evenings.Played]:
    return [((winner, loser), (1, 2)) for loser in losers for _ in range(times)]


def rating(name: str) -> float:
    standing = Standing.objects.filter(player__name=name, ladder__club=None).first()
    return standing.value if standing else Rating().value


def held() -> list[int]:
    return list(Acceptance.objects.filter(held=True).order_by("pk").values_list("game", flat=True))


def vouch_for(name: str, now: datetime) -> None:
    vouch(Claim.objects.get(player__name=name), by=None, reason="Met.", now=now)
    rate_waiting(now=now)


@pytest.fixture
def honest(now: datetime) -> list[float]:
    """The ratings of known players of equal strength who have played each other for a while, best first."""
    chance, pairs = Random(7), list(combinations(HONEST, 2))
    at_tables([(pair, chance.choice([(1, 2), (2, 1)])) for pair in pairs * 3], now - timedelta(days=3), known=True)
    assert not held()
    return sorted(map(rating, HONEST), reverse=True)


@pytest.mark.parametrize("once", first_quick([False, True]))
def test_nine_wins_over_each_of_ten_accounts_that_nobody_knows_lead_nowhere(
    honest: list[float], now: datetime, *, once: bool
) -> None:
    at_tables(wins("Mallory", SOCKS, 9), now, once=once)
    assert rating("Mallory") < min(BEGINNERS + 100, honest[2])
    assert Flag.objects.filter(kind="unvouched", settled_at=None).exists()


@pytest.mark.full
def test_neither_do_wins_over_accounts_that_have_lifted_each_other(honest: list[float], now: datetime) -> None:
    ring = [one for number, sock in enumerate(SOCKS) for one in wins(sock, SOCKS[:number], 2)]
    at_tables([*ring, *wins("Mallory", SOCKS[::-1], 5)], now)
    assert max(map(rating, ("Mallory", *SOCKS))) < min(BEGINNERS + 150, honest[2])


@pytest.mark.full
@pytest.mark.parametrize("places", [(1, 2, 2, 2), (1, 1, 1, 1)])
def test_neither_do_large_tables_and_shared_places(places: tuple[int, ...], honest: list[float], now: datetime) -> None:
    tables = [("Mallory", *SOCKS[number : number + 3]) for number in range(7)]
    at_tables([(table, places) for table in tables for _ in range(5)], now)
    assert rating("Mallory") < min(BEGINNERS + 100, honest[2])


@pytest.mark.full
def test_one_known_player_makes_no_opponents_for_a_second_account(honest: list[float], now: datetime) -> None:
    by = account("Honest 0", now).account
    at_tables(wins("Honest 0", [*SOCKS, "Mallory"]), now)
    for name in (*SOCKS[:9], "Mallory"):
        Vouch.objects.create(claim=Claim.objects.get(player__name=name), by=by, role="player", at=now)
    at_tables(wins("Mallory", SOCKS, 9), now)
    assert rating("Mallory") < min(BEGINNERS + 100, honest[2])


@pytest.mark.full
def test_who_is_known_wins_few_points_over_those_who_are_not(honest: list[float], now: datetime) -> None:
    best = max(HONEST, key=rating)
    at_tables(wins(best, SOCKS, 9), now)
    assert held()
    assert rating(best) < honest[0] + FREE + 20


def test_newcomers_games_count_at_once_and_those_that_wait_as_soon_as_somebody_vouches(now: datetime) -> None:
    club = SOCKS[:6]
    evening = [(pair, (1, 2)) for pair in combinations(club, 2)]
    games = at_tables(evening, now)
    assert held() == [games[4].pk], "the fifth win of one player, where no other has won so many"

    vouch_for("Sock 5", now)

    assert not held()
    assert Flag.objects.get().settled_at == now


@pytest.mark.full
def test_voucher_for_one_opponent_lets_other_games_wait(now: datetime) -> None:
    games = at_tables(wins("Mallory", SOCKS), now)
    assert held() == [game.pk for game in games[4:]]
    vouch_for("Sock 9", now)
    assert held() == [game.pk for game in games[4:9]]


@pytest.mark.full
def test_losing_to_an_unknown_account_and_beating_a_known_one_count(honest: list[float], now: datetime) -> None:
    at_tables(wins("Mallory", SOCKS[:4]), now)
    assert rating("Mallory") >= BEGINNERS
    at_tables([*wins("Mallory", HONEST), *wins("Sock 9", ["Mallory"])], now)
    assert not held()


@pytest.mark.full
def test_player_who_stays_below_is_never_held(now: datetime) -> None:
    at_tables([((one, other), (1, 2)) for one, other in pairwise(SOCKS) for _ in range(2)], now)
    assert not held()
