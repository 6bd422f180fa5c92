"""The size of pages on a first visit, and their layout shifts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.models import Player
from tests.browser.conftest import UploadRecords
from tests.factories import duels
from tests.strategies import FIXTURES
from tests.tiers import by_tier

MOST, MOST_OF_A_REPLAY = 120_000, 150_000
SHIFTED = 0.02
OTHERS = ("/games/", "/leaderboards/", "/leaderboards/atta-ants-online/", "/rules/", "/rules/atta-ants/", "/upload/",
          "/rules/ant-trails/quick/", "/api/", "/play/", "/privacy/")  # fmt: skip
SHIFTS = """new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { sum += one.hadRecentInput ? 0 : one.value; }))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300);
})"""


def weighed(page: Page, path: str) -> tuple[int, float]:
    """Return the bytes transferred for a page and its layout shift."""
    sent: list[float] = []
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    page.goto(path, wait_until="networkidle")
    return round(sum(sent)), page.evaluate(SHIFTS)


@pytest.mark.parametrize("width", by_tier(quick=[390], long=[390, 1280]))
def test_first_views_stay_within_their_size_budget_without_layout_shifts(
    upload_records: UploadRecords, open_page: Callable[..., Page], width: int
) -> None:
    game, *_ = upload_records((FIXTURES / "ant_trails/games/all-tiles-collected.agn").read_bytes(), *duels(12))
    player = f"/players/{Player.objects.get(name='Ada').pk}/"
    replay = f"/games/{game.key}/?ply=4"
    pages = ("/", replay, player, *by_tier(quick=OTHERS[:1], long=OTHERS))
    weights = {path: weighed(open_page(width=width), path) for path in pages}
    budgets = {path: MOST_OF_A_REPLAY if path == replay else MOST for path in pages}
    assert {path: size for path, (size, _) in weights.items() if size > budgets[path]} == {}
    assert {path: shift for path, (_, shift) in weights.items() if shift > SHIFTED} == {}
