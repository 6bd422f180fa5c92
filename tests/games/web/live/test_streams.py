"""Streams of a real site: each reader gets every event once, through any number of servers."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from atta_site import processes
from games.accounts import deletion
from games.accounts.tokens import make_token
from games.models import Table
from games.playing import opening
from games.playing.opening import TableOptions
from games.playing.reads import lists
from games.playing.reads.people import Person
from tests.games.playing.seating import guests, play, seated
from tests.games.web.live.reading import Reader, Server, web_server
from tests.sites import PATIENCE, Web, own_database
from tests.tiers import LONG, by_tier

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="session")
def here(django_db_setup: None) -> dict[str, str]:
    """Return the environment a process needs to work in the test database."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    return {"DATABASE_URL": urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))}


@pytest.fixture(scope="session")
def servers(here: dict[str, str], scratch: Path) -> Iterator[tuple[Server, Server]]:
    """Two web servers."""
    with web_server(scratch / "live-1", here) as one, web_server(scratch / "live-2", here) as two:
        yield one.ready(), two.ready()


@pytest.fixture(scope="session")
def site(servers: tuple[Server, Server]) -> Web:
    """The first of them."""
    return servers[0].site


@pytest.fixture
def read() -> Iterator[Callable[..., Reader]]:
    """Let somebody read a table's stream; close all streams at the end."""
    readers: list[Reader] = []

    def one(address: str, key: str, *, after: int = 0) -> Reader:
        readers.append(Reader(address, f"/live/tables/{key}", after=after))
        return readers[-1]

    yield one
    for reader in readers:
        reader.close()


Read = Callable[..., Reader]


@pytest.mark.full
def test_two_web_servers_send_the_same_events(
    transactional_db: None, servers: tuple[Server, Server], read: Read, now: datetime
) -> None:
    people = guests(2)
    table = seated(people, now)
    readers = [read(one.address, table.key) for one in servers]
    table = play(table, people, now, most=12)
    received = [reader.until(table.last_event) for reader in readers]
    assert received == [list(range(1, table.last_event + 1))] * 2
    acts = [body for body in readers[0].bodies if body["kind"] == "act"]
    assert [body["frame"]["ply"] for body in acts] == list(range(1, 13))
    assert readers[0].bodies == readers[1].bodies


@pytest.mark.full
def test_all_readers_of_the_lobby_are_notified_when_a_table_is_opened(
    transactional_db: None, servers: tuple[Server, Server], now: datetime
) -> None:
    readers = [Reader(one.address, "/live/lobby") for one in servers]
    was = lists.version()
    assert {_next_version(reader, "") for reader in readers} == {was}
    opening.open_table(TableOptions(ruleset="army-ants", places=2), guests(1)[0], now=now)
    assert {_next_version(reader, was) for reader in readers} == {lists.version()}
    for reader in readers:
        reader.close()


def _next_version(reader: Reader, known: str) -> str:
    while not reader.bodies or reader.bodies[-1]["version"] == known:
        assert reader.step()
    return str(reader.bodies[-1]["version"])


@pytest.mark.full
def test_viewer_counts_include_readers_on_all_servers(
    transactional_db: None, servers: tuple[Server, Server], read: Read, now: datetime
) -> None:
    table = seated(guests(2), now)
    readers = [read(one.address, table.key) for one in (*servers, *servers, servers[0])]
    while {reader.watching for reader in readers[:2]} != {5}:
        assert all(reader.step() for reader in readers[:2])


@pytest.mark.full
def test_reader_that_reconnects_misses_no_event(
    transactional_db: None, servers: tuple[Server, Server], site: Web, read: Read, now: datetime
) -> None:
    people = guests(2)
    table = seated(people, now)
    addresses = [one.address for one in servers] * 15
    reader = read(site.address, table.key)
    with ThreadPoolExecutor(1) as beside:
        playing = beside.submit(_play_and_close, table, people, now)
        for address in addresses:
            reader.address = address
            reader.step()
            reader.resume()
        table = playing.result()
    assert reader.until(table.last_event) == list(range(1, table.last_event + 1))


def _play_and_close(table: Table, people: list[Person], now: datetime) -> Table:
    try:
        return play(table, people, now, most=40)
    finally:
        connection.close()


@pytest.mark.full
def test_streams_occupy_no_thread_of_the_web_server(
    transactional_db: None, site: Web, read: Read, now: datetime
) -> None:
    people = guests(2)
    table = seated(people, now)
    readers = [read(site.address, table.key, after=table.last_event) for _ in range(by_tier(quick=200, long=1000))]
    assert [site.ask(path).status for path in ("/health", "/rules/", "/health/live") * 3] == [200] * 9
    table = play(table, people, now, most=3)
    assert {tuple(reader.until(table.last_event)) for reader in readers} == {(5, 6, 7)}


@pytest.fixture
def own(servers: tuple[Server, Server]) -> Iterator[Callable[[dict[str, str]], Reader]]:
    """Let somebody read the stream of their own games; close all streams at the end."""
    readers: list[Reader] = []

    def one(header: dict[str, str]) -> Reader:
        readers.append(Reader(servers[0].address, "/live/me", after=None, **header))
        while not readers[-1].bodies:
            assert readers[-1].step()
        return readers[-1]

    yield one
    for reader in readers:
        reader.close()


