"""The leaderboards."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Ladder, Player, RankBucket, Standing
from tests.factories import duels, record
from tests.games.web.conftest import HandIn, Read

FIXTURES = Path(__file__).parents[3] / "fixtures"
LADDER = FIXTURES / "ladder"


NOW = "2026-03-14T00:00:00Z"


@pytest.mark.django_db
def test_every_ruleset_has_a_ladder_even_an_empty_one(read: Read) -> None:
    words = read("/leaderboards/")
    assert "Atta Ants, online rules Nobody is ranked yet." in words
    assert "Atta Ants, rules of 2003 Nobody is ranked yet." in words


@pytest.mark.django_db
def test_an_empty_ladder_says_how_it_begins(read: Read) -> None:
    assert "Nobody is ranked yet. The first verified game" in read("/leaderboards/atta-ants-online/")


def test_every_cell_of_the_table(hand_in: HandIn, read: Read) -> None:
    hand_in(*((LADDER / name).read_bytes() for name in ("shared-second.agn", "eaten-decides.agn")))
    words = read("/leaderboards/atta-ants-online/")
    assert "Rank Player Rating ± Games Won Drawn Lost 1. 2. 3. 4. Beaten" in words
    assert "1 Bruno 1 won, 0 drawn, 1 lost 75 % beaten 159 380 2 1 0 1 1 1 0 0 75 %" in words
    assert "4 Ada 0 won, 0 drawn, 2 lost 0 % beaten 0 380 2 0 0 2 0 1 0 1 0 %" in words


@pytest.mark.parametrize(
    ("slug", "columns"), [("atta-ants-2003", "1. 2. 3. 4. Beaten"), ("ant-trails-2020", "Lost 1. 2. Beaten")]
)
def test_there_is_a_column_for_every_place_that_there_is(hand_in: HandIn, read: Read, slug: str, columns: str) -> None:
    trails = FIXTURES / "ant_trails" / "games" / "agreed-draw.agn"
    hand_in(record(rules="2003"), trails.read_bytes())

    assert columns in read(f"/leaderboards/{slug}/")


def test_a_shared_rank_is_shown_twice_and_the_next_left_out(hand_in: HandIn, read: Read) -> None:
    hand_in(record("draw 1-1"), record("NS@0,2 resign:R 2-1", names=("Cleo", "Dora")))
    words = read("/leaderboards/atta-ants-online/")
    ranks = [line.split()[-1] for line in (words.split(name, 1)[0] for name in ("Dora", "Ada", "Bruno", "Cleo"))]
    assert ranks == ["1", "2", "2", "4"]


def test_the_explanation_says_what_counts(hand_in: HandIn, read: Read) -> None:
    hand_in(record())
    words = read("/leaderboards/atta-ants-online/")
    assert "an estimate of strength less three times its uncertainty" in words
    assert "from nothing but the places in verified, finished games" in words


def crowd(count: int) -> None:
    players = Player.objects.bulk_create(
        Player(name=f"Ant {n:03}", created_at="2026-03-14T00:00:00Z") for n in range(1, count + 1)
    )
    whole, _ = Ladder.objects.update_or_create(ruleset="atta-ants-online", league=None, defaults={"players": count})
    lines = [
        Standing(
            ladder=whole, player=player, games=1, wins=1, first=1, mu=3000 - n, sigma=300, last_number=n, last_at=NOW
        )
        for n, player in enumerate(players)
    ]
    Standing.objects.bulk_create(lines)
    RankBucket.objects.bulk_create(RankBucket(ladder=whole, points=2100 - n, players=1) for n in range(count))


@pytest.mark.django_db
def test_long_ladders_come_by_hundreds(client: Client, read: Read) -> None:
    crowd(201)
    first = client.get("/leaderboards/atta-ants-online/").content.decode()
    assert first.count('class="opens"') == 100
    assert 'href="?start=101"' in first
    assert "1 to 100 of 201" in first
    words = read("/leaderboards/atta-ants-online/?start=201")
    assert "201 Ant 201" in words
    assert "201 to 201 of 201" in words
    assert "The ladder ends before: it has 201 players." in read("/leaderboards/atta-ants-online/?start=500")


@pytest.mark.django_db
@pytest.mark.parametrize("start", ["0", "-3", "x", "99999999999999"])
def test_a_start_that_is_none_is_the_top(read: Read, start: str) -> None:
    crowd(1)
    assert "1 Ant 001" in read(f"/leaderboards/atta-ants-online/?start={start}")


@pytest.mark.django_db
def test_a_ladder_that_is_none_is_not_found(read: Read) -> None:
    assert "Nothing lies here" in read("/leaderboards/chess/", status=404)


def test_it_asks_the_database_as_often_for_many_as_for_few(
    hand_in: HandIn, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hand_in(*duels(1))
    with django_assert_num_queries(4):
        client.get("/leaderboards/atta-ants-online/")
    crowd(50)
    with django_assert_num_queries(4):
        client.get("/leaderboards/atta-ants-online/")
