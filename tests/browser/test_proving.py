"""What a site publishes is verified in the browser: a leaderboard from its games, a dealt game from its record."""

from collections.abc import Callable
from datetime import datetime

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import UploadRecords
from tests.games.evenings import play, season
from tests.strategies import FIXTURES

GAMES = 40
PATIENCE = 120_000
"""Milliseconds to load six megabytes and to start Python, on a busy machine too."""
_DEALING = FIXTURES / "dealing"
DEALT = _DEALING / "games" / "proved-trails.agn"
BROKEN_DEAL = _DEALING / "shown" / "DEAL-COMMIT-1-another-secret.agn"

LISTEN = """() => {
  globalThis.said = [];
  const [says, bar] = ["says", "bar"].map((name) => document.querySelector(`[data-proof-${name}]`));
  new MutationObserver(() => said.push(`${says.textContent} ${bar.hidden ? "" : bar.value}`))
    .observe(says, { childList: true });
}"""
"""Note what is said about the progress, and how far the bar is."""


def verify_here(page: Page, words: str) -> None:
    """Verify what the page shows, and wait for the result."""
    page.get_by_role("button", name="Verify here").click()
    expect(page.locator("[data-proof-says]")).to_contain_text(words, timeout=PATIENCE)


def altered(old: str, new: str) -> Callable[[Route], None]:
    """Return a site that publishes something else: the first such text is replaced."""

    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace(old, new, 1))

    return answer


def findings(page: Page, kind: str) -> list[str]:
    return page.locator(f"[data-proof-findings] .{kind}").all_inner_texts()


@pytest.mark.full
def test_a_leaderboard_is_computed_in_the_browser_and_a_falsified_ledger_is_found(page: Page, now: datetime) -> None:
    play(season(GAMES, ["Ada", "Bruno", "Cleo", "Dora", "Emil"]), now)
    page.goto(f"/leaderboards/atta-ants-online/?as_of={now.date()}")
    page.evaluate(LISTEN)
    verify_here(page, "the table follows from these games, byte for byte")
    assert page.evaluate("said").count(f"Games rated: {GAMES} of {GAMES} 1") == 1
    assert (len(findings(page, "same")), findings(page, "differs")) == (3, [])

    page.route("**/games?as_of=*", altered('"place": 1', '"place": 2'))
    verify_here(page, "These games give a different table.")
    assert "Rated games" in findings(page, "same")[0]
    assert [text.split(" ")[0] for text in findings(page, "differs")] == ["Digest", "Table"]


@pytest.mark.full
def test_a_deal_is_computed_in_the_browser_and_a_broken_one_is_said(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    page = open_page(width=390)
    proved, broken = upload_records(*(path.read_bytes() for path in (DEALT, BROKEN_DEAL)))
    page.goto(f"/games/{proved.key}/")
    verify_here(page, "everything shown follows from the record")
    assert "Deal Follows from the secret and the players’ texts" in findings(page, "same")

    page.goto(f"/games/{broken.key}/")
    verify_here(page, "this page matches the record, but its deal does not follow")
    assert findings(page, "differs") == ["Deal Does not follow from the secret and the players’ texts"]
