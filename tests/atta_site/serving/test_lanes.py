"""No client can occupy all threads: requests have lanes, and within a lane addresses take turns."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from atta_site.serving import work
from atta_site.serving.lanes import Lane, Width, lane_of
from atta_site.serving.server import Front
from atta_site.serving.turns import Bounds
from tests.atta_site.serving.asking import Client, Held, ask, front, run, until

NARROW = dict.fromkeys(Lane, Width(2, Bounds(6, 3, 2)))


class Crowd:
    """Clients of a site that answers nothing until it is released."""

    def __init__(self, folder: Path) -> None:
        self.held = Held()
        self.site: Front = front(self.held, folder)
        self._asking: list[Awaitable[None]] = []

    def ask(self, method: str = "GET", path: str = "/games/", **headers: str) -> Client:
        """Let another client send a request."""
        client = Client()
        self._asking.append(asyncio.ensure_future(ask(self.site, client, method, path, **headers)))
        return client

    async def all_wait(self) -> None:
        """Wait until the latest request has reached its place."""
        for _ in range(5):
            await asyncio.sleep(0)

    async def end(self) -> None:
        """Let all requests be answered."""
        self.held.let_go()
        await asyncio.gather(*self._asking)


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow two threads in each lane, three waiting requests per address and six in total."""
    monkeypatch.setattr(work, "WIDTHS", NARROW)


def crowd(tmp_path: Path, act: Callable[[Crowd], Awaitable[Any]]) -> Any:
    """Run a test with a crowd, then let all requests be answered."""

    async def acted() -> Any:
        one = Crowd(tmp_path)
        try:
            return await act(one)
        finally:
            await one.end()

    return run(acted())


async def fill(one: Crowd, path: str = "/games/", address: str = "192.0.2.1", method: str = "GET") -> list[Client]:
    """Let one address occupy all threads of a lane and all its waiting places."""
    before = len(one.held.asked)
    taking = [one.ask(method, path, address=address) for _ in range(2)]
    await until(lambda: len(one.held.asked) == before + 2)
    waiting = [one.ask(method, path, address=address) for _ in range(3)]
    await one.all_wait()
    return taking + waiting


def test_liveness_check_is_answered_without_a_thread(tmp_path: Path) -> None:
    async def act(one: Crowd) -> None:
        for path in ("/games/", "/health", "/static/a.css"):
            await fill(one, path)
        await ask(one.site, client := Client(), path="/health/live")
        answer = client.answer
        assert (answer.status, json.loads(answer.body), answer.is_whole) == (200, {"process": "lives"}, True)
        assert "no-store" in answer.headers["cache-control"]
        await ask(one.site, posted := Client(), "POST", "/health/live")
        assert posted.answer.status == 405

    crowd(tmp_path, act)


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/health"), ("GET", "/health/ready"), ("GET", "/static/a.css"), ("POST", "/account/login/")],
)
def test_page_requests_leave_threads_for_other_lanes(tmp_path: Path, method: str, path: str) -> None:
    async def act(one: Crowd) -> None:
        await fill(one)
        one.ask(method, path, address="192.0.2.9")
        await until(lambda: "192.0.2.9" in one.held.asked)

    crowd(tmp_path, act)


@pytest.mark.parametrize(
    "name", ["login", "signup", "reauthenticate", "change_password", "set_password", "reset_password"]
)
def test_password_forms_use_the_password_lane(name: str) -> None:
    asked = {"PATH_INFO": reverse(f"account_{name}"), "REQUEST_METHOD": "POST"}

    assert lane_of(asked) == Lane.PASSWORDS
    assert lane_of({**asked, "REQUEST_METHOD": "GET"}) == Lane.PAGES


def test_password_forms_leave_threads_for_page_requests(tmp_path: Path) -> None:
    async def act(one: Crowd) -> None:
        await fill(one, "/account/login/", method="POST")
        one.ask(path="/account/login/", address="192.0.2.9")
        await until(lambda: "192.0.2.9" in one.held.asked)

    crowd(tmp_path, act)


def test_addresses_take_turns_behind_a_trusted_proxy(tmp_path: Path, settings: Any) -> None:
    settings.NUM_PROXIES = 1

    async def act(one: Crowd) -> list[str]:
        await fill(one, address="192.0.2.1")
        other = one.ask(x_forwarded_for="198.51.100.7")
        last = one.ask(x_forwarded_for="192.0.2.1")
        await one.all_wait()
        await one.end()
        assert (other.answer.status, last.answer.status) == (200, 429)
        return one.held.asked

    crowd(tmp_path, act)


def test_next_free_thread_serves_another_waiting_address(tmp_path: Path) -> None:
    async def act(one: Crowd) -> list[str]:
        await fill(one)
        one.ask(address="192.0.2.9")
        await one.all_wait()
        await one.end()
        return one.held.asked

    assert "192.0.2.9" in crowd(tmp_path, act)[2:4]


