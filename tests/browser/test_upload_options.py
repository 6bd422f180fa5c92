"""Every option of the upload form: small files in one form, compressed ones in pieces; with and without JavaScript."""

import gzip
from collections.abc import Callable
from datetime import datetime
from itertools import product
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.models import Archive, Game, Upload
from games.uploads.origin import UploadOptions
from tests.conftest import Worker
from tests.factories import BROKEN, record
from tests.games.test_upload_options import CHOSEN, let_choose, wished
from tests.tiers import by_tier, first_quick

LABELS = {
    "scored": "Training games: never rated",
    "private": "Private: only you, and players whose claim you approved",
    "dry_run": "Check only: nothing is published",
}
EVENING = b"\n".join([record(), BROKEN])
EACH = by_tier(
    quick=[(name, number % 4 > 1, number % 2 == 0) for number, name in enumerate(CHOSEN)],
    long=list(product(CHOSEN, (False, True), (True, False))),
)
"""Options with the ways on which they are sent; in the quick tier each option on one of the four."""
SCRIPTS = pytest.mark.parametrize("scripts", first_quick([True, False]), ids=["script", "no-script"])


@pytest.fixture
def evening(tmp_path: Path, packed: bool) -> Path:
    file = tmp_path / "evening.agn"
    file.write_bytes(gzip.compress(EVENING) if packed else EVENING)
    return file


@pytest.fixture
def organiser(live: str, alice: User, now: datetime) -> User:
    return let_choose(alice, now)


def choose(page: Page, file: Path, *names: str) -> None:
    page.get_by_label("Files").set_input_files(file)
    for name in names:
        if name == "club":
            page.get_by_label("Club", exact=True).select_option("nest")
        elif name == "webhook":
            page.get_by_label("Webhook").fill(str(CHOSEN["webhook"]))
        else:
            page.get_by_label(LABELS[name]).check()


def go(page: Page) -> None:
    page.get_by_role("button", name="Upload and verify").click()


@pytest.mark.parametrize(("name", "packed", "scripts"), first_quick(EACH))
def test_every_form_option_is_sent_with_the_file(
    open_page: Callable[..., Page], organiser: User, name: str, evening: Path, scripts: bool
) -> None:
    page = open_page(organiser, scripts=scripts)
    page.goto("/upload/")
    choose(page, evening, name)
    go(page)
    page.wait_for_url("**/uploads/*-*/")
    assert UploadOptions.of(Upload.objects.get()) == wished(name)


@pytest.mark.parametrize(
    ("packed", "scripts"),
    by_tier(quick=first_quick([(False, False), (True, True)]), long=list(product((False, True), repeat=2))),
)
def test_dry_run_reports_faults_and_publishes_nothing(
    worker: Worker, open_page: Callable[..., Page], alice: User, evening: Path, scripts: bool
) -> None:
    page = open_page(alice, scripts=scripts)
    page.goto("/upload/")
    choose(page, evening, "dry_run")
    go(page)
    expect(page.locator("#record-2")).to_contain_text("Ant R1 has already moved this turn.")
    expect(page.locator("#progress")).to_contain_text("Check only: nothing is published")
    assert not Game.objects.exists()


@pytest.mark.full
@pytest.mark.parametrize("packed", [True])
def test_interrupted_upload_does_not_resume_as_a_dry_run(
    worker: Worker, open_page: Callable[..., Page], alice: User, evening: Path
) -> None:
    page = open_page(alice)
    page.route("**/api/v1/files/*", lambda route: route.abort())
    page.goto("/upload/")
    choose(page, evening)
    go(page)
    expect(page.locator("[data-sending-words]")).to_contain_text("Connection lost.")
    page.unroute("**/api/v1/files/*")

    page.goto("/upload/")
    choose(page, evening)
    expect(page.locator("[data-chosen]")).to_contain_text("0% already received")
    choose(page, evening, "dry_run")
    expect(page.locator("[data-chosen]")).not_to_contain_text("already received")
    go(page)

    expect(page.locator("#progress")).to_contain_text("Check only: nothing is published")
    assert sorted(Archive.objects.values_list("upload__dry_run", "received")) == [
        (False, 0),
        (True, len(evening.read_bytes())),
    ]
    assert not Game.objects.exists()


@pytest.mark.full
@SCRIPTS
def test_anonymous_user_can_choose_dry_run_and_training(
    open_page: Callable[..., Page], tmp_path: Path, scripts: bool
) -> None:
    (tmp_path / "evening.agn").write_bytes(EVENING)
    page = open_page(scripts=scripts)
    page.goto("/upload/")
    choose(page, tmp_path / "evening.agn", "dry_run", "scored")
    go(page)
    expect(page.locator("#progress")).to_contain_text("Check only: nothing is published")
    assert UploadOptions.of(Upload.objects.get()) == UploadOptions(scored=False, dry_run=True)
