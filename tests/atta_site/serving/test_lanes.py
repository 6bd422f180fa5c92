"""No client can take all places: requests have lanes, and within a lane addresses take turns."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import RequestFactory
from django.urls import reverse

from atta_site.serving import handler
from atta_site.serving.lanes import Lane, Width, lane_of
from tests.atta_site.serving.asking import Client, Held, Site, ask, run, site_of, until

REQUESTS = RequestFactory()
NARROW = dict.fromkeys(Lane, Width(2, 2))


class Crowd:
    """Clients of a site that answers nothing until it is released."""

    def __init__(self, folder: Path) -> None:
        self.held = Held()
        self.site: Site = site_of(self.held, folder)
        self._asking: list[Awaitable[None]] = []

    def ask(self, method: str = "GET", path: str = "/games/", **headers: str) -> Client:
        """Let another client send a request."""
        client = Client()
        self._asking.append(asyncio.ensure_future(ask(self.site, client, method, path, **headers)))
        return client

    async def all_wait(self) -> None:
        """Wait until the latest request has reached its place."""
        await asyncio.sleep(0.1)

    async def end(self) -> None:
        """Let all requests be answered."""
        self.held.let_go()
        await asyncio.gather(*self._asking)


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each lane two places, which one address may take."""
    monkeypatch.setattr(handler, "WIDTHS", NARROW)


def crowd(tmp_path: Path, act: Callable[[Crowd], Awaitable[Any]]) -> Any:
    """Run a test with a crowd, then let all requests be answered."""

    async def acted() -> Any:
        one = Crowd(tmp_path)
        try:
            return await act(one)
        finally:
            await one.end()

    return run(acted())


async def fill(one: Crowd, path: str = "/games/", method: str = "GET", **headers: str) -> list[Client]:
    """Let one address take all places of a lane, and wait for more of them."""
    before = len(one.held.asked)
    taking = [one.ask(method, path, **headers) for _ in range(2)]
    await until(lambda: len(one.held.asked) == before + 2)
    waiting = [one.ask(method, path, **headers) for _ in range(3)]
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
    path = reverse(f"account_{name}")

    assert lane_of(REQUESTS.post(path)) == Lane.PASSWORDS
    assert lane_of(REQUESTS.get(path)) == Lane.PAGES


def test_password_forms_leave_threads_for_page_requests(tmp_path: Path) -> None:
    async def act(one: Crowd) -> None:
        await fill(one, "/account/login/", method="POST")
        one.ask(path="/account/login/", address="192.0.2.9")
        await until(lambda: "192.0.2.9" in one.held.asked)

    crowd(tmp_path, act)


def test_addresses_take_turns_behind_a_trusted_proxy(tmp_path: Path, settings: Any) -> None:
    settings.NUM_PROXIES = 1
    places = ["192.0.2.1", "198.51.100.7"]

    async def act(one: Crowd) -> list[bool]:
        await fill(one, x_forwarded_for=places[0])
        return [one.site._places[Lane.PAGES].has_free(place) for place in places]

    assert crowd(tmp_path, act) == [False, True]


def test_next_free_place_goes_to_another_waiting_address(tmp_path: Path) -> None:
    async def act(one: Crowd) -> list[str]:
        await fill(one)
        one.ask(address="192.0.2.9")
        await one.all_wait()
        await one.end()
        return one.held.asked

    assert "192.0.2.9" in crowd(tmp_path, act)[2:4]


@pytest.mark.parametrize("path", ["/games/", "/api/v1/games"])
def test_request_that_waits_too_long_is_refused_in_the_requested_format(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handler, "PATIENCE", 0.3)

    async def act(one: Crowd) -> list[Client]:
        asked = await fill(one, path)
        await ask(one.site, other := Client(), path=path, address="192.0.2.9")
        await until(lambda: all(client.sent for client in asked[2:]))
        assert not any(client.sent for client in asked[:2])
        return [*asked[2:], other]

    for answer in (client.answer for client in crowd(tmp_path, act)):
        assert (answer.status, answer.headers["retry-after"]) == (503, "5")
        assert "Too many requests are waiting. Try again in a few seconds." in answer.body.decode()
        assert answer.headers["content-type"].startswith("application/json" if "/api/" in path else "text/html")


def test_error_page_respects_language_and_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "PATIENCE", 0.3)

    async def act(one: Crowd) -> Client:
        await fill(one)
        await ask(one.site, refused := Client(), path="/games/", accept_language="de", cookie="theme=dark")
        return refused

    answer = crowd(tmp_path, act).answer
    assert 'lang="de" data-theme="dark"' in answer.body.decode()
    assert "Zu viele Anfragen warten." in answer.body.decode()
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_places_are_given_back_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "PATIENCE", 0.3)

    async def act(one: Crowd) -> None:
        await fill(one)
        await ask(one.site, Client(then="goes"), address="192.0.2.9")
        await ask(one.site, Client(), address="192.0.2.8")
        await one.end()
        places = one.site._places[Lane.PAGES]
        assert (places._own, places._free._value) == ({}, 2)

    crowd(tmp_path, act)


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
    assert lane_of(REQUESTS.get(reverse(named[0], args=named[1:]))) == Lane.REPLAYS


@pytest.mark.parametrize("name", ["api-positions", "api-studies"])
def test_long_records_wait_while_short_ones_are_read(name: str) -> None:
    lanes = [lane_of(REQUESTS.post(reverse(name), CONTENT_LENGTH=str(length))) for length in (16384, 16385)]

    assert lanes == [Lane.PAGES, Lane.REPLAYS]


@pytest.mark.parametrize("name", ["home", "games", "studies", "api-games", "api-day-game", "api-uploads", "about"])
def test_lists_and_plain_pages_wait_for_no_replay(name: str) -> None:
    assert lane_of(REQUESTS.get(reverse(name))) == Lane.PAGES
