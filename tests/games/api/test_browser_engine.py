"""The engine that browsers load answers as the API does, in every language, and is the same archive every time."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from random import Random
from runpy import run_path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from engine.registry import RULESETS
from tests.engine.atta_ants.table import tags_of
from tests.games.storing import stored
from tests.strategies import played_on, recorded
from tests.tiers import by_tier

pytestmark = pytest.mark.django_db

ARCHIVE = settings.ROOT / "games" / "static" / "games" / "engine" / "engine.zip"
TEXT = "".join(f'[{name} "{value}"]\n' for name, value in tags_of().items()) + "\n1. NESW@0,2 R1:N+ R2:E / Y1:S\n"
POSITIONS: list[dict[str, Any]] = [
    {"text": TEXT},
    {"text": TEXT, "ply": 1, "known": ["nest"], "play": ["R1:N"], "comments": {"0": "A card."}},
    {"text": TEXT, "play": ["R1:N"]},
    {"text": TEXT.replace("Y1:S", "Y1:SX")},
    {"text": "[Game"},
    {"tags": tags_of()},
    {"tags": tags_of(), "whole": False},
    {"tags": tags_of(), "whole": False, "drawn": "NESW"},
]
_ANSWER = """
import json, sys
sys.path.insert(0, sys.argv[1])
from engine.browser import Engine
asked = json.load(sys.stdin)
engine = Engine("de")
positions = [json.loads(engine.position(json.dumps(body))) for body in asked["positions"]]
setups = [json.loads(engine.setup(slug, json.dumps(body))) for slug, body in asked["setups"]]
opened = [(engine.open(text), bodies) for text, bodies in asked["branches"]]
branches = [[json.loads(one.branch(json.dumps(body))) for body in bodies] for one, bodies in opened]
print(json.dumps([positions, setups, branches]))
"""

Json = dict[str, Any]
Post = Callable[[str, Json], Any]


@pytest.fixture
def post(client: Client) -> Post:
    def answer(address: str, body: dict[str, Any]) -> Any:
        return client.post(address, body, "application/json", headers={"accept-language": "de"}).json()

    return answer


def playouts() -> Iterator[dict[str, Any]]:
    """Yield what a score sheet asks while a game of each ruleset is played on at random."""
    for ruleset in RULESETS:
        random = Random(ruleset.slug)
        replay = random.choice(recorded(ruleset))
        start = random.randrange(len(replay.actions))
        plies = by_tier(quick=3, long=40)
        playout = played_on(replay, start, plies, random)
        yield from ({"text": playout.text(), "ply": start + at, "whole": at % 2 == 0} for at in range(plies + 1))


@pytest.mark.full
def test_the_archive_answers_every_position_of_playouts_as_the_api_does(post: Post) -> None:
    asked = list(playouts())
    positions, _, _ = answered(asked, [])
    assert {"position", "tokens", "text"} <= positions[0].keys()
    assert positions == [post("/api/v1/positions", body) for body in asked]


@pytest.mark.full
def test_the_archive_answers_positions_and_setups_as_the_api_does(post: Post) -> None:
    setups = [(ruleset.slug, laid) for ruleset in RULESETS for laid in ({}, {"laid": {"x": "y"}}, {"deck": "?"})]
    positions, laid_out, _ = answered(POSITIONS, setups)
    assert positions == [post("/api/v1/positions", body) for body in POSITIONS]
    assert laid_out == [post(f"/api/v1/setups/{slug}", body) for slug, body in setups]


def answered(
    positions: Sequence[Json], setups: Sequence[tuple[str, Json]] = (), branches: Sequence[tuple[str, list[Json]]] = ()
) -> Any:
    """Return the answers of the archive, which a Python without this project runs."""
    asked = json.dumps({"positions": positions, "setups": setups, "branches": branches})
    outside = subprocess.run(
        [sys.executable, "-I", "-c", _ANSWER, ARCHIVE], input=asked, capture_output=True, text=True, check=True
    )
    return json.loads(outside.stdout)


def branches() -> Iterator[tuple[str, list[Json]]]:
    """Yield a game of each ruleset, and what a replay asks of branches at random, one of which is not legal."""
    for ruleset in RULESETS:
        random = Random(ruleset.slug)
        replay = random.choice(recorded(ruleset))
        starts = random.sample(range(len(replay.actions)), k=by_tier(quick=2, long=20))
        others = {start: played_on(replay, start, 2, random).tokens[start:] for start in starts}
        bodies: list[Json] = [{"ply": start, "play": play} for start, play in others.items()]
        yield replay.text(), [*bodies, {"ply": 0, "whole": False}, {"ply": 0, "play": ["no action"]}]


@pytest.mark.full
def test_the_archive_plays_on_from_games_as_the_api_does(client: Client, now: datetime) -> None:
    asked = list(branches())
    _, _, found = answered([], [], asked)
    for (text, bodies), answers in zip(asked, found, strict=True):
        url = f"/api/v1/games/{stored(text.encode(), now).key}/position"
        queries = [body | {"drawings": "new"} for body in bodies]
        german = {"accept-language": "de"}
        assert answers == [client.get(url, query, headers=german).json() for query in queries]
        assert answers[-1]["error"]["code"] == "illegal"


def test_the_archive_is_made_of_the_sources_as_they_are() -> None:
    script = run_path(str(settings.ROOT / ".ci" / "engine_archive.py"))
    assert script["archive"]() == ARCHIVE.read_bytes(), "older than the sources: run `make setup`"
