"""Ranks over time: at the end of each month, from stored leaderboards."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.ladders import snapshots
from games.ladders.reads.rank_history import RankThen, boards_of_past_ends, month_ends, rank_history
from games.ladders.snapshots import make_past_ends
from games.models import Ladder, LeaderboardSnapshot, Player
from tests.games.evenings import annul, merge, play
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db

MARCH, APRIL, MAY = date(2026, 3, 31), date(2026, 4, 30), date(2026, 5, 31)
LATER = datetime(2026, 6, 2, 12, tzinfo=UTC)
MONTH = timedelta(days=31)


def history(name: str) -> list[RankThen]:
    return rank_history(Player.objects.get(name=name), Ladder.objects.get(), now=LATER)


def ladder_of_three_months(now: datetime) -> None:
    """Ada wins in March; Bruno and Cleo pass her in April; nobody plays in May."""
    play([(("Ada", "Bruno"), (1, 2))], now)
    play([(("Bruno", "Cleo", "Ada"), (1, 2, 3))] * 3, now + MONTH)


def make_all() -> int:
    return make_past_ends(now=LATER, has_time=lambda: True)


def test_months_end_on_their_last_days() -> None:
    assert month_ends(date(2026, 3, 31))[-3:] == [date(2025, 12, 31), date(2026, 1, 31), date(2026, 2, 28)]
    assert len(month_ends(date(2026, 3, 31))) == 24


def test_rank_is_known_at_the_end_of_each_month(now: datetime) -> None:
    ladder_of_three_months(now)

    assert make_all() == 2, "nothing changed in May"

    assert history("Ada") == [RankThen(MARCH, 1, 2), RankThen(APRIL, 3, 3), RankThen(MAY, 3, 3)]
    assert history("Cleo") == [RankThen(APRIL, 2, 3), RankThen(MAY, 2, 3)]


def test_months_that_are_not_computed_yet_are_left_out(now: datetime) -> None:
    ladder_of_three_months(now)
    turns = iter([True, False])

    assert make_past_ends(now=LATER, has_time=lambda: next(turns)) == 1

    assert history("Ada") == [RankThen(APRIL, 3, 3), RankThen(MAY, 3, 3)], "the newest comes first"
    assert [one.day for one in boards_of_past_ends(now=LATER) if not one.board] == [MARCH]


def test_later_decisions_do_not_change_a_rank_of_the_past(now: datetime) -> None:
    (game,) = play([(("Ada", "Bruno"), (1, 2))], now)
    play([(("Bruno", "Cleo"), (1, 2))], now + MONTH)
    make_all()
    before = history("Bruno")

    annul(game, LATER)
    merge("Cleo", "Ada", LATER)

    assert make_all() == 0
    assert history("Bruno") == before


def test_months_ends_take_at_most_half_of_the_rows_that_are_kept(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder_of_three_months(now)
    monkeypatch.setattr(snapshots, "LINES_MOST", 7)

    assert make_all() == 1
    assert LeaderboardSnapshot.objects.get().players == 3


def test_boards_of_other_days_do_not_keep_those_of_months_from_being_made(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder_of_three_months(now)
    for days in range(2):
        snapshots.board_as_of(Ladder.objects.get(), (now + MONTH + timedelta(days=days)).date(), now=LATER)
    snapshots.board_as_of(Ladder.objects.get(), now.date(), now=LATER)
    monkeypatch.setattr(snapshots, "LINES_MOST", 10)

    make_all()

    assert [one.day for one in history("Ada")] == [MARCH, APRIL, MAY]


def test_boards_of_months_are_the_last_to_be_deleted(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder_of_three_months(now)
    play([(("Ada", "Bruno"), (1, 2))], LATER)
    make_all()
    snapshots.board_as_of(Ladder.objects.get(), LATER.date(), now=LATER)
    make_past_ends(now=LATER + timedelta(days=1), has_time=lambda: True)
    monkeypatch.setattr(snapshots, "LINES_MOST", 5)

    assert snapshots.forget_unasked() == 1

    assert [one.day for one in history("Ada")] == [MARCH, APRIL, MAY]


def test_page_and_api_show_ranks_over_time(client: Client) -> None:
    today = timezone.now()
    played = today - timedelta(days=40)
    play([(("Ada", "Bruno"), (1, 2))], played)
    make_past_ends(now=today, has_time=lambda: True)
    first = next(day for day in month_ends(today.date()) if day >= played.date())
    page = f"/players/{Player.objects.get(name='Ada').pk}/ladders/atta-ants-online/"

    html = client.get(page).content.decode()

    assert "The rank over time" in html
    assert f'<a href="/leaderboards/atta-ants-online/?as_of={first}">{first:%B %Y}</a>' in html
    assert f"{first:%B %Y} 1 2" in words_of(html)
    ranks = client.get(f"/api/v1{page.removesuffix('/')}").json()["ranks"]
    assert ranks[0] == {"day": f"{first}", "rank": 1, "players": 2}
