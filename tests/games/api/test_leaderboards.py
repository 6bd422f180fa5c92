"""Leaderboards in the API: current, of a day, of a period, with their games and as whole tables."""

import csv
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient
from rest_framework.throttling import ScopedRateThrottle

from games.ladders import snapshots
from games.models import Club, Player
from games.records.reads import streams
from tests.games.evenings import annul, play, player, season
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db

BOARD = "/api/v1/leaderboards/atta-ants-online"
DAY = timedelta(days=1)


@pytest.fixture
def ask(call: Callable[..., APIClient]) -> Callable[[str], dict[str, Any]]:
    def get(address: str) -> dict[str, Any]:
        answer = call().get(address)
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    return get


def streamed(client: APIClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.getvalue().decode()


Ask = Callable[[str], dict[str, Any]]


def test_leaderboard_describes_its_algorithm_and_parameters(now: datetime, ask: Ask) -> None:
    play(season(10, ("Ada", "Bruno", "Cleo")), now)

    board = ask(f"{BOARD}?as_of=2026-03-14")

    assert (board["as_of"], board["players"], board["games"], len(board["digest"])) == ("2026-03-14", 3, 10, 64)
    assert board["algorithm"] == "plackett-luce/1"
    parameters = {name: board["parameters"][name] for name in ("mu", "sigma", "beta", "tau", "decimals")}
    assert parameters == {"mu": 1200.0, "sigma": 400.0, "beta": 200.0, "tau": 4.0, "decimals": 6}
    assert board["games_url"].endswith("/api/v1/leaderboards/atta-ants-online/games?as_of=2026-03-14")
    assert sum(bar["players"] for bar in board["distribution"]) == 3


def test_rank_changes_and_gains_are_returned_as_numbers(now: datetime, ask: Ask) -> None:
    play([(("Ada", "Bruno"), (1, 2))], now)
    play([(("Bruno", "Cleo", "Ada"), (1, 2, 3))] * 3, now + DAY)

    since = ask(f"{BOARD}?since=2026-03-14")["rows"]
    period = ask(f"{BOARD}?period=2026-03")["rows"]

    assert [(row["player"]["name"], row["rank_then"], row["gain"]) for row in since] == [
        ("Bruno", 2, None),
        ("Cleo", None, None),
        ("Ada", 1, None),
    ]
    assert [(row["rank"], row["rating_before"], row["gain"] == row["rating"]) for row in period] == [
        (1, 0, True),
        (2, 0, True),
        (3, 0, True),
    ]


def test_provisional_rating_explains_what_is_missing(now: datetime, ask: Ask) -> None:
    play([(("Ada", "Bruno"), (1, 2)), (("Ada", "Bruno"), (2, 1))] * 15, now)
    play([(("Cleo", "Dora"), (1, 2))], now)

    rows = {row["player"]["name"]: row["provisional"] for row in ask(BOARD)["rows"]}

    assert rows["Ada"] is None
    assert (rows["Cleo"]["games"], round(rows["Cleo"]["sigma"])) == (19, 387)


def test_annulments_are_listed_with_the_leaderboard(now: datetime, ask: Ask) -> None:
    game, *_ = play(season(4, ("Ada", "Bruno", "Cleo")), now)
    annul(game, now + DAY, "Played twice.")

    board = ask(BOARD)

    assert board["corrections_count"] == 1
    assert {name: board["corrections"][0][name] for name in ("kind", "reason", "number", "game", "played_on")} == {
        "kind": "annulment",
        "reason": "Played twice.",
        "number": 1,
        "game": game.key,
        "played_on": "2026-03-14",
    }
    assert ask(f"{BOARD}?as_of=2026-03-14")["corrections"] == []


@pytest.mark.full
@pytest.mark.parametrize("query", first_quick(["", "as_of=2026-03-14", "period=2026-03", "active=3650"]))
def test_every_leaderboard_row_is_on_exactly_one_page(now: datetime, ask: Ask, query: str) -> None:
    names = [f"Ant {n:03}" for n in range(230)]
    play([((one, other), (1, 2)) for one, other in zip(names[::2], names[1::2], strict=True)], now)

    pages, address = [], f"{BOARD}?{query}"
    while address:
        pages.append(ask(address))
        address = pages[-1]["next"]

    assert [len(page["rows"]) for page in pages] == [50] * 4 + [30]
    assert len({row["player"]["id"] for page in pages for row in page["rows"]}) == 230
    assert ask(pages[1]["previous"])["rows"] == pages[0]["rows"]


@pytest.mark.parametrize("query", ["", "as_of=2026-03-14"])
def test_rows_around_a_player_fill_a_page(now: datetime, ask: Ask, query: str) -> None:
    names = [f"Ant {n:03}" for n in range(130)]
    play([((one, other), (1, 2)) for one, other in zip(names[::2], names[1::2], strict=True)], now)
    first = ask(BOARD)["rows"][0]["player"]["id"]

    board = ask(f"{BOARD}?{query}&around={first}")

    assert (board["first"], len(board["rows"]), board["rows"][0]["player"]["id"]) == (1, 50, first)


def test_leaderboard_games_list_only_rated_games(now: datetime, call: Callable[..., APIClient]) -> None:
    ada, bruno = player("Ada", now), player("Bruno", now)
    first, second = play([(("Ada", "Bruno"), (1, 2)), (("Bruno", "Ada"), (1, 1))], now)
    annul(first, now + DAY)

    lines = streamed(call(), f"{BOARD}/games?as_of=2026-03-15").splitlines()

    assert [json.loads(line) for line in lines] == [
        {
            "number": 2,
            "game_digest": second.digest,
            "key": second.key,
            "accepted_at": "2026-03-14T15:09:26.000000Z",
            **dict.fromkeys(("played_on", "played_from", "played_until"), "2026-03-14"),
            "seats": [
                {"player": bruno.pk, "name": "Bruno", "place": 1},
                {"player": ada.pk, "name": "Ada", "place": 1},
            ],
        }
    ]
    assert len(streamed(call(), f"{BOARD}/games?as_of=2026-03-14").splitlines()) == 2
    assert len(streamed(call(), f"{BOARD}/games?period=2026-03").splitlines()) == 1
    assert streamed(call(), f"{BOARD}/games?period=2026-02") == ""


@pytest.mark.parametrize(("query", "gain"), [("", ""), ("?as_of=2026-03-14", ""), ("?period=2026-03", "165")])
def test_leaderboard_csv_is_complete_and_escapes_formulas(
    now: datetime, call: Callable[..., APIClient], query: str, gain: str
) -> None:
    play([(("=SUM(A1)", "Bruno"), (1, 2))], now)

    rows = list(csv.DictReader(StringIO(streamed(call(), f"{BOARD}/table{query}").removeprefix("\ufeff"))))

    first = {name: rows[0][name] for name in ("rank", "name", "rating", "games", "gain")}
    assert first == {"rank": "1", "name": "'=SUM(A1)", "rating": "165", "games": "1", "gain": gain}
    assert rows[0]["share"] == "1.000000"
    assert len(rows) == 2


def test_club_leaderboards_have_their_own_urls(now: datetime, ask: Ask, call: Callable[..., APIClient]) -> None:
    club = Club.objects.create(slug="formica", name="Casa Formica", created_at=now)
    play([(("Ada", "Bruno"), (1, 2))], now, club=club)

    board = ask("/api/v1/clubs/formica/leaderboards/atta-ants-online?as_of=2026-03-14")

    assert (board["club"], board["players"]) == ("formica", 2)
    assert board["games_url"].endswith("/api/v1/clubs/formica/leaderboards/atta-ants-online/games?as_of=2026-03-14")
    assert ask(BOARD)["players"] == 0
    assert call().get("/api/v1/clubs/nowhere/leaderboards/atta-ants-online").status_code == 404


def test_game_name_alone_selects_its_first_edition(ask: Ask) -> None:
    assert ask("/api/v1/leaderboards/atta-ants?as_of=2026-03-14")["ruleset"] == "atta-ants-online"
    assert ask("/api/v1/leaderboards/ant-trails")["ruleset"] == "ant-trails-2020"


def test_leaderboard_is_empty_before_the_first_rated_game(ask: Ask, call: Callable[..., APIClient]) -> None:
    board = ask(f"{BOARD}?as_of=2026-03-14")

    assert (board["players"], board["rows"], board["next"]) == (0, [], None)
    assert streamed(call(), f"{BOARD}/games") == ""
    assert streamed(call(), f"{BOARD}/table").count("\n") == 1


def test_invalid_leaderboard_query_names_its_parameter(call: Callable[..., APIClient]) -> None:
    answer = call().get(f"{BOARD}?as_of=9999-01-01")

    assert (answer.status_code, answer.json()["error"]["place"]) == (400, {"parameter": "as_of"})
    assert answer.json()["error"]["message"].startswith("9999-01-01 is in the future")


def test_leaderboard_of_a_long_ledger_is_made_later_and_retried(
    now: datetime, call: Callable[..., APIClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "AT_ONCE", 2)
    play(season(5, ("Ada", "Bruno", "Cleo")), now)

    for part in ("", "/table"):
        answer = call().get(f"{BOARD}{part}?as_of=2026-03-14")
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert answer.json()["error"]["code"] == "being_made"
    snapshots.make_waiting(now=now)

    assert call().get(f"{BOARD}?as_of=2026-03-14").status_code == 200
    assert Player.objects.count() == 3


def test_account_that_requested_many_leaderboards_is_throttled(
    now: datetime, call: Callable[..., APIClient], alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"board": "1/hour"})
    for n in range(2):
        play(season(3, ("Ada", "Bruno", "Cleo"), seed=n), now + n * DAY)
    client = call(alice)

    first, other = client.get(f"{BOARD}?as_of=2026-03-14"), client.get(f"{BOARD}/table?as_of=2026-03-15")

    assert (first.status_code, other.status_code) == (200, 429)
    assert other.json()["error"]["code"] == "throttled"
    assert int(other["Retry-After"]) > 3500
    assert call(bob).get(f"{BOARD}?as_of=2026-03-15").status_code == 200
    assert client.get(f"{BOARD}?as_of=2026-03-15").status_code == 200


@pytest.mark.parametrize("part", ["games", "table"])
def test_long_responses_are_streamed_one_at_a_time(
    now: datetime, call: Callable[..., APIClient], part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(season(10, ("Ada", "Bruno", "Cleo")), now)
    whole = call().get(f"{BOARD}/{part}")
    monkeypatch.setattr(streams, "IN_MEMORY", 10)
    monkeypatch.setattr("games.api.streams._BUNDLE", 2)
    long = call().get(f"{BOARD}/{part}")
    assert (whole.streaming, long.streaming, long.getvalue()) == (False, True, whole.content)

    other = streams.whole_or_stream(piece for piece in (b"long enough", b"and more"))
    busy = call().get(f"{BOARD}/{part}")
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "5")
    assert busy.json()["error"]["message"] == "Another long answer is being sent. Try again in a few seconds."
    assert isinstance(other, streams.Stream)
    other.close()
    assert call().get(f"{BOARD}/{part}").getvalue() == whole.content
