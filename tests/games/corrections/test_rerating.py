"""Corrections: changing the past changes what follows from it, and nothing else."""

from datetime import datetime

import pytest
from django.db.models import Min

from engine.rating import Rating, rate
from games.corrections.rerating import (
    Instruction,
    order_annulment,
    order_merge,
    order_restoration,
    order_split,
    perform_waiting,
)
from games.models import Acceptance, BestRank, Correction, Ladder, Player, RankBucket, RatingEvent, Standing, Upload
from games.ratings.acceptance import make_due, no_longer_due
from tests.factories import duels
from tests.games import evenings as evening
from tests.games.judging import count_all, judge_all
from tests.games.uploading import upload_file


def play(count: int, now: datetime) -> list[Acceptance]:
    """Ada loses some games to Bruno."""
    upload_file(b"\n".join(duels(count)), via=Upload.Via.API, now=now)
    count_all(now)
    return list(Acceptance.objects.order_by("number"))


def after(games: int) -> list[tuple[float, float]]:
    """The ratings of Ada and Bruno after so many games."""
    ratings = [Rating(), Rating()]
    for _ in range(games):
        ratings = rate(ratings, [2, 1])
    return [(rating.mu, rating.sigma) for rating in ratings]


def current_ratings() -> list[tuple[float, float]]:
    return list(Standing.objects.order_by("player__name").values_list("mu", "sigma"))


@pytest.mark.django_db
def test_an_annulled_game_gets_an_entry_and_so_does_every_rating_that_follows(now: datetime) -> None:
    games = play(3, now)
    order_annulment(games[1], Instruction(None, "a joke", now))

    assert perform_waiting(now=now) == 1

    entries = RatingEvent.objects.filter(correction__isnull=False).order_by("id")
    assert list(entries.values_list("number", "seat", "counts")) == [
        (2, 0, False), (2, 1, False), (3, 0, True), (3, 1, True),
    ]  # fmt: skip
    assert current_ratings() == after(2)
    assert Standing.objects.get(player__name="Ada").last_number == 3
    assert Correction.objects.get().changed == 4


@pytest.mark.django_db
def test_annulling_the_newest_game_restores_the_previous_standing(now: datetime) -> None:
    games = play(3, now)
    order_annulment(games[2], Instruction(None, "a joke", now))

    perform_waiting(now=now)

    assert set(Standing.objects.values_list("last_number", flat=True)) == {2}


@pytest.mark.django_db
def test_player_without_rated_games_leaves_the_ladder_until_one_is_restored(now: datetime) -> None:
    (game,) = play(1, now)
    order_annulment(game, Instruction(None, "a joke", now))
    perform_waiting(now=now)

    assert not Standing.objects.exists()
    assert not RankBucket.objects.exists()
    assert Ladder.objects.values_list("players", "games").get() == (0, 0)

    order_restoration(game, Instruction(None, "no joke", now))
    perform_waiting(now=now)

    assert current_ratings() == after(1)
    assert Ladder.objects.values_list("players", "games").get() == (2, 1)
    assert sum(RankBucket.objects.values_list("players", flat=True)) == 2
    assert set(BestRank.objects.values_list("rank", flat=True)) == {1, 2}


@pytest.mark.django_db
def test_best_rank_reached_by_an_annulled_game_is_removed(now: datetime) -> None:
    games = [*evening.play([(("Ada", "Bruno"), (1, 2))], now), *evening.play([(("Bruno", "Ada"), (1, 2))] * 3, now)]
    assert best_ranks() == {"Ada": 1, "Bruno": 1}

    for game in games[1:]:
        evening.annul(game, now)
    assert best_ranks() == {"Ada": 1, "Bruno": 2}, "Bruno was first by those games alone"

    order_restoration(Acceptance.objects.get(game=games[3]), Instruction(None, "it was played", now))
    perform_waiting(now=now)
    assert best_ranks() == {"Ada": 1, "Bruno": 1}


@pytest.mark.django_db
def test_best_rank_of_a_merged_player_moves_to_the_remaining_one(now: datetime) -> None:
    evening.play([(("Ada", "Bruno"), (1, 2))], now)
    evening.merge("Ada", "Cleo", now)
    assert best_ranks() == {"Bruno": 2, "Cleo": 1}


def best_ranks() -> dict[str, int]:
    return dict(BestRank.objects.values("player__name").annotate(rank=Min("rank")).values_list("player__name", "rank"))


@pytest.mark.django_db
def test_chain_of_merges_ends_at_the_last_player(now: datetime) -> None:
    play(1, now)
    ada, bruno = Player.objects.order_by("name")
    cleo, dora = (Player.objects.create(name=name, created_at=now) for name in ("Cleo", "Dora"))
    for one, other in ((ada, cleo), (cleo, dora), (dora, cleo)):
        order_merge(one, other, Instruction(None, "the same", now))

    assert perform_waiting(now=now) == 3

    assert dict(Player.objects.values_list("name", "merged_into__name")) == {
        "Ada": "Dora", "Bruno": None, "Cleo": "Dora", "Dora": None,
    }  # fmt: skip
    assert set(Standing.objects.values_list("player", flat=True)) == {bruno.pk, dora.pk}


@pytest.mark.django_db
def test_split_players_get_their_own_games_back(now: datetime) -> None:
    play(2, now)
    before = list(Standing.objects.order_by("player").values())
    ada = Player.objects.get(name="Ada")
    cleo = Player.objects.create(name="Cleo", created_at=now)
    order_merge(ada, cleo, Instruction(None, "the same", now))
    perform_waiting(now=now)

    ada.refresh_from_db()
    order_split(ada, Instruction(None, "not the same", now))
    perform_waiting(now=now)

    known = [{**line, "id": 0} for line in Standing.objects.order_by("player").values()]
    assert known == [{**line, "id": 0} for line in before]


@pytest.mark.django_db
def test_one_person_on_both_seats_is_not_rated(now: datetime) -> None:
    play(1, now)
    ada, bruno = Player.objects.order_by("name")
    order_merge(ada, bruno, Instruction(None, "the same", now))
    perform_waiting(now=now)

    assert not Standing.objects.exists()
    upload_file(b"\n".join(duels(2)), via=Upload.Via.API, now=now)
    count_all(now)
    assert not Standing.objects.exists()
    assert list(RatingEvent.objects.filter(number=2).values_list("player", "counts")) == [(bruno.pk, False)] * 2


@pytest.mark.django_db
def test_game_without_a_place_in_the_ledger_cannot_be_annulled(now: datetime) -> None:
    upload_file(b"\n".join(duels(1)), via=Upload.Via.API, now=now)
    judge_all(now)
    game = Upload.objects.get().logs.get().game
    assert game
    make_due([game], now=now)

    with pytest.raises(ValueError, match="has no place in the order yet"):
        order_annulment(Acceptance.objects.get(), Instruction(None, "a joke", now))
    no_longer_due(game)
    assert not Acceptance.objects.exists()
