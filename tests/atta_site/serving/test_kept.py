"""Public answers are made once for all who wait for them, and kept while what they show has not changed."""

import asyncio
import threading
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest, HttpResponse

from atta_site.serving.alike import alike
from atta_site.serving.kept import Kept, Versions
from atta_site.serving.lanes import Lane
from atta_site.serving.scope import Request
from games.platform.freshness import stays_fresh
from tests.atta_site.serving.asking import Client, Site, ask, run, site_of, until

GAME = "/games/abcdefgh/"
PUBLIC = [("Cache-Control", "public, max-age=0, no-cache"), ("ETag", 'W/"1"'), ("X-Request-ID", "first-of-all")]


class Pages:
    """A site whose pages count how often they are made; it can hold the requests that it has got."""

    def __init__(self, headers: Iterable[tuple[str, str]] = PUBLIC) -> None:
        self.headers, self.made = list(headers), list[HttpRequest]()
        self.go, self.free = threading.Event(), set[str]()
        self.go.set()
        self.versions = {"abcdefgh": 1}
        self.content = b"page %d"
        self.fresh_for: timedelta | None = timedelta(hours=1)
        """None where the view says nothing."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer with the number of pages that were made until then."""
        self.made.append(request)
        number = len(self.made)
        assert request.path in self.free or self.go.wait(20)
        answer = HttpResponse(self.content % number)
        for name, value in self.headers:
            answer[name] = value
        return answer if self.fresh_for is None else stays_fresh(answer, datetime.now(UTC) + self.fresh_for)

    def read(self, games: Collection[str]) -> Mapping[str, int]:
        """Return the versions of games."""
        return {game: self.versions[game] for game in games if game in self.versions}


def site_with(pages: Pages, folder: Path) -> Site:
    return site_of(pages, folder, kept=Kept(pages.read, LocMemCache(uuid4().hex, {}), largest=2**10))


async def read(site: Site, path: str = GAME, **headers: str) -> Client:
    client = Client()
    await ask(site, client, path=path, **headers)
    return client


def bodies(pages: Pages, folder: Path, *asked: Mapping[str, str], path: str = GAME) -> list[bytes]:
    """Return what readers get who ask one after another."""

    async def read_all() -> list[bytes]:
        site = site_with(pages, folder)
        return [(await read(site, path, **headers)).answer.body for headers in asked]

    return run(read_all())


def test_page_of_a_game_is_made_once_while_its_version_stays(tmp_path: Path) -> None:
    assert bodies(Pages(), tmp_path, {}, {}, {"address": "192.0.2.2"}) == [b"page 1"] * 3


def test_page_of_a_game_is_made_again_when_its_version_changes(tmp_path: Path) -> None:
    pages = Pages()

    async def read_both() -> list[bytes]:
        site = site_with(pages, tmp_path)
        before = await read(site)
        pages.versions["abcdefgh"] = 2
        return [before.answer.body, (await read(site)).answer.body]

    assert run(read_both()) == [b"page 1", b"page 2"]


def test_page_is_not_kept_if_its_game_changed_while_it_was_made(tmp_path: Path) -> None:
    pages, versions = Pages(), iter([1, 2, 2, 2, 2])
    pages.read = lambda games: {game: next(versions) for game in games}  # type: ignore[method-assign]
    assert bodies(pages, tmp_path, {}, {}, {}) == [b"page 1", b"page 2", b"page 2"]


def test_page_of_a_game_without_a_version_is_made_for_each_reader(tmp_path: Path) -> None:
    pages = Pages()
    pages.versions.clear()
    assert bodies(pages, tmp_path, {}, {}) == [b"page 1", b"page 2"]


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": "sessionid=0123456789abcdefghijklmnopqrstuv"},
        {"cookie": "__Host-sessionid=0123456789abcdefghijklmnopqrstuv; theme=dark"},
        {"cookie": "atta_guest=abc"},
        {"cookie": "csrftoken=abc"},
        {"cookie": "results=hide"},
        {"cookie": "anything=else"},
        {"authorization": "Bearer atta_abc"},
        {"guest-token": "abc"},
        {"range": "bytes=0-1"},
    ],
)
def test_who_may_be_somebody_gets_a_page_of_their_own_and_leaves_none(tmp_path: Path, headers: dict[str, str]) -> None:
    assert bodies(Pages(), tmp_path, headers, {}, headers, {}) == [b"page 1", b"page 2", b"page 3", b"page 2"]


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": "theme=dark"},
        {"cookie": "language=de"},
        {"accept-language": "de"},
        {"accept-encoding": "gzip"},
        {"host": "elsewhere"},
        {"x-forwarded-proto": "http"},
        {"hx-request": "true"},
    ],
)
def test_readers_who_ask_for_another_form_get_another_page(tmp_path: Path, headers: dict[str, str]) -> None:
    assert bodies(Pages(), tmp_path, {}, headers, {}, headers) == [b"page 1", b"page 2", b"page 1", b"page 2"]


