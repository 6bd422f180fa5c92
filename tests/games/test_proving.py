"""What the engine proves in a browser: games by their records, leaderboards by their games, every byte of the table."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from engine.proving import LeaderboardProof, prove_game
from tests.factories import BROKEN, record
from tests.games.evenings import annul, merge, play, season
from tests.games.storing import stored

pytestmark = pytest.mark.django_db
BOARD = "/api/v1/leaderboards/atta-ants-online"
NAMES = [f"Ant {n}" for n in range(9)]
DAY = timedelta(days=1)


def game_json(client: Client, key: str) -> dict[str, Any]:
    return dict(client.get(f"/api/v1/games/{key}").json())


def body_of(client: Client, address: str) -> str:
    answer = client.get(address)
    return b"".join(answer if answer.streaming else [answer.content]).decode()


def proved(client: Client, parts: int = 1) -> LeaderboardProof:
    """Rate the games of the first day, which arrive in parts that end anywhere."""
    games, proof = body_of(client, f"{BOARD}/games?as_of=2026-03-14"), LeaderboardProof()
    size = len(games) // parts + 1
    for start in range(0, len(games), size):
        proof.add(games[start : start + size])
    return proof


@pytest.mark.parametrize("text", [record("NS@0,2 R1:N R2:E / Y1:S resign:Y 1-2"), BROKEN])
def test_a_game_follows_from_its_record(client: Client, now: datetime, text: bytes) -> None:
    game = game_json(client, stored(text, now).key)
    canonical = client.get(game["parts"]["canonical"]).content.decode() if "canonical" in game["parts"] else None
    findings = prove_game(text, game, canonical, None)
    assert [finding.what for finding in findings if finding.here != finding.there] == []
    assert {finding.what for finding in findings} >= ({"verdict", "rule"} if text == BROKEN else {"digest", "text"})


def test_what_a_site_changes_about_a_game_is_found(client: Client, now: datetime) -> None:
    text = record("NS@0,2 R1:N R2:E / Y1:S resign:Y 1-2")
    game = game_json(client, stored(text, now).key)
    findings = prove_game(text, game | {"result": "2-1"}, "another text", {"status": "proved"})
    assert [finding.what for finding in findings if finding.here != finding.there] == ["result", "text", "dealing"]


def test_a_leaderboard_follows_from_its_games_byte_for_byte(client: Client, now: datetime) -> None:
    games = play(season(60, NAMES), now)
    annul(games[10], now)
    merge("Ant 3", "Ant 4", now)
    play(season(10, NAMES, seed=2), now + DAY)
    proof, table = proved(client, parts=7), body_of(client, f"{BOARD}/table?as_of=2026-03-14")
    assert json.loads(proof.compare(table)) == {"same": True, "players": len(NAMES) - 1, "differs": None}
    assert proof.digest() == client.get(f"{BOARD}?as_of=2026-03-14").json()["digest"]


def test_the_first_line_of_a_table_that_does_not_follow_is_found(client: Client, now: datetime) -> None:
    play([(("Ada", "Bruno"), (1, 2))], now)
    proof, table = proved(client), body_of(client, f"{BOARD}/table?as_of=2026-03-14")
    mu = table.splitlines()[2].split(",")[7]
    found = json.loads(proof.compare(table.replace(mu, "1300.0")))
    assert (found["same"], found["differs"]) == (False, {"line": 2, "here": f"mu {mu}", "there": "mu 1300.0"})
    assert not json.loads(proof.compare(table.replace("Bruno", "Bruno ").replace("\r\n", "\n")))["same"]
