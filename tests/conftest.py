"""People, clock and the real services tests use: a worker, a site, a browser."""

import gc
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client, TransactionTestCase
from django.utils.translation import deactivate
from hypothesis import settings as property_tests
from knox.models import AuthToken
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from atta_site import processes, statics, work
from atta_site.celery import app
from atta_site.database import pulse
from games.models import Throttle
from tests import chance, emptying, migrated, served, servers, sites
from tests.tiers import by_tier

BROWSERS = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
"""The shell opens a page with a third of the CPU: it has all that pages see, and nothing of a desktop."""
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LONGEST_NAME = 100
PATIENCE = 20.0
NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)
EXAMPLES = by_tier(quick=10, full=25, long=300)

# Property tests try the same examples in every run, so that a failure is due to the change, not to luck.
property_tests.register_profile("atta", deadline=None, derandomize=True, database=None, max_examples=EXAMPLES)
property_tests.load_profile("atta")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Keep compressed bytes and long texts out of test ids: nobody can read them, and they vary.

    Every process sends the ids of all tests to the first one, which reads them a dozen times.
    """
    if isinstance(val, str | bytes) and len(val) > LONGEST_NAME:
        return f"{argname}-of-{len(val)}"
    return argname if isinstance(val, bytes) and not (val.isascii() and val.decode().isprintable()) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle the modules, and the tests within each, if TEST_ORDER gives a seed."""
    if seed := os.environ.get("TEST_ORDER"):
        items.sort(
            key=lambda item: (Random(f"{seed} {item.location[0]}").random(), Random(f"{seed} {item.nodeid}").random())
        )


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection: they are millions of objects and last to the end."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Reset the language after each test."""
    yield
    deactivate()


# --- people and the clock ---------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _ratings_at_once_come_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never time out, however busy the machine is: timeouts are tested where they are chosen."""
    monkeypatch.setattr("games.run.AT_ONCE", 30)


@pytest.fixture(autouse=True, scope="session")
def _work_is_not_counted() -> None:
    """Never count how long an answer took, which depends on the machine; tests of the budget count every request."""
    work.LEAST = sys.maxsize


@pytest.fixture(autouse=True, scope="session")
def _database_is_waited_for() -> None:
    """Never take this process's database for silent: its threads may be late. Sites in processes of their own do."""
    pulse.PATIENCE = pulse.LONGEST


@pytest.fixture
def now() -> datetime:
    """The fixed moment at which tests happen."""
    return NOW


@pytest.fixture
def alice(db: None) -> User:
    """Alice uploads."""
    return User.objects.create_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    """Bob plays."""
    return User.objects.create_user("bob")


@pytest.fixture
def mallory(db: None) -> User:
    """Mallory has an account without any special rights."""
    return User.objects.create_user("mallory")


@pytest.fixture
def browse() -> Callable[[User | None], Client]:
    """Return a client for pages, signed in as a user or anonymous."""

    def as_user(user: User | None = None) -> Client:
        client = Client()
        if user:
            client.force_login(user)
        return client

    return as_user


@pytest.fixture
def call() -> Callable[[User | None], APIClient]:
    """Return an API client with or without a user's token."""

    def as_user(user: User | None = None) -> APIClient:
        client = APIClient()
        if user:
            _, token = AuthToken.objects.create(user)
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        return client

    return as_user


@pytest.fixture
def uncounted(db: None) -> None:
    """Forget the requests that were counted before: a running site may still count some after its test has ended."""
    Throttle.objects.all().delete()


@pytest.fixture(scope="session")
def static_files() -> None:
    """Collect the static files that every page names, whether or not its test has a database."""
    statics.ensure()
    served.look_once()


