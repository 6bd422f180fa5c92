"""Games are sorted by what makes them worth watching: on the page, in the API and by the client."""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker

from engine.story import tension_of
from engine.verify import verify_bytes
from games.comments import writing
from games.models import Acceptance, Game, GameComment, GameEvents, Ladder, Upload
from games.platform.paging import Span
from games.ratings.means import read_means
from games.records.reads.games import GameFilter, list_games
from games.records.reads.replays import first_log, story_of_log
from games.records.reads.sorting import SORTS
from games.records.reads.visibility import NOBODY
from games.search.events import find_events
from games.search.reads.due import games_without_tension
from tests.conftest import NOW
from tests.factories import duels
from tests.games.judging import count_all, judge_and_index
from tests.games.search.test_filters import FILES
from tests.games.uploading import upload_file
from tests.plans import plans
from tests.standing import standing_rows
from tests.strategies import FIXTURES

pytestmark = pytest.mark.django_db
ROWS = 20_000


def look() -> None:
    """Let the worker find out what games are sorted by."""
    find_events(has_time=lambda: True)
    read_means(has_time=lambda: True)


@pytest.fixture
def games(now: datetime, alice: User) -> None:
    """Some games of each kind, two of them with comments."""
    data = b"\n\n".join([*((FIXTURES / name).read_bytes() for name in FILES), *duels(4)])
    upload_file(data, via=Upload.Via.API, now=now)
    judge_and_index(now)
    count_all(now)
    look()
    some = list(Game.objects.filter(verdict="verified").order_by("pk")[:2])
    for game in [some[0], *some]:
        writing.write(game, "Close!", by=alice, now=now)


def listed(client: Client, sort: str, **query: str) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/games", {"sort": sort, **query})
    found: list[dict[str, Any]] = answer.json()["games"]
    return found


def expected(sort: str, game: Game) -> int | None:
    """Look at a game itself."""
    if sort in {"lead_changes", "closeness"}:
        return told(sort, game)
    if sort == "rating":
        return mean_rating(Acceptance.objects.filter(game=game, ladder__club=None, number__isnull=False).first())
    return game.plies if sort == "length" else GameComment.objects.filter(game=game, hidden_at=None).count() or None


