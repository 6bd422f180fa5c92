"""The days on which a game may have been played decide where it is found and counts, on every road."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.clubs import running
from games.clubs.organising import accept_judged_uploads
from games.clubs.reads.points import club_points, games_of_day, games_of_season, points_table
from games.models import Club, Game, Ladder, MoveLog, Season, Upload
from games.ratings.acceptance import accept_due
from games.ratings.by_day import refresh, up_to_date
from games.uploads.origin import SCORED, UploadOptions
from games.verification import queue
from tests.games.judging import judge_all
from tests.games.test_fsck import fsck
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 20, 21, tzinfo=UTC)
RECORD = """[Game "Army Ants"]
[Rules "standard"]
[Seats "R B"]
[Red "Ann"]
[Black "Ben"]
[Site "Hall"]
{date}
[Setup "{setup}"]
[Result "2-1"]

resign:R
2-1
"""
SETUPS = (
    "75.29/25469/8A733/64AQ8/89566/7QA94/37254/2A.38", "73.43/85968/A6425/AQ927/893AQ/24837/6627A/94.55",
    "25.76/28A6Q/5893A/39447/67732/Q9598/6A834/25.A4", "62.27/75639/544A3/889AQ/53668/QA825/927A9/34.47",
)  # fmt: skip


def file_of(*dates: str) -> bytes:
    """Return different games with some dates; nothing for no date."""
    tags = [f'[Date "{date}"]' if date else '[Round "1"]' for date in dates]
    return "\n".join(RECORD.format(date=tag, setup=setup) for tag, setup in zip(tags, SETUPS, strict=False)).encode()


def uploaded(*dates: str, at: datetime = AT, by: User | None = None, options: UploadOptions = SCORED) -> list[Game]:
    upload = upload_file(file_of(*dates), via=Upload.Via.WEB, now=at, uploader=by, options=options)
    judge_all(at)
    return [log.game for log in upload.logs.order_by("number") if log.game]


@pytest.fixture
def club(alice: User) -> Club:
    return running.found(slug="hall", name="Hall", meets="", main_ruleset="", by=alice, now=AT)


@pytest.fixture
def november(club: Club, alice: User) -> Season:
    return running.begin_season(club, name="November", begins=date(2026, 11, 1), ends=date(2026, 11, 30), by=alice)


def counted(club: Club, by: User, *dates: str) -> list[Game]:
    games = uploaded(*dates, by=by, options=UploadOptions(club=club))
    accept_judged_uploads(now=AT, has_time=lambda: True)
    accept_due(now=AT, watch=False)
    return games


def test_a_season_counts_what_is_wholly_inside_and_an_evening_what_is_of_one_day(
    club: Club, november: Season, alice: User
) -> None:
    day, _, inside, none = counted(club, alice, "2026.11.09", "2025.??.??", "2026.11.??", "")
    assert points_table(club, november).games == 3
    assert list(games_of_season(club, november)) == [inside.pk, day.pk, none.pk]
    assert points_table(club, november).evenings == (date(2026, 11, 9), date(2026, 11, 20))
    assert [list(games_of_day(club, on)) for on in (date(2026, 11, 9), AT.date())] == [[day], [none]]
    assert points_table(club).games == 4


def test_the_case_of_games_of_other_years_and_months(club: Club, november: Season, alice: User, client: Client) -> None:
    counted(club, alice, "2026.05.09", "2026.05.??", "2025.??.??")
    points = club_points(club, november)
    assert (points.table.games, points.games, points.played) == (0, 3, {date(2026, 5, 9): 1})
    assert client.get("/clubs/hall/evenings/2026-11-20/").status_code == 404
    answer = client.get("/api/v1/clubs/hall/evenings/played").json()
    assert [(one["day"], one["games"]) for one in answer] == [("2026-05-09", 1)]


def test_a_filter_finds_what_may_have_been_played_then_on_every_road(client: Client) -> None:
    games = uploaded("2026.05.09", "2026.05.??", "2025.??.??", "")
    asked = "since=2026-05-10&until=2026-05-31"
    keys = [one["key"] for one in client.get(f"/api/v1/games?{asked}").json()["games"]]
    assert keys == [games[1].key]
    assert {one["key"] for one in client.get("/api/v1/games?until=2026-05-01").json()["games"]} == {
        games[1].key, games[2].key,
    }  # fmt: skip
    exported = b"".join(client.get(f"/api/v1/games/export?{asked}&format=agn"))
    assert exported.count(b"[Game ") == 1
    page = client.get(f"/games/?{asked}").content.decode()
    assert (page.count(games[1].get_absolute_url()) > 0, games[0].get_absolute_url() in page) == (True, False)


def test_pages_and_api_say_what_is_known_of_a_date(client: Client) -> None:
    month, none = uploaded("2026.05.??", "????.??.??")
    said = client.get(f"/api/v1/games/{month.key}").json()
    assert [said[name] for name in ("played_on", "played_from", "played_until")] == [None, "2026-05-01", "2026-05-31"]
    assert "May 2026" in client.get("/games/").content.decode()
    page = client.get(month.get_absolute_url()).content.decode()
    assert "May 2026" in page
    assert '"dateCreated": "2026-05"' in page
    assert client.get(f"/api/v1/games/{none.key}").json()["played_from"] is None


def test_fsck_finds_days_that_are_not_those_of_the_record() -> None:
    (game,) = uploaded("2026.05.??")
    assert fsck() == []
    Game.objects.filter(pk=game.pk).update(played_until="2026-05-30")
    (flaw,) = fsck()
    assert (flaw["stored"], flaw["due"]) == ({"played_until": "2026-05-30"}, {"played_until": "2026-05-31"})


def test_a_date_in_the_future_is_rejected_and_fsck_agrees(client: Client) -> None:
    tomorrow, later = uploaded("2026.11.21", "2026.11.22")
    assert (tomorrow.verdict, later.verdict) == ("verified", "rejected")
    assert fsck() == []
    log = MoveLog.objects.get(game=later)
    page = client.get(f"/uploads/{log.upload_id}/records/{log.number}/").content.decode()
    assert "is in the future: this was checked on 2026.11.20." in page
    report = b"".join(client.get(f"/api/v1/uploads/{log.upload_id}/report"))
    assert report.count(b"AGN-TAG-6") >= 1


def test_a_game_verified_before_the_rule_stays_legal_and_counts_as_undated(
    monkeypatch: pytest.MonkeyPatch, client: Client, club: Club, alice: User
) -> None:
    with monkeypatch.context() as earlier:
        for home in ("engine.agn.tags", "engine.agn.dates"):
            earlier.setattr(f"{home}.is_ahead", lambda *_: False)
        (game,) = counted(club, alice, "2999.01.01")
    for ladder in Ladder.objects.all():
        assert refresh(ladder, now=AT).began_on == date(2999, 1, 1)
    assert points_table(club).evenings == (date(2999, 1, 1),)
    for module in ("verification.queue", "verification.at_once", "audit.stored_logs"):
        monkeypatch.setattr(f"games.{module}.ENGINE_VERSION", "next")
    assert queue.queue_again() == 1
    judge_all(AT + timedelta(days=1))
    game.refresh_from_db()
    assert (game.verdict, game.played, points_table(club).evenings) == ("verified", None, (AT.date(),))
    assert {up_to_date(ladder, now=AT).undated for ladder in Ladder.objects.all()} == {1}  # type: ignore[union-attr]
    assert fsck() == []
    assert "2999-01-01" not in client.get(game.get_absolute_url()).content.decode()
    assert client.get(f"/api/v1/games/{game.key}/recranks").json()["header"]["dates-from"] == "received"


def test_a_record_refused_for_its_date_is_verified_again_when_the_day_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    (game,) = uploaded("2026.11.22")
    assert game.verdict == "rejected"
    for module in ("verification.queue", "verification.at_once"):
        monkeypatch.setattr(f"games.{module}.ENGINE_VERSION", "next")
    queue.queue_again()
    MoveLog.objects.update(queued_at=AT + timedelta(days=1))
    judge_all(AT + timedelta(days=1))
    game.refresh_from_db()
    assert (game.verdict, game.played_on) == ("verified", date(2026, 11, 22))
