"""Frequent ledger queries are answered from indexes and never scan a large table."""

from datetime import datetime
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from games.ladders.reads.ladders import rank_at
from games.models import Acceptance, Game, RatingEvent, Standing
from games.platform.paging import Span, mark_of
from games.ratings.acceptance import BATCH, accept_due
from games.ratings.reads.ledger import _GAMES, newest_games, rating_before
from games.records.reads.games import GameFilter, list_games
from tests.games.fabricated import evenings, fabricate
from tests.plans import plans, plans_of, read_whole

GAMES, PLAYERS = 4 * BATCH, 3000


def rate_many_before(now: datetime, *, due: int) -> None:
    """Rate many games, have the planner count them, and leave some others due."""
    fabricate(evenings(GAMES, PLAYERS, Random(1)), PLAYERS)
    while accept_due(now=now, watch=False):
        pass
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    fabricate(evenings(due, PLAYERS, Random(2)), PLAYERS, first=GAMES)


@pytest.mark.full
@pytest.mark.django_db
def test_frequent_ledger_queries_never_scan_large_tables(now: datetime) -> None:
    rate_many_before(now, due=1)
    line = Standing.objects.order_by("pk")[0]
    mine = RatingEvent.objects.filter(player=line.player_id, ladder=line.ladder_id).order_by("-number", "-id")
    since = GAMES - 20

    assert plans_of(lambda: accept_due(now=now, watch=False)) == []
    assert plans_of(lambda: list(mine[:50])) == []
    assert plans_of(lambda: rank_at(line.ladder_id, line.value)) == []
    assert plans_of(lambda: rating_before(line.ladder_id, line.player_id, since)) == []
    assert plans_of(lambda: newest_games([(line.ladder_id, line.player_id)])) == []
    assert read_whole(_GAMES % (line.ladder_id, since)) == []
    assert Acceptance.objects.filter(number=None).count() == 0


@pytest.mark.full
@pytest.mark.django_db
def test_storing_the_best_ranks_of_a_batch_reads_no_others(now: datetime) -> None:
    rate_many_before(now, due=BATCH)

    asked = plans(lambda: accept_due(now=now, watch=False))

    stored = [plan.text for plan in asked if plan.text.startswith("Insert on games_bestrank")]
    assert stored
    assert not any("games_bestrank best" in text or "using best_rank" in text for text in stored)


@pytest.mark.full
@pytest.mark.django_db
def test_deep_page_within_one_upload_starts_in_the_index() -> None:
    fabricate(evenings(GAMES, PLAYERS, Random(1)), PLAYERS)  # all uploaded at the same moment
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    middle = Game.objects.order_by("-received_at", "-pk")[GAMES // 2]
    span = Span(before=mark_of(middle.received_at, middle.pk))

    found = list_games(GameFilter(), span, AnonymousUser())
    asked = plans(lambda: list_games(GameFilter(), span, AnonymousUser()))

    assert [game.pk for game in found.rows] == [middle.pk - n for n in range(1, 51)]
    assert "Index Cond: (ROW(received_at, id) < ROW(" in asked[0].text
