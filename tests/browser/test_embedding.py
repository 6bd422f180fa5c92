"""A game in a frame: a page of another origin shows it, and no other page of the site."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Game
from tests.browser.conftest import UploadRecords
from tests.browser.soundness import unsound
from tests.factories import record


@pytest.fixture
def game(upload_records: UploadRecords) -> Game:
    return upload_records(record("NS@0,2 R1:N R2:E / Y1:S resign:Y 1-2"))[0]


@pytest.fixture
def article(chromium: Browser) -> Iterator[Page]:
    """A page in a browser that knows nothing of the site."""
    context = chromium.new_context(viewport={"width": 800, "height": 700})
    yield context.new_page()
    context.close()


@contextmanager
def another_site(html: str) -> Iterator[str]:
    """Serve a page at an address of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<!doctype html><title>An article</title>{html}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def frame_of(address: str) -> str:
    return f'<iframe title="A game" width="400" height="560" src="{address}"></iframe>'


def test_a_page_of_another_origin_shows_a_game_and_steps_through_it(live: str, game: Game, article: Page) -> None:
    with another_site(frame_of(f"{live}/games/{game.key}/embed/")) as address:
        article.goto(address)
        frame = article.frame_locator("iframe")
        expect(frame.locator(".embed-at")).to_have_text(f"0 / {game.plies}")
        frame.get_by_role("link", name="Next").click()
        expect(frame.locator(".embed-at")).to_have_text(f"1 / {game.plies}")
        expect(frame.locator("svg.board")).to_be_visible()
        expect(frame.get_by_role("link", name="Open on Atta")).to_have_attribute("target", "_blank")


@pytest.mark.full
@pytest.mark.parametrize("path", ["/", "/games/{key}/", "/upload/"])
def test_a_page_of_another_origin_shows_no_other_page(live: str, game: Game, article: Page, path: str) -> None:
    with another_site(frame_of(live + path.format(key=game.key))) as address:
        article.goto(address)
        expect(article.frame_locator("iframe").locator("main")).to_have_count(0)
        assert not article.frames[1].url.startswith(live)


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_an_embedded_game(live: str, game: Game, article: Page, theme: str) -> None:
    article.goto(f"{live}/games/{game.key}/embed/?theme={theme}")
    assert unsound(article) == []