@pytest.mark.full
def test_streams_of_ones_own_games_end_with_what_opened_them(
    transactional_db: None, own: Callable[[dict[str, str]], Reader], now: datetime
) -> None:
    ways, eva = _opened_by_accounts(), User.objects.create_user("Eva")
    stays = own({"Authorization": f"Bearer {make_token(eva)}"})
    readers = {name: own(header) for name, (header, _) in ways.items()}
    for _, end in ways.values():
        end()
    for name, reader in readers.items():
        _read_to_the_end(reader)
        reader.resume()
        assert reader.status == (401 if name.startswith("token") else 204), name
    seated([Person(account=eva), guests(1)[0]], now, "army-ants", first="opener")
    while not stays.bodies[-1]["waiting"]:
        assert stays.step()


Ending = tuple[dict[str, str], Callable[[], object]]


def _opened_by_accounts() -> dict[str, Ending]:
    """Return the ways in which accounts open streams: the header, and what ends it."""
    revoked, expired, closed = (User.objects.create_user(name) for name in ("Ada", "Bruno", "Cleo"))
    tokens = {user: make_token(user) for user in (revoked, expired, closed)}
    past = timezone.now() - timedelta(seconds=1)
    by_token: dict[User, Callable[[], object]] = {
        revoked: lambda: AuthToken.objects.filter(user=revoked).delete(),
        expired: lambda: AuthToken.objects.filter(user=expired).update(expiry=past),
        closed: lambda: deletion.delete_account(closed, now=timezone.now()),
    }
    signed_out, signed_in_with_an_old_password = Client(), Client()
    signed_out.force_login(User.objects.create_user("Dora"))
    signed_in_with_an_old_password.force_login(other := User.objects.create_user("Fred", password="first"))
    other.set_password("second")
    return {
        **{f"token of {user}": ({"Authorization": f"Bearer {tokens[user]}"}, end) for user, end in by_token.items()},
        "session": (_cookie(signed_out), signed_out.logout),
        "password": (_cookie(signed_in_with_an_old_password), other.save),
    }


def _cookie(client: Client) -> dict[str, str]:
    name = settings.SESSION_COOKIE_NAME
    return {"Cookie": f"{name}={client.cookies[name].value}"}


def _read_to_the_end(reader: Reader) -> None:
    while reader.step():
        pass


@pytest.mark.full
def test_readers_of_a_killed_server_resume_at_another_one_and_when_it_is_back(
    transactional_db: None,
    here: dict[str, str],
    servers: tuple[Server, Server],
    tmp_path: Path,
    read: Read,
    now: datetime,
) -> None:
    people = guests(2)
    table = seated(people, now)
    with web_server(tmp_path / "web", here) as server:
        reader = read(server.ready().address, table.key)
        table = play(table, people, now, most=3)
        reader.until(table.last_event)
        server.kill()
        table = play(table, people, now, most=3)
        reader.address = servers[0].address
        reader.until(table.last_event)
        server.start()
        reader.address = server.ready().address
        reader.resume()
        table = play(table, people, now, most=3)
        assert reader.until(table.last_event) == list(range(1, table.last_event + 1))


@pytest.mark.full
def test_streams_end_whole_when_their_server_is_told_to_end(
    transactional_db: None, here: dict[str, str], tmp_path: Path
) -> None:
    with web_server(tmp_path / "web", here) as server:
        reader = HTTPConnection(urlsplit(server.ready().address).netloc, timeout=PATIENCE)
        reader.request("GET", "/live/lobby")
        answer = reader.getresponse()
        begun = answer.readline()
        processes.end(server.process)
        assert begun + answer.read()  # what is cut off raises an error
        assert server.process.returncode == 0
        reader.close()


def test_stream_without_access_is_rejected(transactional_db: None, site: Web) -> None:
    assert site.ask("/live/tables/nothing0").status == 404
    assert site.ask("/live/me").status == 204
    assert site.ask("/live/me", Host="elsewhere.example").status == 400


def test_events_during_a_database_outage_are_sent_afterwards(
    transactional_db: None, servers: tuple[Server, Server], read: Read, now: datetime
) -> None:
    table = seated(guests(2), now)
    readers = [read(one.address, table.key) for one in servers]
    assert [reader.until(4) for reader in readers] == [[1, 2, 3, 4]] * 2
    with connection.cursor() as cursor:
        cursor.execute(_APPEND, {"key": table.key})
        cursor.execute(_END_OTHERS)
    assert [reader.until(9) for reader in readers] == [list(range(1, 10))] * 2


@pytest.mark.skipif(not LONG, reason="a database of its own takes long to make")
def test_events_during_a_postgresql_restart_are_sent_afterwards(tmp_path: Path, read: Read) -> None:
    with own_database(tmp_path) as database, web_server(tmp_path / "web", database.environment) as server:
        server.ready()
        key = database.manage("shell", "--no-imports", "--command", _OPEN)
        reader = read(server.address, key)
        assert reader.until(1) == [1]
        database.postgres.stop()
        database.postgres.start()
        with psycopg.connect(database.postgres.url, autocommit=True) as own:
            own.execute(_APPEND, {"key": key})
        assert reader.until(6) == [1, 2, 3, 4, 5, 6]


_OPEN = """
from django.utils import timezone
from games.playing import opening
from games.playing.reads.people import Person
print(opening.open_table(opening.TableOptions(ruleset="army-ants"), Person(guest="a" * 64), now=timezone.now()).key)
"""
_APPEND = """
WITH added AS (
    INSERT INTO games_tableevent (table_id, number, kind, body, at)
    SELECT id, last_event + series, 'phrase', '{}', now() FROM games_table, generate_series(1, 5) series
    WHERE key = %(key)s
)
UPDATE games_table SET last_event = last_event + 5 WHERE key = %(key)s
"""
"""Five events without a notification."""
_END_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
