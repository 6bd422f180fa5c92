"""Without a network the score sheet opens, checks and keeps games, and a game that was verified here is explored."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.templatetags.static import static
from playwright.sync_api import Page, Route, expect

from games.models import Upload
from tests.browser.conftest import UploadRecords
from tests.browser.scoring import hold_board, paste, score, text_of
from tests.factories import record

RECORD = record("1. NS@0,2 R1:N R2:E / Y1:S *").decode()
PATIENCE = 120_000
"""Milliseconds to keep 13 megabytes and to start Python, on a busy machine too."""


@pytest.fixture
def kept(open_page: Callable[..., Page], alice: User) -> Page:
    """Alice's score sheet that the browser has kept, at a phone's width."""
    page = hold_board(open_page(alice, width=390, service_workers="allow"))
    page.goto("/score/")
    page.get_by_role("tab", name="Sheets").click()
    says = page.locator("[data-offline-says]")
    expect(says).to_have_text("This page works offline on this device.", timeout=PATIENCE)
    return page


@pytest.mark.full
def test_a_score_sheet_says_that_the_site_has_other_rules_by_now(page: Page) -> None:
    def answer_by_others(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers=answer.headers | {"atta-engine": "0"})

    page.route("**/api/v1/setups/*", answer_by_others)
    page.goto("/score/")
    says = page.locator("[data-notice-says]")
    expect(says).to_have_text("The site’s rules have changed since this page was opened. Reload the page.")


KEPT = re.compile(r"/score/\?kept$")
OLD_PAGES = """async (module) => {
  const { Offline } = await import(module);
  navigator.serviceWorker.register = async () => ({});
  const [cache, texts] = [await caches.open("atta-score"), { offlineKept: "kept", offlineNotKept: "not kept" }];
  globalThis.offline = new Offline(document.querySelector("[data-score]"), { texts });
  for (const address of offline.files()) await cache.put(address, new Response());
  for (const address of offline.pages()) await cache.put(address, new Response("old"));
}"""
"""Pretend that this page's files are kept, with pages of the same version."""


@pytest.mark.full
def test_a_page_that_needs_newer_files_is_not_kept_beside_older_ones(page: Page) -> None:
    def send_updated(route: Route) -> None:
        route.fulfill(body=route.fetch().text().replace("/js/score.", "/js/newer-score."), content_type="text/html")

    page.goto("/score/")
    page.evaluate(OLD_PAGES, static("games/js/score/offline.js"))
    kept = "offline.keep().then(() => caches.match('/score/')).then((page) => page.text())"
    page.route(KEPT, send_updated)
    assert page.evaluate(kept) == "old"
    page.unroute(KEPT)
    assert "data-score" in page.evaluate(kept)


@pytest.mark.full
def test_the_score_sheet_is_kept_without_the_name_of_the_account(open_page: Callable[..., Page], alice: User) -> None:
    page = open_page(alice, locale="de")
    page.goto("/score/")
    page.evaluate(OLD_PAGES, static("games/js/score/offline.js"))
    kept = page.evaluate("offline.keep().then(() => caches.match('/score/')).then((page) => page.text())")
    assert ('lang="de"' in kept, "Anmelden" in kept, "alice" in kept) == (True, True, False)


def test_signing_out_forgets_which_account_uploads_games_scored_offline(
    open_page: Callable[..., Page], alice: User
) -> None:
    page = open_page(alice)
    page.goto("/score/")
    page.wait_for_function("account => localStorage.getItem('atta:account') === account", arg=str(alice.pk))
    page.goto("/account/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You have signed out.")).to_be_visible()
    assert page.evaluate("localStorage.getItem('atta:account')") is None


@pytest.mark.full
def test_a_game_of_a_visitor_waits_until_nobody_is_signed_in(open_page: Callable[..., Page], alice: User) -> None:
    page = open_page(alice, width=390)
    page.goto("/score/")
    item = "{ key: crypto.randomUUID(), sheet: '', text: '', options: {}, account: '', since: 1 }"
    enqueue = f"async (module) => (await (await import(module)).Keeping.open(() => {{}})).enqueue({item})"
    page.evaluate(enqueue, static("games/js/score/keeping.js"))
    page.reload()
    expect(page.locator("[data-notice-says]")).to_have_text(
        "A game waits to be uploaded without an account. Sign out, and open this page again."
    )


def lose_answer(route: Route) -> None:
    """Let the site take an upload in, but lose its answer."""
    route.fetch(max_redirects=0)
    route.abort()


@pytest.mark.full
def test_a_game_scored_offline_is_uploaded_once_however_often_the_network_comes_and_goes(
    kept: Page, alice: User
) -> None:
    kept.context.set_offline(True)
    kept.reload()
    expect(kept.locator(".masthead")).not_to_contain_text("alice")
    paste(kept, RECORD)
    expect(kept.locator("[data-away]")).to_contain_text("Rules are checked on this device", timeout=PATIENCE)
    score(kept, ("Y2:W", "/"), first=5)
    assert text_of(kept).input_value().endswith("Y1:S Y2:W /")

    kept.get_by_role("button", name="Upload", exact=True).click()
    kept.get_by_role("button", name="Upload and verify").click()
    notice = kept.locator("[data-notice-says]")
    expect(notice).to_contain_text("This game waits on this device.")

    kept.route("**/upload/", lose_answer)
    with kept.expect_event("requestfailed", lambda request: request.url.endswith("/upload/")):
        kept.context.set_offline(False)
    kept.context.set_offline(True)
    kept.unroute("**/upload/")
    kept.context.set_offline(False)
    expect(notice).to_have_text("The game was uploaded.")
    assert Upload.objects.get().uploader == alice


@pytest.mark.full
def test_a_game_is_verified_here_and_then_explored_without_a_network(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    page = open_page(width=390)
    (game,) = upload_records(record("NS@0,2 R1:N R2:E / Y1:S resign:Y 1-2"))
    page.goto(f"/games/{game.key}/?ply=0")
    page.get_by_role("button", name="Verify here").click()
    says = page.locator("[data-proof-says]")
    expect(says).to_contain_text("everything shown follows from the record", timeout=PATIENCE)
    expect(page.locator("[data-proof-findings] .same")).to_have_count(6)

    page.locator("[data-what-if]").click()
    expect(page.get_by_role("heading", name="Which card was drawn?")).to_be_visible()
    page.context.set_offline(True)
    page.locator(".card-choice:enabled").first.click()
    expect(page.locator(".mark.lay").first).to_be_attached()
    for token, caption in (("NESW@0,2", "lays NESW at 0,2."), ("R1:E", "R1 walks east.")):
        page.get_by_placeholder("Type or touch").fill(token)
        expect(page.get_by_role("option", selected=True)).to_contain_text(token)
        page.keyboard.press("Enter")
        expect(page.locator("[data-caption]")).to_contain_text(caption)
    expect(page.locator(".branch-moves")).to_have_text("NESW@0,2 R1:E")
