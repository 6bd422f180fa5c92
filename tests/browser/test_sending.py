"""Large files from a browser: in pieces, across broken connections, pauses and reloads."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, Request, Route, expect

from games.models import Archive, Upload
from games.uploads import splitting
from tests.conftest import Worker
from tests.factories import duels
from tests.games.uploads.unpacking.bombs import zstd_of
from tests.tiers import first_quick

MIB = 2**20
PIECES = "**/api/v1/files/*"
GAMES = b"\n".join(duels(3))


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file of 9 MiB, sent in two pieces."""
    return file_of(9 * MIB, tmp_path)


@pytest.fixture
def larger(tmp_path: Path) -> Path:
    """A file of 17 MiB, sent in three pieces."""
    return file_of(17 * MIB, tmp_path)


def file_of(size: int, folder: Path) -> Path:
    """Return a file of some size with three games in the middle."""
    file = folder / "evening.agn"
    blank = (b" " * 1023 + b"\n") * (size // 2048)
    file.write_bytes(blank + GAMES + b"\n" + blank[len(GAMES) + 1 :])
    return file


@pytest.fixture
def signed_in(open_page: Callable[..., Page], alice: User) -> Page:
    return open_page(alice)


def choose(page: Page, file: Path) -> None:
    page.goto("/upload/")
    page.get_by_label("Files").set_input_files(file)
    expect(page.locator("[data-chosen]")).to_contain_text(file.name)


def go(page: Page) -> None:
    page.get_by_role("button", name="Upload and verify").click()


def break_connection_from(page: Page, offset: int) -> None:
    """Break the connection for every piece from an offset on."""

    def answer(route: Route) -> None:
        at = int(route.request.headers.get("upload-offset", "0"))
        route.abort() if route.request.method == "PATCH" and at >= offset else route.continue_()

    page.route(PIECES, answer)


@pytest.mark.full
def test_interrupted_upload_resumes_by_itself(worker: Worker, signed_in: Page, large: Path) -> None:
    break_connection_from(signed_in, 8 * MIB)
    choose(signed_in, large)
    go(signed_in)
    words = signed_in.locator("[data-sending-words]")
    expect(words).to_contain_text("Connection lost. 8 MB of 9 MB received")
    expect(signed_in.get_by_role("status").filter(has_text="Connection lost")).to_have_count(1)

    signed_in.unroute(PIECES)

    expect(signed_in.get_by_role("heading", name="evening.agn")).to_be_visible(timeout=30_000)
    expect(signed_in.locator("#progress")).to_contain_text("All 3 games checked")


@pytest.mark.full
def test_interrupted_upload_resumes_after_a_reload(worker: Worker, signed_in: Page, larger: Path) -> None:
    break_connection_from(signed_in, 8 * MIB)
    choose(signed_in, larger)
    go(signed_in)
    expect(signed_in.locator("[data-sending-words]")).to_contain_text("Connection lost.")
    signed_in.unroute(PIECES)
    sent: list[str] = []
    signed_in.on("request", lambda request: sent.extend(offsets(request)))

    choose(signed_in, larger)
    expect(signed_in.locator("[data-unfinished]")).to_contain_text("evening.agn 47% of the file received.")
    expect(signed_in.locator("[data-chosen]")).to_contain_text("47% already received: the upload resumes there.")
    go(signed_in)

    expect(signed_in.locator("#progress")).to_contain_text("All 3 games checked")
    assert sent == [str(8 * MIB), str(16 * MIB)]
    assert Upload.objects.count() == 1


def offsets(request: Request) -> list[str]:
    return [request.headers["upload-offset"]] if request.method == "PATCH" else []


@pytest.mark.full
def test_upload_can_be_paused_and_resumed_while_sending(worker: Worker, signed_in: Page, large: Path) -> None:
    break_connection_from(signed_in, 8 * MIB)
    choose(signed_in, large)
    go(signed_in)
    expect(signed_in.locator("[data-sending-words]")).to_contain_text("Connection lost.")
    signed_in.get_by_role("button", name="Pause").click()
    expect(signed_in.locator("[data-sending-words]")).to_have_text("Paused: 8 MB of 9 MB received and kept.")
    expect(signed_in.get_by_role("button", name="Resume")).to_be_focused()
    signed_in.unroute(PIECES)
    signed_in.keyboard.press("Enter")
    expect(signed_in.locator("#progress")).to_contain_text("All 3 games checked")


@pytest.mark.full
def test_unfinished_upload_can_be_removed(signed_in: Page, large: Path) -> None:
    break_connection_from(signed_in, 8 * MIB)
    choose(signed_in, large)
    go(signed_in)
    expect(signed_in.locator("[data-sending-words]")).to_contain_text("Connection lost.")
    signed_in.goto("/upload/")
    signed_in.get_by_role("button", name="Remove evening.agn").click()
    expect(signed_in.get_by_text("The unfinished file was removed.")).to_be_visible()
    assert not Archive.objects.exists()


@pytest.mark.full
def test_small_compressed_file_is_uploaded_in_pieces(worker: Worker, signed_in: Page, tmp_path: Path) -> None:
    file = tmp_path / "evening.agn.zst"
    file.write_bytes(zstd_of(GAMES))
    choose(signed_in, file)
    go(signed_in)
    expect(signed_in.locator("#progress")).to_contain_text("All 3 games checked")
    assert Upload.objects.get().via == "web"


@pytest.mark.full
def test_a_compressed_file_is_sent_in_pieces_even_before_it_was_looked_at(signed_in: Page, tmp_path: Path) -> None:
    file = tmp_path / "evening.agn.zst"
    file.write_bytes(zstd_of(GAMES))
    signed_in.goto("/upload/")
    signed_in.evaluate(SLOW_TO_READ)
    signed_in.get_by_label("Files").set_input_files(file)
    go(signed_in)
    signed_in.evaluate("read()")
    signed_in.wait_for_url("**/uploads/*-*/")
    assert Archive.objects.get().received == len(file.read_bytes())


SLOW_TO_READ = """() => {
  const { arrayBuffer } = Blob.prototype;
  const reading = new Promise((resolve) => { globalThis.read = resolve; });
  Blob.prototype.arrayBuffer = function () { return reading.then(() => arrayBuffer.call(this)); };
}"""
"""Read no file before `read()` is called."""


@pytest.mark.full
def test_progress_bar_appears_as_soon_as_unpacking_starts(signed_in: Page, tmp_path: Path) -> None:
    file = tmp_path / "evening.agn.zst"
    file.write_bytes(zstd_of(GAMES))
    choose(signed_in, file)
    go(signed_in)
    expect(signed_in.locator("#progress")).to_contain_text("The file was received and is waiting to be unpacked.")

    splitter = splitting.claim()
    assert splitter
    assert sum(splitting.split(splitter, clock=timezone.now, pulse=lambda: None)) == 3

    expect(signed_in.locator("#progress progress")).to_be_visible()


def test_anonymous_user_choosing_a_compressed_file_is_asked_to_sign_in(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "evening.agn.zst"
    file.write_bytes(zstd_of(GAMES))
    choose(page, file)
    expect(page.locator("[data-chosen]")).to_contain_text("Sign in to upload compressed files.")


@pytest.mark.full
def test_compressed_file_can_be_uploaded_without_javascript(
    worker: Worker, open_page: Callable[..., Page], alice: User, tmp_path: Path
) -> None:
    file = tmp_path / "evening.agn.zst"
    file.write_bytes(zstd_of(GAMES))
    page = open_page(alice, scripts=False)
    page.goto("/upload/")
    page.get_by_label("Files").set_input_files(file)
    go(page)
    expect(page.locator("#progress")).to_contain_text("All 3 games checked")


# Controls


@pytest.mark.full
def test_upload_can_be_paused_and_resumed_by_keyboard(stopped_worker: Worker, signed_in: Page) -> None:
    signed_in.goto("/upload/")
    signed_in.get_by_label("Or paste the text").fill(GAMES.decode())
    go(signed_in)
    signed_in.get_by_role("button", name="Pause").focus()
    signed_in.keyboard.press("Enter")
    expect(signed_in.locator("#progress")).to_contain_text("Paused: nothing is unpacked or verified")
    expect(signed_in.locator("#record-1 .stamp")).to_have_text("paused")
    stopped_worker.start(beat=True)
    signed_in.get_by_role("button", name="Resume").focus()
    signed_in.keyboard.press("Enter")
    expect(signed_in.locator("#progress")).to_contain_text("All 3 games checked")
    expect(signed_in.get_by_role("button", name="Pause")).to_have_count(0)


@pytest.mark.full
@pytest.mark.parametrize("scripts", first_quick([True, False]))
def test_an_upload_is_cancelled_on_a_phone(open_page: Callable[..., Page], alice: User, scripts: bool) -> None:
    page = open_page(alice, width=390, scripts=scripts)
    page.goto("/upload/")
    page.get_by_label("Or paste the text").fill(GAMES.decode())
    go(page)
    page.get_by_text("Cancel …").click()
    page.get_by_role("button", name="Cancel this upload").click()
    expect(page.locator("#progress")).to_contain_text("Cancelled. Earlier results stay.")
    expect(page.locator("#progress")).to_contain_text("3 cancelled")
    expect(page.locator("#record-1 .stamp")).to_have_text("cancelled")
