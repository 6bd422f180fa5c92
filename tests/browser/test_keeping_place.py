"""Where the reader is, and what they typed, survives the frame's links: language, hidden results, signing in."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.models import Game
from tests.browser.conftest import UploadRecords, open_switches
from tests.strategies import FIXTURES

pytestmark = pytest.mark.full

GERMAN = "Deutsch"


@pytest.fixture
def game(upload_records: UploadRecords) -> Game:
    (game,) = upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    return game


def ply(page: Page) -> str | None:
    return page.locator("[data-replay] .controls-at [data-at]").text_content()


def step_twice(page: Page) -> None:
    page.wait_for_function("document.querySelector('[data-replay] [data-autoplay]')?.hidden === false")
    for _ in range(2):
        page.locator("[data-replay] .next").click()
    expect(page.locator("[data-replay] .controls-at [data-at]")).to_have_text("7")


@pytest.mark.parametrize("leave", [GERMAN, "Hide results until I ask"])
def test_replay_stays_at_its_ply(game: Game, open_page: Callable[..., Page], leave: str) -> None:
    page = open_page(width=1280)
    page.goto(f"{game.get_absolute_url()}?ply=5")
    step_twice(page)
    if leave == GERMAN:
        open_switches(page)
    page.get_by_role("button", name=leave).first.click()
    page.wait_for_load_state()
    assert (urlsplit(page.url).query, ply(page)) == ("ply=7", "7")


def test_branches_survive_another_language(game: Game, open_page: Callable[..., Page]) -> None:
    page = open_page(width=1280)
    page.goto(f"{game.get_absolute_url()}?ply=5#what-if=%5B%5B0%2C%5B%5D%5D%5D")
    page.evaluate("history.replaceState(null, '', `${location.pathname}?ply=5#what-if=[[5,[\"x\"]]]`)")
    open_switches(page)
    page.get_by_role("button", name=GERMAN).click()
    page.wait_for_load_state()
    assert urlsplit(page.url).fragment.startswith("what-if=")


def test_typed_text_survives_another_language(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page(width=1280)
    page.goto("/upload/")
    text = page.locator("main textarea").first
    text.fill('[Game "Army Ants"]')
    open_switches(page)
    page.get_by_role("button", name=GERMAN).click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("main textarea").first).to_have_value('[Game "Army Ants"]')
    page.reload()
    expect(page.locator("main textarea").first).to_have_value("")


def test_signing_in_leads_back_to_the_ply_and_the_branches(
    game: Game, alice: User, open_page: Callable[..., Page]
) -> None:
    page = open_page(width=1280)
    page.goto(f"{game.get_absolute_url()}?ply=5")
    step_twice(page)
    page.get_by_role("link", name="Sign in", exact=True).first.click()
    page.wait_for_load_state()
    assert parse_qs(urlsplit(page.url).query)["next"] == [f"{game.get_absolute_url()}?ply=7"]


def test_link_to_a_branch_of_the_open_game_opens_it_and_leads_back(game: Game, open_page: Callable[..., Page]) -> None:
    page = open_page(width=1280)
    page.goto(f"{game.get_absolute_url()}?ply=4")
    page.wait_for_function("document.querySelector('[data-replay] [data-autoplay]')?.hidden === false")
    token = page.locator("[data-moves] a[data-ply='5']").text_content() or ""
    branch = f'#what-if=[[4,["{token.strip()}"]]]'
    page.evaluate("(branch) => { const a = document.createElement('a'); a.href = branch; a.id = 'branch';"
                  "document.querySelector('main').append(a); a.textContent = 'a branch' }", branch)  # fmt: skip
    page.locator("#branch").click()
    expect(page.locator("[data-replay].is-free")).to_be_visible()
    page.go_back()
    expect(page.locator("[data-replay].is-free")).to_have_count(0)
    page.go_forward()
    expect(page.locator("[data-replay].is-free")).to_be_visible()
