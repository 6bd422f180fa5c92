"""A club has a time zone: its evenings and seasons are its days, wherever its players and the server are."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from games.clubs import running
from games.clubs.reads.clubs import clubs_of, with_next_days
from games.clubs.reads.points import games_of_day, games_of_season, points_table
from games.models import Club, Game
from games.platform.time_zones import time_zones
from tests.games.evenings import begin_at_table, play

pytestmark = pytest.mark.django_db

NEW_YORK = "America/New_York"
NIGHT = datetime(2026, 3, 14, 0, 30, tzinfo=UTC)
"""20:30 of the 13th in New York."""


@pytest.fixture
def club(alice: User) -> Club:
    return running.found(slug="hall", name="Hall", meets="", main_ruleset="", time_zone=NEW_YORK, by=alice, now=NIGHT)


def played(club: Club) -> Game:
    (game,) = play([(["Ada", "Bea"], [1, 2])], NIGHT, club=club)
    return game


def test_a_game_without_a_date_belongs_to_the_day_of_the_club_on_which_it_was_uploaded(club: Club) -> None:
    game = played(club)
    Game.objects.update(played_from=None, played_until=None)
    assert points_table(club).evenings == (date(2026, 3, 13),)
    assert list(games_of_day(club, date(2026, 3, 13))) == [game]


def test_a_game_at_a_table_has_the_day_of_the_club_and_a_score_sheet_its_own(club: Club, alice: User) -> None:
    game = played(club)
    assert points_table(club).evenings == (date(2026, 3, 14),)
    begin_at_table(game, NIGHT)
    assert points_table(club).evenings == (date(2026, 3, 13),)
    season = running.begin_season(club, name="", begins=date(2026, 3, 1), ends=date(2026, 3, 13), by=alice)
    assert list(games_of_season(club, season)) == [game.pk]
    Game.objects.update(played_from="2026-03-12", played_until="2026-03-12")
    assert points_table(club).evenings == (date(2026, 3, 12),)


def test_an_evening_is_over_when_its_day_is_over_where_the_club_meets(club: Club, alice: User) -> None:
    running.plan(club, date(2026, 3, 13), begins=time(19), place="", by=alice, now=NIGHT)
    (mine,) = with_next_days(clubs_of(alice), now=NIGHT)
    assert mine.next_day == date(2026, 3, 13)  # type: ignore[attr-defined]
    (mine,) = with_next_days(clubs_of(alice), now=NIGHT.replace(hour=5))
    assert mine.next_day is None  # type: ignore[attr-defined]


def test_the_time_zone_is_chosen_on_the_page_and_in_the_api(alice: User, browse: Callable[..., Client]) -> None:
    page, api = browse(alice), APIClient()
    api.force_authenticate(alice)
    form = page.get("/clubs/new/").content.decode()
    assert '<option value="UTC" selected>' in form
    assert f'<option value="{NEW_YORK}">' in form
    page.post("/clubs/new/", {"name": "Hall", "slug": "hall", "time_zone": "Asia/Calcutta"})
    assert api.get("/api/v1/clubs/hall").json()["time_zone"] == "Asia/Calcutta"
    wanted = {"name": "Hall", "about": "", "meets": "", "main_ruleset": ""}
    assert api.put("/api/v1/clubs/hall", wanted | {"time_zone": NEW_YORK}).json()["time_zone"] == NEW_YORK
    assert api.put("/api/v1/clubs/hall", wanted).json()["time_zone"] == NEW_YORK
    assert api.put("/api/v1/clubs/hall", wanted | {"time_zone": "Mars/Base"}).status_code == 400
    page.post("/clubs/hall/edit/", wanted | {"time_zone": "Europe/Vienna"})
    assert Club.objects.get().time_zone == "Europe/Vienna"
    made = api.post("/api/v1/clubs", wanted | {"slug": "other", "time_zone": NEW_YORK})
    assert (made.status_code, made.json()["time_zone"]) == (201, NEW_YORK)


def test_the_database_knows_every_zone_that_can_be_chosen(alice: User, club: Club) -> None:
    for zone in time_zones():
        Club.objects.filter(pk=club.pk).update(time_zone=zone)
        assert [one.next_day for one in with_next_days(clubs_of(alice), now=NIGHT)] == [None]  # type: ignore[attr-defined]