# --- the database -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_modify_db_settings(private_servers: None, pytestconfig: pytest.Config) -> None:
    """Start the servers and provide a migrated database to copy before pytest-django creates its own."""
    if pytestconfig.stash[servers.PAIR]:
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated.TEMPLATE


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, scratch: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Collect the static files and end forgotten sessions that would hold the database at the end."""
    with django_db_blocker.unblock():
        emptying.keep_what_there_is()
    statics.ensure()
    yield
    with django_db_blocker.unblock():
        connection.close()  # a test may have ended this session
        with connection.cursor() as cursor:
            cursor.execute(_END_OTHERS)


_END_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""
"""Sessions left open by a thread or process would keep the test database from being dropped.

PostgreSQL's own processes, such as parallel workers and autovacuum, end by themselves.
"""


@pytest.fixture(autouse=True, scope="session")
def _emptied_quickly() -> None:
    """Empty only the tables written to by a test with real commits, instead of all tables."""
    TransactionTestCase._fixture_teardown = lambda case: emptying.empty()  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _throttles_forgotten(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Empty the cache after a test with real commits, which a rollback does not undo."""
    yield
    marker = request.node.get_closest_marker("django_db")
    if "transactional_db" in request.fixturenames or (marker and marker.kwargs.get("transaction")):
        with django_db_blocker.unblock():
            cache.clear()
            connection.close()


# --- processes --------------------------------------------------------------------------------------------------------


@dataclass
class Worker:
    """A real Celery worker, optionally with its scheduler, using the database and broker of this run."""

    folder: Path
    name: str = "tests"
    queue: str = "atta"
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def log(self) -> Path:
        """Return the file with the worker's output."""
        return self.folder / "worker.log"

    def start(self, *, concurrency: int = 2, beat: bool = False) -> None:
        """Start the worker and wait until it accepts tasks; with `beat` the sweep runs as in production."""
        said = self.log.stat().st_size if self.log.exists() else 0
        process = self._spawn(processes.worker(self.name, concurrency=concurrency, queue=self.queue))
        ready = f"{self.name}@{socket.gethostname()} ready".encode()
        _until(lambda: ready in self.log.read_bytes()[said:], process, self.log)
        if beat:
            self._spawn(processes.beat(self.folder))

    def is_running(self) -> bool:
        """Return whether it was started and is still running."""
        return bool(self._running) and all(process.poll() is None for process in self._running)

    def rest(self) -> None:
        """Let the worker finish its current tasks and drop the rest; stop it if it does not finish."""
        deadline = time.monotonic() + PATIENCE
        while self.is_running():
            app.control.purge()
            if self._is_idle() and not app.control.purge():
                return
            if time.monotonic() > deadline:
                self.kill()

    def _is_idle(self) -> bool:
        asked = app.control.inspect(timeout=PATIENCE, limit=1)
        answers = (asked.active(), asked.reserved())
        return all(answer is not None and not any(answer.values()) for answer in answers)

    def stop(self) -> None:
        """Let the worker finish its current tasks and stop it."""
        while self._running:
            processes.end(self._running.pop())

    def pause(self) -> None:
        """Let the worker and all its children do nothing until they are asked for: to start one takes two seconds."""
        self._tell(signal.SIGSTOP)

    def resume(self) -> None:
        """Let the worker go on."""
        self._tell(signal.SIGCONT)

    def _tell(self, what: signal.Signals) -> None:
        for process in self._running:
            if process.poll() is None:
                os.killpg(process.pid, what)

    def kill(self) -> None:
        """Kill the worker and all its children with SIGKILL."""
        while self._running:
            processes.kill(self._running.pop())

    def _spawn(self, command: list[str]) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            self._running.append(processes.spawn(command, log.fileno(), env=of_this_run()))
        return self._running[-1]


@pytest.fixture(scope="session")
def _standing_worker(django_db_setup: None, scratch: Path) -> Iterator[Worker]:
    """The worker shared by all tests: it keeps no state between tasks and takes seconds to start."""
    worker = Worker(scratch)
    _STANDING.append(worker)
    yield worker
    worker.kill()


_STANDING: list[Worker] = []


