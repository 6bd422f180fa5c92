"""Two machines that share a database through a transaction pooler answer every request."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import product
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from atta_site import embedded, processes
from games.models import Club, Game, Ladder, Upload
from games.ratings.acceptance import accept_due, make_due
from games.uploads.origin import UploadOptions
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.test_access import ROWS, World, address, everybody, two_worlds
from tests.games.uploading import upload_file
from tests.sites import PATIENCE, UNLIMITED, Answer, Web, web
from tests.tiers import by_tier, share

PGBOUNCER = Path("/usr/sbin/pgbouncer")
ABREAST = by_tier(quick=50, long=200)
EXPORTS = [
    f"/api/v1/games/export?format={form}{compress}"
    for form, compress in product(("agn", "ndjson", "annotated"), ("", "&compress=gzip"))
]
TABLE = "/api/v1/clubs/nest/leaderboards/atta-ants-online/table"
CONFIGURATION = """
[databases]
{database} = host={host} port={port} user={user} password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
max_client_conn = 500
server_login_retry = 1
"""


@contextmanager
def pooled(folder: Path) -> Iterator[str]:
    """Run PgBouncer in front of this run's database with fewer connections than threads; yield its address."""
    if not PGBOUNCER.exists():
        pytest.skip(f"{PGBOUNCER} is missing: `apt-get install pgbouncer` (`make test` does it for root)")
    own, database = processes.free_port(), connection.settings_dict["NAME"]
    behind = urlsplit(os.environ["DATABASE_URL"])
    file = folder / "pgbouncer.ini"
    file.write_text(
        CONFIGURATION.format(
            database=database,
            host=behind.hostname,
            port=behind.port,
            user=behind.username,
            password=behind.password,
            own=own,
        )
    )
    with (folder / "pgbouncer.log").open("ab") as log:
        process = processes.spawn([str(PGBOUNCER), str(file)], log.fileno(), prefix=embedded.as_nobody())
    address = f"postgresql://atta@127.0.0.1:{own}/{database}"
    try:
        _until_it_answers(address)
        yield address
    finally:
        processes.end(process)


def _until_it_answers(address: str) -> None:
    until = monotonic() + PATIENCE
    while not _answers(address):
        assert monotonic() < until
        sleep(0.02)


def _answers(address: str) -> bool:
    with suppress(psycopg.OperationalError):
        psycopg.connect(address).close()
        return True
    return False


@pytest.fixture
def machines(transactional_db: None, tmp_path: Path) -> Iterator[tuple[Web, Web]]:
    """Two web processes, only one of which keeps its connections to the pooler."""
    with pooled(tmp_path) as behind:
        own = [{"DATABASE_URL": behind, "DATABASE_KEEP": keep} for keep in ("0", "1")]
        with (
            web(tmp_path / "one", os.environ | UNLIMITED | own[0]) as one,
            web(tmp_path / "two", os.environ | UNLIMITED | own[1]) as two,
        ):
            yield one, two


def rate_a_club_game(organiser: User, now: datetime) -> None:
    """Create the club's ladder by rating one of its games."""
    club = Club.objects.get(slug="nest")
    *_, game = duels(3, names=("Cleo", "Dora"))
    upload = upload_file(game, via=Upload.Via.WEB, now=now, uploader=organiser, options=UploadOptions(club=club))
    judge_all(now)
    make_due(Game.objects.filter(logs__upload=upload), now=now, club=club)
    accept_due(now=now)
    assert Ladder.objects.filter(club=club).exists()


def until_free(machine: Web, path: str, viewer: Client) -> Answer:
    """Ask as a viewer until the only slot for long responses is free."""
    session = viewer.cookies["sessionid"].value if "sessionid" in viewer.cookies else ""
    deadline = monotonic() + PATIENCE
    while True:
        answer = machine.ask(path, Cookie=f"sessionid={session}")
        is_busy = answer.status == 503 and json.loads(answer.body).get("error", {}).get("code") == "busy"
        if not is_busy or monotonic() > deadline:
            return answer
        sleep(0.1)


def path_of(name: str, world: World) -> str:
    """Return the address of a page; of a stream, the one that ends with what there is."""
    return f"{address(name, world)}{'?poll' if name.startswith('live-') else ''}"


@pytest.mark.full
def test_every_address_answers_correctly_under_concurrent_requests(machines: tuple[Web, Web], now: datetime) -> None:
    cast = everybody(now)
    worlds = two_worlds(cast, now)
    rate_a_club_game(cast["uploader"], now)
    viewers = (Client(), Client())
    viewers[1].force_login(cast["moderator"])
    # Whether streams are held open is another matter in a process without a server.
    read = [row for row in ROWS if row.method == "GET" and row.name != "live-health"]
    paths = [(path_of(row.name, worlds[0]), one) for at, one in enumerate(viewers) for row in share(read, at, of=2)]
    paths += [(path, viewers[0]) for path in (*EXPORTS, TABLE)]
    due = [(path, viewer, viewer.get(path).status_code) for path, viewer in paths]
    due += 20 * due[-1:]
    asked = [(machine, *one) for one in due for machine in machines]
    with ThreadPoolExecutor(ABREAST) as threads:
        answers = list(threads.map(lambda one: until_free(*one[:3]), asked))
    wrong = [
        (path, expected, answer.status, answer.body[:300])
        for (_, path, _, expected), answer in zip(asked, answers, strict=True)
        if answer.status != expected
    ]
    assert wrong == []
    assert len(asked) > 2 * ABREAST