@pytest.mark.parametrize("cookie", ["theme=dark", "language=de"])
@pytest.mark.parametrize("blank", ["\xa0", "\x85", "\x00", "\u3000"])
def test_cookies_are_read_as_django_reads_them(cookie: str, blank: str) -> None:
    """What passes for a blank decides which language and theme the page has."""
    name, _, value = cookie.partition("=")
    asked = Request({**SCOPE, "headers": [(b"cookie", f"{cookie}{blank}".encode())]})
    found = alike(asked)
    assert found
    assert (getattr(found, name) == value) == (asked.COOKIES[name] == value)


SCOPE = {"type": "http", "method": "GET", "raw_path": GAME.encode(), "query_string": b"", "scheme": "http"}


def test_header_without_a_value_is_another_form_than_none(tmp_path: Path) -> None:
    pages = bodies(Pages(), tmp_path, {}, {"hx-request": ""}, {})
    assert pages == [b"page 1", b"page 2", b"page 1"]


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Cache-Control", "private, no-store")],
        [("Cache-Control", "public, no-store")],
        [*PUBLIC, ("Set-Cookie", "csrftoken=1")],
        [*PUBLIC, ("Vary", "Accept-Language, User-Agent")],
    ],
)
def test_answer_that_is_not_for_all_is_neither_kept_nor_shared(tmp_path: Path, headers: list[tuple[str, str]]) -> None:
    assert bodies(Pages(headers), tmp_path, {}, {}) == [b"page 1", b"page 2"]


@pytest.mark.parametrize("query", ["?closer", "?ply=3&closer", "?uploads=4", "?ply=3&x=1", "?ply=-1"])
def test_parts_that_may_show_more_than_the_game_are_not_kept(tmp_path: Path, query: str) -> None:
    assert bodies(Pages(), tmp_path, {}, {}, path=f"{GAME}{query}") == [b"page 1", b"page 2"]


@pytest.mark.parametrize("query", ["?ply=3", "?ply=0&result", "?part=moves&ply=3"])
def test_positions_of_a_game_are_kept(tmp_path: Path, query: str) -> None:
    assert bodies(Pages(), tmp_path, {}, {}, path=f"{GAME}{query}") == [b"page 1", b"page 1"]


def test_reader_who_has_the_page_gets_304_and_others_the_page(tmp_path: Path) -> None:
    pages = Pages()

    async def read_all() -> list[Client]:
        site = site_with(pages, tmp_path)
        return [await read(site, **headers) for headers in ({"if-none-match": '"1"'}, {}, {"if-none-match": '"2"'})]

    answers = [client.answer for client in run(read_all())]
    assert [(one.status, one.body) for one in answers] == [(304, b""), (200, b"page 1"), (200, b"page 1")]


def test_each_reader_gets_a_request_id_of_their_own(tmp_path: Path) -> None:
    async def read_all() -> list[str]:
        site = site_with(Pages(), tmp_path)
        clients = [await read(site), await read(site, **{"x-request-id": "given-by-a-proxy"}), await read(site)]
        return [client.answer.headers["x-request-id"] for client in clients]

    first, given, other = run(read_all())
    assert (first, given) == ("first-of-all", "given-by-a-proxy")
    assert other not in (first, given)


def test_those_who_wait_get_the_page_that_is_made_after_they_asked(tmp_path: Path) -> None:
    pages = Pages()
    pages.go.clear()

    async def read_all() -> list[bytes]:
        site = site_with(pages, tmp_path)
        first = asyncio.create_task(read(site, "/"))
        await until(lambda: len(pages.made) == 1)
        others = [asyncio.create_task(read(site, "/", address=f"192.0.2.{number}")) for number in range(5)]
        await asyncio.sleep(0.1)
        pages.go.set()
        return [(await task).answer.body for task in (first, *others)]

    assert run(read_all()) == [b"page 1", *[b"page 2"] * 5]


def test_page_that_its_first_reader_leaves_is_made_for_the_next(tmp_path: Path) -> None:
    """As many requests as one address may have in progress are held; the page waits for a thread."""
    pages = Pages()
    pages.go.clear()

    async def read_all() -> bytes:
        site = site_with(pages, tmp_path)
        held = [asyncio.create_task(read(site, f"/{number}")) for number in range(4)]
        await until(lambda: len(pages.made) == 3)
        leaving = asyncio.create_task(ask(site, Client(then="goes"), path=GAME))
        staying = asyncio.create_task(read(site))
        await leaving
        pages.go.set()
        await asyncio.gather(*held)
        return (await staying).answer.body

    assert run(read_all()).startswith(b"page")