@pytest.fixture(autouse=True)
def _no_worker_unasked(request: pytest.FixtureRequest) -> None:
    """Keep workers away from the rows of a test with real commits that did not request one."""
    if "transactional_db" in request.fixturenames and "worker" not in request.fixturenames:
        for standing in _STANDING:
            standing.pause()


@pytest.fixture
def stopped_worker(transactional_db: None, _standing_worker: Worker, tmp_path: Path) -> Iterator[Worker]:
    """A separate worker that is not started yet; messages of earlier tests are deleted."""
    _standing_worker.kill()
    app.control.purge()
    worker = Worker(tmp_path)
    yield worker
    worker.kill()


@pytest.fixture
def worker(transactional_db: None, _standing_worker: Worker) -> Iterator[Worker]:
    """A running worker without messages of other tests."""
    app.control.purge()
    _standing_worker.resume()
    if not _standing_worker.is_running():
        _standing_worker.kill()
        _standing_worker.start()
    yield _standing_worker
    _standing_worker.rest()


@pytest.fixture(scope="session")
def _site(django_db_setup: None, scratch: Path) -> Iterator[str]:
    """The web server shared by all tests: all that it keeps between requests are pages that have not changed."""
    port = processes.free_port()
    address = f"http://127.0.0.1:{port}"
    log = scratch / "web.log"
    with log.open("ab") as output:
        process = processes.spawn(
            processes.web("127.0.0.1", port, workers=1), output.fileno(), env=of_this_run() | {"SITE_URL": address}
        )
    try:
        _until(lambda: processes.is_healthy(address), process, log)
        yield address
    finally:
        processes.end(process)


@pytest.fixture
def live(_site: str, transactional_db: None) -> str:
    """The address of the running site."""
    return _site


def of_this_run() -> dict[str, str]:
    """Return the environment for our processes: they work in the test database."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    here = urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))
    return os.environ | chance.drawing() | {"DATABASE_URL": here, "SWEEP_EVERY": "1"}


def _until(ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + sites.PATIENCE
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            pytest.fail(f"it did not start:\n{log.read_text()[-4000:]}")
        time.sleep(0.05)


# --- the browser ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, one for all tests."""
    installed = next(filter(os.path.exists, BROWSERS), None)
    if not installed:
        pytest.skip(f"Install {' or '.join(BROWSERS)} (`make test` does it for root)")
    # Playwright's loop runs in this thread, so Django takes every query here for one from a coroutine.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=CHROMIUM_FLAGS)
        new_context = browser.new_context
        browser.new_context = lambda **options: chance.draw_in(new_context(**options))  # type: ignore[method-assign]
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, live: str) -> Iterator[Callable[..., Page]]:
    """Open pages of the live site, signed in or anonymous, in any width, colour scheme and language.

    Service workers are blocked, with which a score sheet fetches 13 megabytes for offline use.
    At the end, assert that no script failed and the content security policy blocked nothing.
    """
    faults: list[str] = []
    with ExitStack() as opened:

        def open_one(
            user: User | None = None,
            *,
            width: int = 1280,
            dark: bool = False,
            scripts: bool = True,
            locale: str = "en-US",
            service_workers: Literal["allow", "block"] = "block",
        ) -> Page:
            context = chromium.new_context(
                base_url=live,
                locale=locale,
                viewport={"width": width, "height": 900},
                color_scheme="dark" if dark else "light",
                java_script_enabled=scripts,
                service_workers=service_workers,
            )
            opened.callback(context.close)
            if user:
                _sign_in(context, user, live)
            return _watched(context.new_page(), faults)

        yield open_one
    assert faults == []


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """A page of an anonymous visitor, 1280 pixels wide."""
    return open_page()


def _sign_in(context: BrowserContext, user: User, address: str) -> None:
    client = Client()
    client.force_login(user)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": address}])


def _watched(page: Page, faults: list[str]) -> Page:
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.extend(_refusals(message)))
    return page


def _refusals(message: ConsoleMessage) -> list[str]:
    return [message.text] if "Content Security Policy" in message.text else []