@pytest.mark.parametrize("path", ["/games/", "/api/v1/games"])
def test_too_many_requests_from_one_address_get_429_in_the_requested_format(tmp_path: Path, path: str) -> None:
    async def act(one: Crowd) -> Client:
        await fill(one, path)
        await ask(one.site, refused := Client(), path=path)
        return refused

    answer = crowd(tmp_path, act).answer
    sentence = "Too many requests from your address are waiting. Try again in a few seconds."
    assert (answer.status, answer.headers["retry-after"]) == (429, "5")
    assert sentence in answer.body.decode()
    assert answer.headers["content-type"].startswith("application/json" if "/api/" in path else "text/html")


@pytest.mark.parametrize("path", ["/games/", "/api/v1/games"])
def test_full_queue_drops_the_last_request_of_the_busiest_address(tmp_path: Path, path: str) -> None:
    async def act(one: Crowd) -> Client:
        waiting = await fill(one, path)
        newcomers = [one.ask(path=path, address=f"198.51.100.{number}") for number in range(5)]
        await until(lambda: len(waiting[-2].sent) > 1)
        assert not any(client.sent for client in newcomers + waiting[:3])
        return waiting[-1]

    answer = crowd(tmp_path, act).answer
    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert "Too many requests are waiting." in answer.body.decode()


def test_error_page_respects_language_and_theme(tmp_path: Path) -> None:
    async def act(one: Crowd) -> Client:
        await fill(one)
        await ask(one.site, refused := Client(), path="/games/", accept_language="de", cookie="theme=dark")
        return refused

    answer = crowd(tmp_path, act).answer
    assert 'lang="de" data-theme="dark"' in answer.body.decode()
    assert "Von dieser Adresse warten zu viele Anfragen." in answer.body.decode()
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_queued_request_is_dropped_when_its_client_disconnects(tmp_path: Path) -> None:
    async def act(one: Crowd) -> list[str]:
        await fill(one)
        await ask(one.site, Client(then="goes"), path="/games/", address="192.0.2.9")
        await one.end()
        return one.held.asked

    assert "192.0.2.9" not in crowd(tmp_path, act)


def test_queued_tus_chunk_is_kept_when_its_client_disconnects(tmp_path: Path) -> None:
    async def act(one: Crowd) -> list[str]:
        await fill(one, "/api/v1/files/1")
        client = Client([b"hello"], length=1000, then="goes")
        tus = {"content_type": "application/offset+octet-stream", "upload_offset": "0", "address": "192.0.2.9"}
        sent = asyncio.ensure_future(ask(one.site, client, "PATCH", "/api/v1/files/1", **tus))
        await one.all_wait()
        await one.end()
        await sent
        return one.held.asked

    assert "192.0.2.9" in crowd(tmp_path, act)


LONG = [
    ("game", "abcdefgh"), ("game-print", "abcdefgh"), ("study", "abcdefgh"), ("study-act", "abcdefgh"), ("study-new",),
    ("check",), ("account-export",), ("api-games-export",), ("api-game-states", "abcdefgh"), ("api-studies-import",),
    ("api-game-frames", "abcdefgh"), ("api-game-story", "abcdefgh"), ("api-game-position", "abcdefgh"),
    ("api-game-picture", "abcdefgh"), ("api-opening", "army-ants"), ("api-study-file", "abcdefgh"),
    ("api-career-table", "1", "army-ants"), ("api-leaderboard-games", "army-ants"),
    ("api-leaderboard-table", "army-ants"), ("api-upload-report", "6e5b3c6e-1f0b-4b5e-9d5b-0d1c0a1b2c3d"),
]  # fmt: skip


@pytest.mark.parametrize("named", LONG, ids=lambda named: named[0])
def test_what_grows_with_a_record_waits_without_a_thread_for_pages(named: tuple[str, ...]) -> None:
    assert lane_of({"PATH_INFO": reverse(named[0], args=named[1:]), "REQUEST_METHOD": "GET"}) == Lane.REPLAYS


@pytest.mark.parametrize("name", ["api-positions", "api-studies"])
def test_long_records_wait_while_short_ones_are_read(name: str) -> None:
    asked = {"PATH_INFO": reverse(name), "REQUEST_METHOD": "POST", "CONTENT_LENGTH": "16384"}

    assert lane_of(asked) == Lane.PAGES
    assert lane_of({**asked, "CONTENT_LENGTH": "16385"}) == Lane.REPLAYS


@pytest.mark.parametrize("name", ["home", "games", "studies", "api-games", "api-day-game", "api-uploads", "about"])
def test_lists_and_plain_pages_wait_for_no_replay(name: str) -> None:
    assert lane_of({"PATH_INFO": reverse(name), "REQUEST_METHOD": "GET"}) == Lane.PAGES