def test_nobody_waits_for_an_address_that_has_many_requests_waiting(tmp_path: Path) -> None:
    pages = Pages()
    pages.go.clear()
    pages.free = {"/"}

    async def read_all() -> bytes:
        site = site_with(pages, tmp_path)
        held = [asyncio.create_task(read(site, f"/{number}")) for number in range(3)]
        await until(lambda: len(pages.made) == 3)
        behind = asyncio.create_task(read(site, "/"))
        await until(lambda: site._places[Lane.PAGES]._own["192.0.2.1"].requests == 4)
        body = (await asyncio.wait_for(read(site, "/", address="192.0.2.2"), 20)).answer.body
        assert not behind.done()
        pages.go.set()
        await asyncio.gather(behind, *held)
        return body

    assert run(read_all()) == b"page 4"


def test_pages_are_made_while_the_versions_cannot_be_read(tmp_path: Path) -> None:
    pages = Pages()

    def fail(games: Collection[str]) -> Mapping[str, int]:
        raise OSError(f"the database is away: {games}")

    pages.read = fail  # type: ignore[method-assign]
    assert bodies(pages, tmp_path, {}, {}) == [b"page 1", b"page 2"]


def test_nobody_waits_for_long_for_a_version() -> None:
    pages, go = Pages(), threading.Event()

    def wait(_games: Collection[str]) -> Mapping[str, int]:
        assert go.wait(20)
        return pages.versions

    async def ask_twice() -> list[int | None]:
        versions = Versions(wait, patience=0.01)
        first = await versions.of("abcdefgh")
        go.set()
        await until(lambda: not versions._waiting and versions._task is not None and versions._task.done())
        return [first, await Versions(wait).of("abcdefgh")]

    assert run(ask_twice()) == [None, 1]


def test_versions_of_games_that_are_asked_for_meanwhile_come_together(tmp_path: Path) -> None:
    pages, asked = Pages(), list[list[str]]()
    pages.go.clear()

    def read_slowly(games: Collection[str]) -> Mapping[str, int]:
        asked.append(sorted(games))
        assert pages.go.wait(20)
        return {}

    pages.read = read_slowly  # type: ignore[method-assign]

    async def read_all() -> None:
        site = site_with(pages, tmp_path)
        first = asyncio.create_task(read(site))
        await until(lambda: len(asked) == 1)
        others = [asyncio.create_task(read(site, f"/games/{key * 8}/")) for key in "abcb"]
        await asyncio.sleep(0.1)
        pages.go.set()
        await asyncio.gather(first, *others)

    run(read_all())
    assert asked == [["abcdefgh"], ["aaaaaaaa", "bbbbbbbb", "cccccccc"]]


def test_page_is_kept_until_it_changes_by_itself(tmp_path: Path) -> None:
    pages = Pages()

    async def read_later() -> list[bytes]:
        site = site_with(pages, tmp_path)
        pages.fresh_for = timedelta(seconds=0.05)
        first = await read(site)
        await asyncio.sleep(0.1)
        pages.fresh_for = timedelta(hours=1)
        return [first.answer.body, (await read(site)).answer.body, (await read(site)).answer.body]

    assert run(read_later()) == [b"page 1", b"page 2", b"page 2"]


def test_page_whose_view_says_nothing_is_made_for_each_reader(tmp_path: Path) -> None:
    pages = Pages()
    pages.fresh_for = None
    assert bodies(pages, tmp_path, {}, {}) == [b"page 1", b"page 2"]


def test_those_who_wait_for_a_page_that_changes_by_itself_get_the_next_one(tmp_path: Path) -> None:
    pages = Pages()
    pages.fresh_for = None
    pages.go.clear()

    async def read_all() -> list[bytes]:
        site = site_with(pages, tmp_path)
        first = asyncio.create_task(read(site))
        await until(lambda: len(pages.made) == 1)
        others = [asyncio.create_task(read(site, address=f"192.0.2.{number}")) for number in range(5)]
        await asyncio.sleep(0.1)
        pages.go.set()
        return [(await task).answer.body for task in (first, *others)]

    first, *others = run(read_all())
    assert first == b"page 1"
    assert b"page 1" not in others


def test_page_that_is_too_large_is_not_kept(tmp_path: Path) -> None:
    pages = Pages()
    pages.content = b"page %d" + b"x" * 2**10
    assert [body[:6] for body in bodies(pages, tmp_path, {}, {})] == [b"page 1", b"page 2"]


def test_so_many_pages_are_kept_as_there_is_room_for() -> None:
    most = caches["pages"]._max_entries
    assert most * settings.PAGES_LARGEST <= settings.PAGES_KEPT < (most + 1) * settings.PAGES_LARGEST
