"""Each filter of games finds, on the page, in the API and in exports, just what a look at every record finds."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from engine.replay import Replay
from engine.verify import Verdict, verify_bytes
from games.models import Game, RatingEvent, Upload
from games.records.reads.replays import first_log
from games.records.reads.visibility import NOBODY
from tests.factories import duels
from tests.games.judging import count_all
from tests.games.uploading import upload_file
from tests.strategies import FIXTURES

pytestmark = pytest.mark.django_db

FILES = (
    "army_ants/games/two-hunters.agn", "ant_trails/games/loops.agn", "ant_trails/games/agreed-draw.agn",
    "army_ants/games/resigned.agn", "army_ants/games/out-of-time.agn", "atta_ants/games/thieves-of-three.agn",
    "atta_ants/games/leavers-of-four.agn", "atta_ants/games/written-by-hand.agn",
)  # fmt: skip
Found = Callable[[Verdict, Replay[Any, Any]], bool]


@pytest.fixture
def games(now: datetime) -> dict[str, Verdict]:
    """Some games of each kind, by key, each with its verdict."""
    data = b"\n\n".join([*((FIXTURES / name).read_bytes() for name in FILES), *duels(4)])
    upload_file(data, via=Upload.Via.API, now=now)
    count_all(now)
    return {game.key: verify_bytes(first_log(game, NOBODY).text.encode())[0] for game in Game.objects.all()}


def places(verdict: Verdict) -> tuple[int, ...]:
    return tuple(verdict.outcome.placements) if verdict.outcome else ()


def won_alone_by(seat: int) -> Found:
    return lambda verdict, _: places(verdict).count(1) == 1 and places(verdict)[seat] == 1


def ended(how: str) -> Found:
    return lambda verdict, _: verdict.outcome is not None and verdict.outcome.termination == how


def found_by(client: Client, asked: str) -> set[str]:
    """Return the games that a filter finds, the same in all three places."""
    listed = {game["key"] for game in client.get(f"/api/v1/games?{asked}").json()["games"]}
    page, export = client.get(f"/games/?{asked}"), client.get(f"/api/v1/games/export?{asked}&form=ndjson")
    assert {row.key for row in page.context["page"].rows} == listed
    assert export.headers["Atta-Games"] == str(len(listed))
    return listed


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ("winner=1", won_alone_by(0)),
        ("winner=2", won_alone_by(1)),
        ("winner=draw", lambda verdict, _: places(verdict).count(1) > 1),
        ("termination=resigned", ended("resigned")),
        ("termination=agreed", ended("agreed")),
        ("termination=timed_out", ended("timed_out")),
        ("termination=played", ended("played")),
    ],
)  # fmt: skip
def test_a_filter_finds_what_a_look_at_every_record_finds(
    games: dict[str, Verdict], client: Client, asked: str, due: Found
) -> None:
    scanned = {key for key, verdict in games.items() if verdict.replay and due(verdict, verdict.replay)}

    assert found_by(client, asked) == scanned
    assert len(scanned) < len(games)


@pytest.mark.parametrize("asked", ["rated_from=0.5", "rated_to=0.5", "rated_from=-1&rated_to=4", "rated_from=99"])
def test_ratings_are_those_of_every_player_before_the_game(
    games: dict[str, Verdict], client: Client, asked: str
) -> None:
    limits = dict(part.split("=") for part in asked.split("&"))
    low, high = float(limits.get("rated_from", "-inf")), float(limits.get("rated_to", "inf"))
    before: dict[str, list[float]] = {}
    for event in RatingEvent.objects.select_related("game"):
        before.setdefault(event.game.key, []).append(event.value_before)

    due = {key for key, ratings in before.items() if all(low <= rating <= high for rating in ratings)}
    assert found_by(client, asked) == due
    assert len(before) > 4
