"""The leaderboards."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import Ladder, Player, RankBucket, Standing
from tests.factories import duels, record
from tests.games.web.conftest import Read, UploadRecords, words_of

FIXTURES = Path(__file__).parents[3] / "fixtures"
LADDER = FIXTURES / "ladder"


BOARD = "/leaderboards/atta-ants-online/"
NOW = "2026-03-14T00:00:00Z"


@pytest.mark.django_db
def test_every_ruleset_has_a_ladder_even_an_empty_one(read: Read) -> None:
    words = read("/leaderboards/")
    assert "Atta Ants, online rules Nobody is ranked yet." in words
    assert "Atta Ants, rules of 2003 Nobody is ranked yet." in words


@pytest.mark.django_db
def test_an_empty_ladder_says_how_it_begins(read: Read) -> None:
    assert "Nobody is ranked yet. The ladder begins with the first verified game" in read(
        "/leaderboards/atta-ants-online/"
    )


def test_every_cell_of_the_ladder_table_is_correct(upload_records: UploadRecords, read: Read) -> None:
    upload_records(*((LADDER / name).read_bytes() for name in ("shared-second.agn", "eaten-decides.agn")))
    words = read("/leaderboards/atta-ants-online/").replace(
        "provisional: 18 more games, uncertainty 380, at most 250", "…"
    )
    assert "Rank Player Rating ± Games Won Drawn Lost 1st 2nd 3rd 4th Beaten" in words
    assert "1 Bruno 1 won, 0 drawn, 1 lost 75% beaten ± 380 159 ? … 380 2 1 0 1 1 1 0 0 75%" in words
    assert "4 Ada 0 won, 0 drawn, 2 lost 0% beaten ± 380 0 ? … 380 2 0 0 2 0 1 0 1 0%" in words


@pytest.mark.parametrize(
    ("slug", "columns"), [("atta-ants-2003", "1st 2nd 3rd 4th Beaten"), ("ant-trails-2020", "Lost 1st 2nd Beaten")]
)
def test_table_has_a_column_for_every_possible_place(
    upload_records: UploadRecords, read: Read, slug: str, columns: str
) -> None:
    trails = FIXTURES / "ant_trails" / "games" / "agreed-draw.agn"
    upload_records(record(rules="2003"), trails.read_bytes())

    assert columns in read(f"/leaderboards/{slug}/")


def test_shared_rank_is_repeated_and_the_next_one_skipped(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record("draw 1-1"), record("NS@0,2 resign:R 2-1", names=("Cleo", "Dora")))
    words = read("/leaderboards/atta-ants-online/")
    ranks = [line.split()[-1] for line in (words.split(name, 1)[0] for name in ("Dora", "Ada", "Bruno", "Cleo"))]
    assert ranks == ["1", "2", "2", "4"]


def test_ladder_explains_which_games_are_rated(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record())
    words = read("/leaderboards/atta-ants-online/")
    assert "a cautious estimate of strength (skill − 3 × uncertainty)" in words
    assert "from the places in verified, finished games" in words


def paging_query(html: str, way: str = "next") -> str:
    """Return the query of the next or previous page."""
    link = re.search(rf'href="([^"]+)" rel="{way}"', html)
    assert link
    return unescape(link[1])


def make_players(count: int) -> None:
    players = Player.objects.bulk_create(
        Player(name=f"Ant {n:03}", created_at="2026-03-14T00:00:00Z") for n in range(1, count + 1)
    )
    whole, _ = Ladder.objects.update_or_create(ruleset="atta-ants-online", club=None, defaults={"players": count})
    lines = [
        Standing(
            ladder=whole, player=player, games=1, wins=1, first=1, mu=3000 - n, sigma=300, last_number=n, last_at=NOW
        )
        for n, player in enumerate(players)
    ]
    Standing.objects.bulk_create(lines)
    RankBucket.objects.bulk_create(RankBucket(ladder=whole, points=2100 - n, players=1) for n in range(count))


@pytest.mark.django_db
def test_long_ladder_is_shown_fifty_rows_per_page(client: Client, read: Read) -> None:
    make_players(101)
    first = client.get(BOARD).content.decode()
    assert first.count('class="opens"') == 50
    assert "1 to 50 of 101" in first
    second = client.get(BOARD + paging_query(first)).content.decode()
    assert "51 to 100 of 101" in second
    third = words_of(client.get(BOARD + paging_query(second)).content.decode())
    assert "101 Ant 101" in third
    assert "101 to 101 of 101" in third


@pytest.mark.django_db
def test_paging_back_shows_the_same_pages(client: Client) -> None:
    make_players(250)
    first = client.get(BOARD).content.decode()
    second = client.get(BOARD + paging_query(first)).content.decode()
    back = client.get(BOARD + paging_query(second, "prev")).content.decode()
    assert 'rel="prev"' not in first + back
    assert words_of(back) == words_of(first)


@pytest.mark.django_db
def test_player_is_in_the_middle_of_the_page_around_them(client: Client) -> None:
    make_players(250)
    ant = Player.objects.get(name="Ant 125")
    html = client.get(f"{BOARD}?around={ant.pk}").content.decode()
    assert "100 to 149 of 250" in html
    assert re.search(
        r'<tr id="here" class="own" aria-current="true">\s*<td class="figure"><span class="rank">125<', html
    )
    assert 'rel="prev"' in html
    assert 'rel="next"' in html


@pytest.mark.django_db
def test_signed_in_user_gets_a_link_to_their_own_row(browse: Callable[[User | None], Client], alice: User) -> None:
    make_players(120)
    Player.objects.filter(name="Ant 119").update(account=alice)
    html = browse(alice).get(BOARD).content.decode()
    ant = Player.objects.get(name="Ant 119")
    assert f'href="?around={ant.pk}#here">Find me</a>' in html
    assert "Find me" not in browse(None).get(BOARD).content.decode()


@pytest.mark.django_db
def test_equal_ratings_share_a_rank_across_pages(client: Client) -> None:
    make_players(105)
    Standing.objects.filter(player__name__range=("Ant 045", "Ant 055")).update(mu=2956)
    RankBucket.objects.filter(points__range=(2046, 2056)).delete()
    RankBucket.objects.create(ladder=Ladder.objects.get(), points=2056, players=11)
    first = client.get(BOARD).content.decode()
    second = words_of(client.get(BOARD + paging_query(first)).content.decode())
    assert "45 Ant 050" in words_of(first)
    assert "45 Ant 051" in second
    assert "56 Ant 056" in second
    assert "51 to 100 of 105" in second


@pytest.mark.django_db
@pytest.mark.parametrize("mark", ["x", "1", "1_", "nan_1", "1e400_1", "9" * 99 + "_1"])
def test_invalid_page_mark_is_explained(read: Read, mark: str) -> None:
    make_players(1)
    words = read(f"{BOARD}?after={mark}", status=400)
    assert "This page does not exist: the value of" in words
    assert "Current leaderboard" in words


@pytest.mark.django_db
def test_page_beyond_the_last_row_links_to_the_top(read: Read) -> None:
    make_players(1)
    assert "There are no more players on this page. From the top" in read(f"{BOARD}?after=-5000_1")


@pytest.mark.django_db
def test_bots_and_provisional_ratings_are_marked(read: Read) -> None:
    make_players(2)
    Player.objects.filter(name="Ant 001").update(is_bot=True)
    Standing.objects.filter(player__name="Ant 001").update(games=19, wins=19, first=19, sigma=270.6)
    Standing.objects.filter(player__name="Ant 002").update(games=20, wins=20, first=20, sigma=249.9)
    words = read(BOARD)
    assert "Ant 001 B 19 won" in words
    assert words.count("provisional: 1 more game, uncertainty 271, at most 250") == 1
    assert "provisional: fewer than 20 rated games, or an uncertainty above 250" in words


@pytest.mark.django_db
def test_active_filter_keeps_the_ranks_of_the_whole_ladder(read: Read) -> None:
    make_players(3)
    Standing.objects.filter(player__name="Ant 001").update(last_at="2020-01-01T00:00:00Z")
    Standing.objects.exclude(player__name="Ant 001").update(last_at=timezone.now())
    words = read(f"{BOARD}?active=365")
    assert "Only players with a game accepted in the last 365 days; ranks are those of the whole ladder." in words
    assert "2 Ant 002" in words
    assert "Ant 001" not in words
    Standing.objects.update(last_at="2020-01-01T00:00:00Z")
    assert "No player had a game rated in that period. All players" in read(f"{BOARD}?active=365")


@pytest.mark.django_db
def test_rating_distribution_is_shown_as_chart_and_table(client: Client) -> None:
    make_players(120)
    ant = Player.objects.get(name="Ant 060")
    html = client.get(f"{BOARD}?around={ant.pk}").content.decode()
    assert "Number of players by rating" in html
    assert '<td>2000–2049</td><td class="figure">50</td>' in html
    assert 'class="bar bar-own"' in html
    assert '<text class="bar-name"' in html


@pytest.mark.django_db
@pytest.mark.django_db
def test_game_name_alone_redirects_to_its_first_edition_with_the_query(client: Client) -> None:
    answer = client.get("/leaderboards/atta-ants/?as_of=2026-03-14")

    assert (answer.status_code, answer.headers["Location"]) == (302, f"{BOARD}?as_of=2026-03-14")
    assert client.get("/leaderboards/army-ants/").status_code == 200


def test_unknown_ladder_is_not_found(db: None, read: Read) -> None:
    assert "Page not found" in read("/leaderboards/chess/", status=404)


def test_ladder_uses_as_many_queries_for_many_players_as_for_few(
    upload_records: UploadRecords, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    upload_records(*duels(1))
    with django_assert_num_queries(7):
        client.get("/leaderboards/atta-ants-online/")
    make_players(50)
    with django_assert_num_queries(7):
        client.get("/leaderboards/atta-ants-online/")
