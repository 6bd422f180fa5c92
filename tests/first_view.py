"""What a first visit of a page transfers and how its layout shifts, for the budgets and for `bench.first_views`."""

from typing import NamedTuple

from playwright.sync_api import Page

_SEEN = """new Promise((done) => {
  let shift = 0, largest = 0;
  const moved = (one) => { shift += one.hadRecentInput ? 0 : one.value; };
  new PerformanceObserver((list) => list.getEntries().forEach(moved))
    .observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { largest = one.startTime; }))
    .observe({ type: "largest-contentful-paint", buffered: true });
  setTimeout(() => done({ shift, largest }), 300);
})"""


MOST, MOST_OF_A_REPLAY, MOST_OF_THE_REFERENCE = 120_000, 150_000, 680_000
"""Bytes that a first visit may transfer."""
MOST_SHIFT = 0.02
"""Cumulative layout shift of a page at most."""


class FirstView(NamedTuple):
    """A first visit of a page."""

    sent: int
    """Bytes of contents on the wire. Headers do not count: HTTP/2, which proxies speak to browsers, compresses them."""
    requests: int
    shift: float
    """Cumulative layout shift (CLS)."""
    largest: float
    """Milliseconds until the largest contentful paint (LCP)."""


def first_view(page: Page, path: str) -> FirstView:
    """Open a page until its network is idle, and return what its visit took."""
    sent: list[float] = []
    headers: dict[str, float] = {}
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on(
        "Network.responseReceived",
        lambda come: headers.update({come["requestId"]: come["response"]["encodedDataLength"]}),
    )
    wire.on(
        "Network.loadingFinished", lambda end: sent.append(end["encodedDataLength"] - headers.get(end["requestId"], 0))
    )
    page.goto(path, wait_until="networkidle")
    seen = page.evaluate(_SEEN)
    return FirstView(round(sum(sent)), len(sent), seen["shift"], seen["largest"])
