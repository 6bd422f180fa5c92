"""Measures a first visit of the main pages in Chromium, on a whole site with the sample games.

For each page and width: milliseconds until the largest contentful paint (LCP, the median of the rounds), cumulative
layout shift (CLS, the worst), bytes on the wire and requests. Every visit has an empty cache.
"""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from bench.__main__ import machine, show
from bench.in_browser import BROWSERS
from bench.site import Site, site
from tests.first_view import FirstView, first_view

WIDTHS = (390, 1280)
_HEIGHTS = {390: 844, 1280: 720}
_PHONE = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
"""A mobile connection as Lighthouse has it: 150 ms, 1.6 Mbit/s."""
_PATIENCE = 60


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="python -m bench.first_views", description=__doc__)
    options.add_argument("--rounds", type=int, default=5, help="visits of each page")
    options.add_argument("--phone", action="store_true", help="over a mobile connection: 150 ms, 1.6 Mbit/s")
    chosen = options.parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    with site() as running, chromium() as browser:
        paths = _paths(running)
        show("| page | width | LCP ms | CLS | bytes | requests |\n| --- | --- | --- | --- | --- | --- |")
        for width in WIDTHS:
            for name, path in paths.items():
                views = [_visit(browser, running.address + path, width, chosen.phone) for _ in range(chosen.rounds)]
                show(f"| {name} | {width} | {_row(views)} |")
    show(f"load {os.getloadavg()[0]:.1f}")


def _row(views: list[FirstView]) -> str:
    largest, shift = median(view.largest for view in views), max(view.shift for view in views)
    return f"{largest:.0f} | {shift:.3f} | {max(view.sent for view in views):,} | {views[0].requests}"


def _visit(browser: Browser, address: str, width: int, phone: bool) -> FirstView:  # noqa: FBT001 (an option)
    """Visit a page for the first time."""
    viewport = {"width": width, "height": _HEIGHTS[width]}
    context = browser.new_context(viewport=viewport, service_workers="block")  # type: ignore[arg-type]
    try:
        page = context.new_page()
        if phone:
            context.new_cdp_session(page).send("Network.emulateNetworkConditions", _PHONE)
        return first_view(page, address)
    finally:
        context.close()


def _paths(running: Site) -> dict[str, str]:
    """Load the sample games; return the addresses of the main pages by name."""
    from django.core.management import call_command  # noqa: PLC0415 (the environment comes first)

    from games.models import Acceptance, Player  # noqa: PLC0415

    call_command("load_samples", verbosity=0)
    for _ in range(_PATIENCE):
        if Acceptance.objects.filter(ladder__club__isnull=False).exists():
            break
        running.pause(1)
    game = Acceptance.objects.select_related("game").order_by("pk")[0].game
    player = Player.objects.filter(seatings__game=game).order_by("pk")[0]
    return {
        "home": "/",
        "games": "/games/",
        "replay": game.get_absolute_url(),
        "leaderboards": "/leaderboards/",
        "leaderboard": f"/leaderboards/{game.ruleset}/",
        "player": f"/players/{player.pk}/",
        "clubs": "/clubs/",
        "club": "/clubs/casa-formica/",
        "upload": "/upload/",
        "rules": "/rules/atta-ants/",
        "two minutes": "/rules/ant-trails/quick/",
    }


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium."""
    installed = next(filter(os.path.exists, BROWSERS))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        # Playwright's loop runs in this thread, so Django takes every query here for one from a coroutine.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
