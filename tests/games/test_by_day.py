"""Leaderboards and careers by day played: pages, the API, proofs, the audit, the client and the command line."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client as Browser
from knox.models import AuthToken

from engine.proving import LeaderboardProof
from games.client import Client
from games.client.ladders_command import main
from games.ladders.snapshots import make_past_ends
from games.models import By, DayLedger, DayRating, Game, Ladder, LeaderboardSnapshot, Player
from games.ratings.by_day import refresh
from tests.games.evenings import RULESET, play, season
from tests.games.web.conftest import words_of

NAMES = [f"Ant {n}" for n in range(6)]
BOARD = f"/leaderboards/{RULESET}/"
API = f"/api/v1{BOARD[:-1]}"


@pytest.fixture
def archive(db: None, now: datetime) -> list[Game]:
    """Forty games accepted in one evening of 2026, played from 2018 to 2025, the oldest last, the last undated."""
    games = play(season(40, NAMES), now)
    for number, game in enumerate(games):
        day = f"{2025 - number // 5}-{number % 5 * 2 + 1:02}-09"
        Game.objects.filter(pk=game.pk).update(played_from=day, played_until=day)
    Game.objects.filter(pk=games[-1].pk).update(played_from=None, played_until=None)
    return games


def body_of(browser: Browser, address: str) -> str:
    answer = browser.get(address)
    return b"".join(answer if answer.streaming else [answer.content]).decode()


def ladder() -> Ladder:
    return Ladder.objects.get()


@pytest.mark.parametrize("query", ["as_of=2025-12-31", "as_of=2020-12-31", "as_of=2018-01-09"])
def test_a_leaderboard_by_day_played_follows_from_its_games_byte_for_byte(
    archive: list[Game], client: Browser, query: str
) -> None:
    proof = LeaderboardProof()
    count = proof.add(body_of(client, f"{API}/games?{query}&by=played"))
    board = client.get(f"{API}?{query}&by=played").json()
    assert json.loads(proof.compare(body_of(client, f"{API}/table?{query}&by=played")))["same"]
    assert (proof.digest(), count) == (board["digest"], board["games"])
    assert (board["by"], board["undated"], board["as_of"]) == ("played", 1, query.removeprefix("as_of="))
    assert board["games_url"].endswith(f"/games?{query}&by=played")


def test_the_games_behind_it_are_in_the_order_of_their_days(archive: list[Game], client: Browser) -> None:
    games = [json.loads(line) for line in body_of(client, f"{API}/games?as_of=2025-12-31&by=played").splitlines()]
    assert [(game["day"], game["number"]) for game in games] == sorted((game["day"], game["number"]) for game in games)
    assert len(games) == 39
    assert "day" not in body_of(client, f"{API}/games")


def test_a_leaderboard_has_links_to_the_ends_of_years_and_to_the_other_order(
    archive: list[Game], client: Browser, now: datetime
) -> None:
    assert "End of 2025" not in body_of(client, BOARD)
    refresh(ladder(), now=now)
    page = body_of(client, BOARD)
    assert 'href="?as_of=2025-12-31&amp;by=played">End of 2025</a>' in page
    assert "End of 2021" in page
    assert "End of 2020" not in page
    page = body_of(client, f"{BOARD}?as_of=2025-12-31&by=played")
    assert 'href="?as_of=2025-12-31&amp;by=played" aria-current="page">End of 2025</a>' in page
    assert "At the end of 2025-12-31, by day played:" in words_of(page)
    assert "1 rated game is left out, as its date is not known." in words_of(page)
    assert 'href="?as_of=2025-12-31">By order of acceptance</a>' in page
    assert "games?as_of=2025-12-31&by=played" in words_of(page)


def test_periods_keep_their_order(archive: list[Game], client: Browser) -> None:
    page = body_of(client, f"{BOARD}?period=2019&by=played")
    assert 'href="?period=2018&amp;by=played" rel="prev"' in page
    assert 'href="?period=2020&amp;by=played" rel="next"' in page
    assert "Largest gains in 2019, by day played" in words_of(page)
    assert client.get(f"{API}?period=2019&by=played").json()["players"] == len(NAMES)
    assert client.get(f"{API}?period=2019").json()["players"] == 0


def test_a_players_page_and_career_show_both_orders(archive: list[Game], client: Browser, now: datetime) -> None:
    player = Player.objects.get(name="Ant 1")
    make_past_ends(now=now, has_time=lambda: True)
    plain, by_day = (body_of(client, f"{player.get_absolute_url()}{query}") for query in ("", "?by=played"))
    assert 'href="/players/' in plain
    assert 'aria-current="true">By order of acceptance</a>' in plain
    assert 'aria-current="true">By day played</a>' in by_day
    assert "Strength by day played" in words_of(by_day)
    assert "1 rated game is left out, as its date is not known." in words_of(by_day)
    refresh(ladder(), now=now)
    make_past_ends(now=now, has_time=lambda: True)
    career = client.get(f"/api/v1{player.get_absolute_url()}ladders/{RULESET}?by=played").json()
    assert [one["day"] for one in career["ranks"]][-2:] == ["2024-12-31", "2025-12-31"]
    assert (career["by"], career["undated"]) == ("played", 1)
    days = [event["day"] for event in career["events"]]
    assert days == sorted(days, reverse=True)
    why = client.get(career["events"][0]["why"]).json()
    assert career["events"][0]["why"].endswith("?by=played")
    assert (why["entries"], why["rating"]) == ([], career["events"][0]["rating"])
    histories = client.get(f"/api/v1{player.get_absolute_url()[:-1]}?by=played").json()["histories"]
    assert [event["number"] for event in histories[0]["events"]] == [one["number"] for one in career["events"]][::-1]
    assert "2018" in body_of(client, f"{player.get_absolute_url()}ladders/{RULESET}/?by=played")


def test_a_corrected_date_moves_the_game(archive: list[Game], now: datetime) -> None:
    refresh(ladder(), now=now)
    Game.objects.filter(pk=archive[0].pk).update(played_from="2010-01-01", played_until="2010-01-01")
    DayLedger.objects.update(stale=True)
    assert refresh(ladder(), now=now).began_on.isoformat() == "2010-01-01"  # type: ignore[union-attr]
    assert DayRating.objects.filter(position=1).first().number == 1  # type: ignore[union-attr]
    assert LeaderboardSnapshot.objects.filter(by=By.PLAYED).count() == 0


@pytest.mark.django_db(transaction=True)
def test_client_and_command_line_read_both_orders(
    archive: list[Game], live: str, token: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Client(live, token) as client:
        assert len(list(client.ladders.table(RULESET, as_of="2025-12-31", by="played"))) == len(NAMES)
        assert list(client.ladders.table(RULESET, as_of="2025-12-31")) == []
        player = Player.objects.get(name="Ant 1").pk
        assert client.ladders.career(player, RULESET, by="played")["by"] == "played"
        days = [row["day"] for row in client.ladders.course(player, RULESET, by="played")]
        assert days == sorted(days) != []
    (tmp_path / "token").write_text(token)
    site = ["--server", live, "--token-file", str(tmp_path / "token")]
    assert main("leaderboard", [RULESET, "--as-of", "2025-12-31", "--by", "played", *site]) == 0
    assert capsys.readouterr().out.count("\n") == len(NAMES) + 1
    assert main("career", [str(player), RULESET, "--by", "played", *site]) == 0
    assert "2018-" in capsys.readouterr().out
    assert main("leaderboard", [RULESET, "--as-of", "yesterday", *site]) == 3
    assert "“yesterday” is not a date" in capsys.readouterr().err


@pytest.fixture
def token(alice: Any) -> Iterator[str]:
    yield str(AuthToken.objects.create(alice)[1])


def test_a_day_before_the_first_ratings_by_acceptance_has_no_link_to_them(archive: list[Game], client: Browser) -> None:
    for query in ("as_of=1995-12-31", "as_of=2020-12-31&since=1995-12-31", "period=1995"):
        (order,) = client.get(f"{BOARD}?{query}&by=played").context["page"].orders
        assert order.here
    assert len(client.get(f"{BOARD}?as_of=2000-01-01&by=played").context["page"].orders) == 2
