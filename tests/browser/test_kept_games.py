"""Games that were looked at open without a network, as visitors without an account see them."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.templatetags.static import static
from playwright.sync_api import Page, expect

from games.models import Game
from tests.browser.conftest import UploadRecords
from tests.factories import record

pytestmark = pytest.mark.full
RECORD = record("1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2")
PATIENCE = 60_000
"""Milliseconds until a game is kept, on a busy machine too."""
KEPT = """async () => {
  const cache = await caches.open("atta-games-1");
  const answers = await Promise.all((await cache.keys()).map(({ url }) => cache.match(url, { ignoreVary: true })));
  const texts = await Promise.all(answers.map((one) => one.text()));
  return [(await cache.keys()).map(({ url }) => url.replace(location.origin, "")), texts.join("\\n")];
}"""
FIFTY_OTHERS = """async () => {
  const cache = await caches.open("atta-games-1");
  for (let at = 1; at <= 50; at += 1) {
    const needs = [`${location.origin}/games/other${at}/`];
    await cache.put(needs[0], new Response("a page"));
    await cache.put(`${needs[0]}?kept`, Response.json({ at, needs, ruleset: "", title: `Other ${at}` }));
  }
}"""
KEEP_AGAIN = """async (module) => {
  const { keep } = await import(module);
  await keep(document.querySelector("[data-replay]"));
}"""
Look = Callable[[User | None], tuple[Page, Game]]


@pytest.fixture
def look(upload_records: UploadRecords, open_page: Callable[..., Page]) -> Look:
    """Look at a game, as an account or as nobody, until it is kept on this device."""

    def look_as(user: User | None) -> tuple[Page, Game]:
        (game,) = upload_records(RECORD)
        page = open_page(user, width=390, service_workers="allow")
        page.goto(f"/games/{game.key}/?ply=2")
        expect(page.locator("[data-kept]")).to_be_visible(timeout=PATIENCE)
        return page, game

    return look_as


def sign_out(page: Page) -> None:
    page.goto("/account/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You have signed out.")).to_be_visible()


def test_a_game_that_was_looked_at_is_stepped_through_without_a_network(look: Look, alice: User) -> None:
    page, game = look(alice)
    page.context.set_offline(True)
    page.goto(f"/games/{game.key}/?ply=1")
    at = page.locator(".controls-at [data-at]")
    expect(at).to_have_text("1")
    expect(page.locator("[data-caption]")).to_have_text("Red lays NS at 0,2.")
    expect(page.locator(".masthead")).not_to_contain_text("alice")
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.locator("[data-caption]")).to_have_text("R1 walks north.")
    page.get_by_role("slider").fill("4")
    expect(at).to_have_text("4")
    page.locator("[data-moves]").get_by_role("link", name="R2:E").click()
    expect(page.locator('[data-moves] [aria-current="step"]')).to_have_text("R2:E")

    page.locator("[data-what-if]").click()
    expect(page.locator("[data-caption]")).to_have_text("The site did not answer. Try again.")


def test_a_page_that_was_not_kept_lists_the_games_that_were(look: Look) -> None:
    page, game = look(None)
    page.context.set_offline(True)
    page.goto("/games/?winner=Ada")
    expect(page.get_by_text("The page that you asked for needs a network.")).to_be_visible()
    page.locator("[data-kept-games]").get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/games/{game.key}/$"))
    expect(page.locator("svg.board")).to_be_visible()

    page.goto("/games/offline/")
    expect(page.get_by_text("The page that you asked for needs a network.")).to_be_hidden()
    page.get_by_role("button", name="Remove them from this device").click()
    expect(page.get_by_text("No games are kept on this device yet.")).to_be_visible()


def test_what_is_kept_names_no_account_and_goes_when_the_game_becomes_private(look: Look, alice: User) -> None:
    page, game = look(alice)
    addresses, text = page.evaluate(KEPT)
    assert {f"/games/{game.key}/", f"/games/{game.key}/?kept", "/games/offline/"} <= set(addresses)
    assert ("data-replay" in text, "alice" in text, "data-signed-in>" in text) == (True, False, False)

    Game.objects.update(private=True)
    page.goto(f"/games/{game.key}/")
    page.wait_for_function(f"async () => !(await ({KEPT})())[0].some((url) => url.includes('{game.key}'))")


def test_fifty_games_are_kept_those_last_looked_at(look: Look) -> None:
    page, game = look(None)
    page.evaluate(FIFTY_OTHERS)
    page.reload()
    expect(page.locator("[data-kept]")).to_be_visible(timeout=PATIENCE)
    addresses, _ = page.evaluate(KEPT)
    kept = [one for one in addresses if one.endswith("?kept")]
    assert len(kept) == 50
    assert f"/games/{game.key}/?kept" in kept
    assert {"/games/other1/", "/games/other1/?kept"}.isdisjoint(addresses)
    assert "/games/other2/" in addresses


def test_signing_out_removes_the_games_that_were_looked_at(look: Look, alice: User) -> None:
    page, _ = look(alice)
    sign_out(page)
    assert page.evaluate("caches.has('atta-games-1')") is False


def test_a_page_opened_before_signing_out_in_another_tab_keeps_nothing_after(look: Look, alice: User) -> None:
    page, game = look(alice)
    sign_out(page.context.new_page())
    page.evaluate(KEEP_AGAIN, static("games/js/offline/keeping.js"))
    assert page.evaluate(KEPT) == [[], ""]
    page.reload()
    page.evaluate(KEEP_AGAIN, static("games/js/offline/keeping.js"))
    assert f"/games/{game.key}/?kept" in page.evaluate(KEPT)[0]


def test_a_game_that_was_kept_unchanged_costs_the_site_one_request_more(look: Look) -> None:
    page, game = look(None)
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.evaluate(KEEP_AGAIN, static("games/js/offline/keeping.js"))
    assert [url for url in asked if game.key in url] == [page.url.partition("?")[0]]
