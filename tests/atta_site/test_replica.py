"""Boards, players, exports and dumps are read from a streaming replica, from the primary where that is not enough."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psycopg
import pytest

from atta_site import embedded, processes
from tests import replicas
from tests.factories import record
from tests.sites import OwnDatabase, Web, own_database, web

pytestmark = pytest.mark.full

UPLOAD = """
from django.utils import timezone
from games.models import Upload
from tests.factories import duels
from tests.games.judging import count_all
from tests.games.uploading import upload_file
upload_file(list(duels({number}, names=({names})))[-1], via=Upload.Via.API, now=timezone.now())
count_all(timezone.now())
"""
HIDE = """
from django.utils import timezone
from games.models import Act, Game
Game.objects.update(private=True)
Act.objects.create(kind=Act.Kind.GAME_HIDDEN, at=timezone.now(), game=Game.objects.first())
"""
METRICS = "x" * 20
BOARD = "/api/v1/leaderboards/atta-ants-online"
READ = ["/leaderboards/", "/leaderboards/atta-ants-online/", "/players/", "/players/1/", BOARD, "/api/v1/players/1"]


@dataclass
class Pair:
    """A site with a primary and a replica."""

    database: OwnDatabase
    replica: embedded.Postgres
    folder: Path
    token: str
    games: int = 0

    def upload(self, *names: str) -> None:
        self.games += 1
        program = UPLOAD.format(number=self.games, names=", ".join(map(repr, names)))
        self.database.manage("shell", "--verbosity=0", "-c", program)

    def environment(self, lag: int) -> dict[str, str]:
        own = {"DATABASE_REPLICA_URL": self.replica.url, "DATABASE_REPLICA_LAG": str(lag), "HEARTBEAT_EVERY": "1"}
        return self.database.environment | own | {"METRICS_TOKEN": METRICS}

    def fresh(self) -> None:
        """Wait until the replica has everything, a new heartbeat too."""
        replicas.until(self.replica, "SELECT clock_timestamp() - max(seen_at) < '2 s' FROM games_runningprocess")
        replicas.catch_up(self.database.postgres, self.replica)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("replica")
    with own_database(folder / "own") as database:
        found = Pair(database, database.postgres, folder, database.manage("make_token", "alice"))
        found.upload("Ada", "Bruno")
        (folder / "copy").mkdir()
        with replicas.following(database.postgres, folder / "copy") as found.replica:
            yield found


@pytest.fixture(scope="module")
def site(pair: Pair) -> Iterator[Web]:
    """A web server with a replica that may lag long."""
    with web(pair.folder / "web", pair.environment(lag=3600)) as site:
        yield site


def names_on(site: Web, token: str = "") -> set[str]:
    answer = site.ask(BOARD, Authorization=f"Bearer {token}") if token else site.ask(BOARD)
    assert answer.status == 200, answer.body
    return {row["player"]["name"] for row in json.loads(answer.body)["rows"]}


def test_visitors_read_the_replica_and_accounts_what_they_have_just_written(pair: Pair, site: Web) -> None:
    pair.fresh()
    with replicas.held_back(pair.replica):
        pair.upload("Cleo", "Dora")
        assert "Cleo" not in names_on(site)
        assert "Cleo" in names_on(site, pair.token)
        assert b"Cleo" not in site.ask("/leaderboards/atta-ants-online/").body
        assert b"Cleo" not in site.ask("/api/v1/games/export").body
        assert b"Cleo" in site.ask("/api/v1/games/export", Authorization=f"Bearer {pair.token}").body
    pair.fresh()
    assert "Cleo" in names_on(site)


def test_what_is_missing_on_the_replica_is_looked_up_on_the_primary(pair: Pair, site: Web) -> None:
    pair.fresh()
    with replicas.held_back(pair.replica):
        pair.upload("Emil", "Fritz")
        ((newest,),) = replicas.ask(pair.database.postgres, "SELECT max(id) FROM games_player")
        assert b"Fritz" in site.ask(f"/players/{newest}/").body


def test_game_that_became_private_is_private_at_once(pair: Pair, site: Web) -> None:
    pair.fresh()
    assert b"resign" in site.ask("/api/v1/games/export").body
    with replicas.held_back(pair.replica):
        pair.database.manage("shell", "--verbosity=0", "-c", HIDE)
        assert b"resign" not in site.ask("/api/v1/games/export").body
    pair.database.manage("shell", "--verbosity=0", "-c", HIDE.replace("True", "False").replace("HIDDEN", "SHOWN"))


def test_primary_that_ends_a_statement_is_not_away(pair: Pair) -> None:
    hasty = {"DATABASE_URL": f"{pair.database.postgres.url}?options=-c%20lock_timeout%3D300"}
    with web(pair.folder / "hasty", pair.environment(lag=3600) | hasty) as site:
        pair.fresh()
        with replicas.held_back(pair.replica):
            pair.upload("Ilse", "Jonas")
            with psycopg.connect(pair.database.postgres.url) as blocker:
                blocker.execute("LOCK TABLE games_act")
                assert "Ilse" in names_on(site)
            assert "Ilse" not in names_on(site)


def test_replica_that_is_too_far_behind_is_not_read(pair: Pair) -> None:
    with web(pair.folder / "strict", pair.environment(lag=2)) as site:
        pair.fresh()
        with replicas.held_back(pair.replica):
            pair.upload("Greta", "Hans")
            replicas.until(pair.replica, "SELECT clock_timestamp() - max(seen_at) > '4 s' FROM games_runningprocess")
            assert "Greta" in names_on(site)


def test_while_the_primary_is_away_readers_are_served_and_uploads_are_asked_to_retry(pair: Pair) -> None:
    with web(pair.folder / "alone", pair.environment(lag=1)) as site:
        pair.fresh()
        assert [site.ask(path).status for path in READ] == [200] * len(READ)
        pair.database.postgres.stop()
        try:
            assert [site.ask(path).status for path in READ] == [200] * len(READ)
            ready, health = site.ask("/health/ready"), site.ask("/health")
            sent = site.ask("/api/v1/uploads", data=record("*"), Authorization=f"Bearer {pair.token}")
        finally:
            pair.database.postgres.start()
        assert (ready.status, json.loads(ready.body)["database"], health.status) == (200, "replica only", 503)
        assert (sent.status, sent.headers["Retry-After"]) == (503, "5")


def test_primary_is_read_while_the_replica_is_away(pair: Pair, site: Web) -> None:
    pair.replica.stop()
    try:
        assert [site.ask(path).status for path in READ] == [200] * len(READ)
    finally:
        pair.replica.start()


@pytest.mark.usefixtures("site")  # its heartbeats are waited for
def test_dump_is_read_from_the_replica_and_counts_as_old_as_that_may_be(pair: Pair) -> None:
    pair.fresh()
    environment = pair.environment(lag=3600)
    with replicas.held_back(pair.replica):
        replicas.ask(pair.database.postgres, "UPDATE games_game SET received_at = '2026-01-15' RETURNING id")
        OwnDatabase(pair.database.postgres, environment).manage("dump", "2026-01")
    manifest = Path(environment["DUMPS_DIR"]) / "2026-01" / "manifest.json"
    found = json.loads(manifest.read_text())
    assert found["rulesets"] == []
    assert datetime.fromisoformat(found["made_at"]).timestamp() < manifest.stat().st_mtime - 3600


def test_doctor_and_metrics_report_how_far_behind_the_replica_is(pair: Pair, site: Web) -> None:
    pair.fresh()
    assert "at most" in said_of_the_replica(pair, lag=3600)
    metrics = site.ask("/metrics", Authorization=f"Bearer {METRICS}").body.decode()
    assert "atta_replica_up 1.0" in metrics
    assert 0 <= float(metrics.split("\natta_replica_behind_seconds ")[1].split()[0]) < 60
    with replicas.held_back(pair.replica):
        replicas.until(pair.replica, "SELECT clock_timestamp() - max(seen_at) > '3 s' FROM games_runningprocess")
        assert "more than DATABASE_REPLICA_LAG" in said_of_the_replica(pair, lag=1)
    itself = pair.environment(lag=60) | {"DATABASE_REPLICA_URL": pair.database.postgres.url}
    assert "It is a primary" in said_of_the_replica(pair, lag=60, **itself)


def said_of_the_replica(pair: Pair, lag: int, **environment: str) -> str:
    command = [sys.executable, "manage.py", "doctor", "--json"]
    environment = environment or pair.environment(lag)
    done = subprocess.run(command, env=environment, cwd=processes.ROOT, capture_output=True, text=True, check=False)
    return " ".join(one["message"] for one in json.loads(done.stdout)["findings"] if one["about"] == "replica")
