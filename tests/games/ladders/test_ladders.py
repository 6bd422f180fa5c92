"""Leaderboards at scale: every query is answered from an index."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from games.ladders.leaderboard import Leaderboard, leaderboard
from games.ladders.reads.leaderboard_query import LeaderboardQuery
from games.models import Ladder, Standing
from tests.standing import standing_rows

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 14, tzinfo=UTC)
PLAYERS = 20_000
_ROWS = f"""
INSERT INTO games_player (name, source, is_bot, is_pseudonym, created_at)
    SELECT 'Ant ' || one, '', false, false, now() FROM generate_series(1, {PLAYERS}) AS one;
INSERT INTO games_ladder (ruleset, players, games) VALUES ('atta-ants-online', {PLAYERS}, {PLAYERS});
INSERT INTO games_standing (ladder_id, player_id, games, wins, draws, losses, first, second, third, fourth, beaten,
                            mu, sigma, last_number, last_at)
    SELECT ladder.id, player.id, 1, 1, 0, 0, 1, 0, 0, 0, 12, 1000 + 1000 * random(), 300, player.id,
           now() - random() * interval '900 days'
    FROM games_ladder AS ladder, games_player AS player;
INSERT INTO games_rankbucket (ladder_id, points, players)
    SELECT ladder_id, floor(value), count(*) FROM games_standing GROUP BY 1, 2;
INSERT INTO games_leaderboardsnapshot (ladder_id, upto, asked_at, made_at, players, games, digest, bars)
    SELECT id, 0, now(), now(), {PLAYERS}, 0, repeat('a', 64), '{{}}' FROM games_ladder;
INSERT INTO games_snapshotrow (board_id, line, rank, player_id, games, wins, draws, losses, first, second, third,
                             fourth, beaten, mu_before, sigma_before, mu, sigma)
    SELECT board.id, number, number, player_id, 1, 1, 0, 0, 1, 0, 0, 0, 12, 1200, 400, mu, sigma
    FROM games_leaderboardsnapshot AS board,
         (SELECT *, row_number() OVER (ORDER BY value DESC) AS number FROM games_standing) AS line;
"""


@pytest.fixture(scope="module")
def _many(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with standing_rows(django_db_blocker):
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(_ROWS)
            cursor.execute("ANALYZE")
        yield


@pytest.fixture
def many(_many: None, db: None) -> Ladder:
    return Ladder.objects.get()


def plans(asked: LeaderboardQuery) -> list[str]:
    """Return the query plans of a leaderboard."""
    with CaptureQueriesContext(connection) as captured:
        found = leaderboard("atta-ants-online", None, asked, now=timezone.now())
        assert len(found.part.rows) == 50
    return [_plan(query["sql"]) for query in captured.captured_queries if query["sql"].startswith("SELECT")]


def _plan(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}".replace("%", "%%"), [])
        return "\n".join(row[0] for row in cursor.fetchall())


def middle() -> Standing:
    return Standing.objects.order_by("-value")[PLAYERS // 2]


@pytest.mark.parametrize("kind", ["first", "deep", "back", "around", "active", "as of", "as of, deep", "as of, around"])
def test_ladder_queries_never_scan_large_tables(many: Ladder, kind: str) -> None:
    one = middle()
    mark = f"{one.value!r}_{one.player_id}"
    asked = {
        "first": LeaderboardQuery(),
        "deep": LeaderboardQuery(after=mark),
        "back": LeaderboardQuery(before=mark),
        "around": LeaderboardQuery(around=one.player_id),
        "active": LeaderboardQuery(active=365, after=mark),
        "as of": LeaderboardQuery(as_of=NOW.date()),
        "as of, deep": LeaderboardQuery(as_of=NOW.date(), after="10000"),
        "as of, around": LeaderboardQuery(as_of=NOW.date(), around=one.player_id),
    }[kind]

    read = "\n\n".join(plans(asked))

    for table in ("games_standing", "games_snapshotrow", "games_player"):
        assert f"Seq Scan on {table}" not in read, read


@pytest.mark.full
def test_paging_forwards_and_backwards_lists_every_row_once(many: Ladder) -> None:
    first = leaderboard("atta-ants-online", None, LeaderboardQuery(), now=NOW)
    second = leaderboard("atta-ants-online", None, LeaderboardQuery(after=str(first.part.next)), now=NOW)
    back = leaderboard("atta-ants-online", None, LeaderboardQuery(before=str(second.part.previous)), now=NOW)

    expected = list(Standing.objects.order_by("-value", "player").values_list("player", flat=True)[:100])
    assert players(first) + players(second) == expected
    assert (players(back), back.part.previous, second.part.first) == (players(first), None, 51)


def players(found: Leaderboard) -> list[int]:
    return [row.standing.player_id for row in found.part.rows]


@pytest.mark.full
def test_active_filter_keeps_the_ranks_of_the_whole_ladder(many: Ladder) -> None:
    values: list[Any] = list(Standing.objects.order_by("-value").values_list("value", flat=True))

    found = leaderboard("atta-ants-online", None, LeaderboardQuery(active=100), now=timezone.now())

    assert [row.rank for row in found.part.rows] == [values.index(row.standing.value) + 1 for row in found.part.rows]
