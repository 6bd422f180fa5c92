"""Headers of every response, whichever part of the site creates it."""

import json
import logging
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.templatetags.static import static
from django.test import Client
from playwright.sync_api import Page, expect

from games.web.score.offline import engine_worker
from tests.browser.conftest import SCREENS, on_screen
from tests.browser.soundness import unsound

Browse = Callable[..., Client]
POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
}
TITLES = {"/api/v1/docs/": "API reference", "/api/v1/games": "/api/v1/games", "/api/": "Developer API"}


def as_written(record: logging.LogRecord) -> str:
    """Return the line that the site's log gets for a record."""
    (handler,) = (one for one in logging.getLogger().handlers if one.name == "stderr")
    return handler.format(record)


@pytest.mark.parametrize("path", ["/", "/health", "/no-such-page", "/api/v1/docs/", "/check/", "/play/"])
def test_the_content_security_policy_allows_nothing_inline(db: None, browse: Browse, path: str) -> None:
    policy = browse().get(path)["Content-Security-Policy"]
    assert set(policy.split("; ")) == POLICY


def test_a_request_has_an_id(db: None, browse: Browse) -> None:
    one, two = (browse().get("/health")["X-Request-ID"] for _ in range(2))
    assert len(one) == 32
    assert one != two


def test_valid_proxy_request_id_is_kept_and_an_unsafe_one_replaced(db: None, browse: Browse) -> None:
    assert browse().get("/health", headers={"X-Request-ID": "proxy-0001"})["X-Request-ID"] == "proxy-0001"
    assert browse().get("/health", headers={"X-Request-ID": "<b>proxy"})["X-Request-ID"] != "<b>proxy"


def test_request_is_logged_as_one_line_of_json(db: None, browse: Browse, caplog: pytest.LogCaptureFixture) -> None:
    number = browse().get("/health")["X-Request-ID"]
    (line,) = (json.loads(as_written(record)) for record in caplog.records if record.name == "atta_site.requests")
    wanted = {"event": "request", "request": number, "method": "GET", "path": "/health", "status": 200, "level": "info"}
    assert wanted.items() <= line.items()


@pytest.mark.full
@SCREENS
def test_the_reference_and_answers_of_the_api_have_the_look_of_the_site(
    open_page: Callable[..., Page], alice: User, width: int, *, dark: bool
) -> None:
    page = open_page(alice, width=width, dark=dark)
    for path, title in TITLES.items():
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.locator(".masthead")).to_contain_text("alice")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        if path in on_screen([*TITLES], width):
            assert unsound(page) == [], path


def test_only_the_worker_of_the_engine_may_run_webassembly(db: None, browse: Browse) -> None:
    policies = {}
    for name in ("engine/worker", "engine/engine", "check"):
        with closing(browse().get(static(f"games/js/{name}.js"))) as answer:
            policies[name] = set(answer["Content-Security-Policy"].split("; "))
    policies["score"] = set(browse().get(engine_worker())["Content-Security-Policy"].split("; "))
    assert policies["engine/worker"] == POLICY - {"script-src 'self'"} | {"script-src 'self' 'wasm-unsafe-eval'"}
    assert policies["score"] == policies["engine/worker"]
    assert set(browse().get("/score/")["Content-Security-Policy"].split("; ")) == POLICY | {"manifest-src 'self'"}
    assert policies["engine/engine"] == policies["check"] == POLICY


def test_files_that_load_nothing_carry_no_policy_and_pictures_do(db: None, browse: Browse) -> None:
    fonts = "games/vendor/inter/inter-core-wght-normal.woff2"
    policies = {}
    for name in ("games/css/page.css", fonts, "games/mark.svg"):
        with closing(browse().get(static(name))) as answer:
            policies[name] = answer.get("Content-Security-Policy", "")
    assert [bool(policy) for policy in policies.values()] == [False, False, True]


def test_python_for_browsers_never_changes_under_its_address(db: None, browse: Browse) -> None:
    with closing(browse().get("/static/games/vendor/pyodide-314.0.7/pyodide.mjs")) as answer:
        assert answer["Cache-Control"] == "max-age=315360000, public, immutable"
        assert answer["Content-Type"] == 'text/javascript; charset="utf-8"'


def test_python_for_browsers_is_what_its_sums_say() -> None:
    folder = settings.ROOT / "games" / "static" / "games" / "vendor" / "pyodide-314.0.7"
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    names = [line.split()[1] for line in lines]
    assert lines == [f"{sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names]
    assert {path.name for path in folder.iterdir()} == {*names, "LICENSE", "LICENSE-Python", "SHA256SUMS"}


def test_everything_vendored_is_named_with_its_licence() -> None:
    vendored = settings.ROOT / "games" / "static" / "games" / "vendor"
    listed = (vendored / "LICENCES.txt").read_text()
    folders = [path for path in vendored.iterdir() if path.is_dir()]
    assert [path.name for path in folders if f" {path.name}/ " not in listed] == []
    assert [path.name for path in folders if not (path / "LICENSE").is_file()] == []