def told(sort: str, game: Game) -> int | None:
    story = story_of_log(first_log(game, NOBODY)) if game.digest else None
    if story is None:
        return None
    if sort == "lead_changes":
        alone = [lead.seats for lead in story.leads if len(lead.seats) == 1]
        return sum(before != after for before, after in pairwise(alone))
    second, first = sorted(story.chart(seat)[-1] for seat in story.seats)[-2:]
    return (100 if first == second else 100 * second // first) if game.termination == "played" else None


def mean_rating(rated: Acceptance | None) -> int | None:
    before = [max(0, int(event.value_before // 1)) for event in rated.events.all()] if rated else []
    return round(sum(before) / len(before)) if before else None


@pytest.mark.parametrize("sort", [key for key in SORTS if key != "newest"])
def test_games_are_sorted_by_what_a_look_at_each_finds(games: None, client: Client, sort: str) -> None:
    due = {game.key: value for game in Game.objects.all() if (value := expected(sort, game)) is not None}

    found = listed(client, sort)

    assert {game["key"]: game["measure"] for game in found} == due
    assert [game["measure"] for game in found] == sorted(due.values(), reverse=True)
    assert len(set(due.values())) > 1
    page = client.get("/games/", {"sort": sort}).context["page"]
    assert [row.key for row in page.rows] == [game["key"] for game in found]


@pytest.mark.parametrize("sort", SORTS)
def test_pages_of_each_sequence_join_without_gaps(games: None, sort: str) -> None:
    wanted, whole = GameFilter(sort=sort), list_games(GameFilter(sort=sort), Span(), NOBODY).rows
    rows, page = list[Game](), list_games(wanted, Span(size=1), NOBODY)
    while page.older:
        rows += page.rows
        page = list_games(wanted, Span(before=page.older, size=1), NOBODY)

    assert [*rows, *page.rows] == whole
    back = list_games(wanted, Span(after=page.newer or "", size=1), NOBODY)
    assert list(back.rows) == whole[-2:-1]


def test_newest_games_have_no_measure_and_come_first_without_a_choice(games: None, client: Client) -> None:
    found = client.get("/api/v1/games").json()["games"]

    assert {game["measure"] for game in found} == {None}
    assert [game["key"] for game in found] == [game["key"] for game in listed(client, "newest")]


def test_a_sequence_keeps_the_filter(games: None, client: Client) -> None:
    found = listed(client, "length", game="Ant Trails")

    assert {game["ruleset"] for game in found} == {"ant-trails-2020"}
    html = client.get("/games/", {"sort": "length", "game": "Ant Trails"}).content.decode()
    assert 'href="/games/?game=Ant+Trails&amp;sort=lead_changes"' in html
    assert 'href="/games/?game=Ant+Trails"' in html
    assert '<input type="hidden" name="sort" value="length"' in html
    assert "/api/v1/games/export?game=Ant+Trails&amp;format" in html


def test_an_unknown_sequence_is_refused_with_the_reason(db: None, client: Client) -> None:
    page, answer = client.get("/games/?sort=beauty"), client.get("/api/v1/games?sort=beauty")

    assert (page.status_code, answer.status_code) == (400, 400)
    assert "beauty" in page.content.decode()
    assert answer.json()["error"]["place"] == {"parameter": "sort"}


@pytest.mark.parametrize("mark", ["99999999999999999-1", "0-0", "12-999999999999999999"])
@pytest.mark.parametrize("sort", SORTS)
def test_a_mark_of_another_sequence_harms_nothing(games: None, client: Client, sort: str, mark: str) -> None:
    for way in ("before", "after"):
        assert client.get("/games/", {"sort": sort, way: mark}).status_code == 200


def test_a_page_says_what_it_sorts_by_and_what_it_leaves_out(games: None, client: Client) -> None:
    html = client.get("/games/?sort=closeness").content.decode()

    assert "Only games that were played to the end." in html
    assert '<th scope="col" class="wide-only figure">Closeness</th>' in html
    assert 'aria-current="true">Closeness</a>' in html


def test_comments_are_counted_while_nobody_hides_them(games: None, alice: User, now: datetime) -> None:
    game = Game.objects.filter(comment_count=2).get()
    first, second = game.comments.order_by("pk")

    GameComment.objects.filter(pk=first.pk).update(hidden_at=now)
    game.refresh_from_db()
    assert game.comment_count == 1

    GameComment.objects.filter(pk=first.pk).update(hidden_at=None)
    writing.delete(second, by=alice)
    game.refresh_from_db()
    assert game.comment_count == 1

    game.comments.all().delete()
    game.refresh_from_db()
    assert game.comment_count == 0


def test_games_of_an_earlier_version_get_their_values_after_new_ones(games: None, client: Client) -> None:
    GameEvents.objects.update(lead_changes=None, closeness=None)
    Acceptance.objects.update(rating=None)
    assert listed(client, "lead_changes") == listed(client, "rating") == []

    look()

    assert listed(client, "lead_changes")
    assert listed(client, "rating")
    assert not games_without_tension().exists()


@pytest.mark.parametrize("name", ["army_ants/games/two-hunters.agn", "atta_ants/games/thieves-of-three.agn"])
def test_tension_is_what_the_story_tells(name: str) -> None:
    replay = next(iter(verify_bytes((FIXTURES / name).read_bytes()))).replay
    assert replay
    tension = tension_of(replay.ruleset, replay.states)
    assert tension.lead_changes >= 0
    assert tension.closeness is None or 0 <= tension.closeness <= 100


_GAMES = """
INSERT INTO games_game (key, ruleset, verdict, digest, plies, result, ended, received_at, scored, private,
                        comment_count)
SELECT lpad(to_hex(n), 8, '0'), 'atta-ants-online', 'verified', md5(n::text), n %% 300, '2-1', '', %s, true, false,
       greatest(0, n %% 50 - 40)
FROM generate_series(1, %s) AS n
"""
_EVENTS = """
INSERT INTO games_gameevents (game_id, codes, lead_changes, closeness)
SELECT id, '{}', id % 20, id % 101 FROM games_game
"""
_RATED = """
INSERT INTO games_acceptance (game_id, ladder_id, due_at, number, accepted_at, counts, rating)
SELECT game.id, ladder.id, received_at, game.id, received_at, true, game.id % 900
FROM games_game AS game, games_ladder AS ladder
"""


@pytest.fixture(scope="module")
def _archive(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with standing_rows(django_db_blocker), django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(_GAMES, [NOW, ROWS])
            cursor.execute(_EVENTS)
            Ladder.objects.get_or_create(ruleset="atta-ants-online", club=None)
            cursor.execute(_RATED)
        yield


@pytest.fixture
def archive(_archive: None, db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@pytest.mark.full
@pytest.mark.parametrize(
    ("sort", "index", "place"),
    [
        ("newest", "game_newest", "(received_at, id)"),
        ("length", "game_longest", "(plies, id)"),
        ("lead_changes", "game_most_lead_changes", "lead_changes, game_id)"),
        ("closeness", "game_closest", "closeness, game_id)"),
        ("rating", "acceptance_best_rated", "rating, game_id)"),
        ("comments", "game_most_comments", "(comment_count, id)"),
    ],
)
def test_each_sequence_is_read_from_its_index(archive: None, sort: str, index: str, place: str) -> None:
    wanted = GameFilter(sort=sort)
    first = list_games(wanted, Span(), NOBODY)
    deep = Span(before=first.older or "")

    texts = [
        plans(lambda span=span: list_games(wanted, span, NOBODY))[0].text  # type: ignore[misc]
        for span in (Span(), deep)
    ]

    for plan in texts:
        assert f"Scan using {index} " in plan
        assert "Sort" not in plan.partition("SubPlan")[0]
        assert "Seq Scan on games_game" not in plan
    assert "Index Cond: (ROW(" in texts[1]
    assert place in texts[1]
