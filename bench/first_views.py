"""Measures a first visit of the main pages in Chromium, on a whole site with the sample games.

For each page and width: milliseconds until the largest contentful paint (LCP, the median of the rounds), cumulative
layout shift (CLS, the worst), bytes of contents on the wire and requests. Every visit has an empty cache.
"""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple

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
HEADINGS = ("LCP 390 px", "LCP 1280 px", "CLS, the worst", "bytes 390 px", "bytes 1280 px")
_FIXED = {
    "home": "/",
    "games": "/games/",
    "leaderboards": "/leaderboards/",
    "players": "/players/",
    "clubs": "/clubs/",
    "club": "/clubs/casa-formica/",
    "upload": "/upload/",
    "check": "/check/",
    "score sheet": "/score/",
    "lobby": "/play/",
    "search": "/search/?q=a",
    "openings": "/openings/",
    "studies": "/studies/",
    "all rules": "/rules/",
    "rules": "/rules/atta-ants/",
    "two minutes": "/rules/ant-trails/quick/",
    "developers": "/api/",
    "reference": "/api/v1/docs/",
    "about": "/about/",
    "sign in": "/account/login/",
}
"""Pages whose address does not depend on what is stored."""


class Kind(NamedTuple):
    """A kind of page: one of its addresses, and the session of who opens it."""

    path: str
    session: str = ""


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="python -m bench.first_views", description=__doc__)
    options.add_argument("--rounds", type=int, default=5, help="visits of each page")
    options.add_argument("--phone", action="store_true", help="over a mobile connection: 150 ms, 1.6 Mbit/s")
    chosen = options.parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    with site() as running, chromium() as browser:
        show(f"| page | {' | '.join(HEADINGS)} | requests |\n{'| --- ' * (len(HEADINGS) + 2)}|")
        for name, kind in _kinds(running).items():
            views = [_visits(browser, running, kind, width, chosen) for width in WIDTHS]
            show(f"| {name} | {_row(views)} |")
    show(f"load {os.getloadavg()[0]:.1f}")


def _row(views: list[list[FirstView]]) -> str:
    """Return the cells for the visits at each width."""
    times = [f"{median(view.largest for view in some):.0f} ms" for some in views]
    shift = max(view.shift for some in views for view in some)
    sent = [f"{max(view.sent for view in some):,}" for some in views]
    return " | ".join([*times, f"{shift:.3f}", *sent, ", ".join(str(some[0].requests) for some in views)])


def _visits(browser: Browser, running: Site, kind: Kind, width: int, chosen: argparse.Namespace) -> list[FirstView]:
    return [_visit(browser, running.address, kind, width, phone=chosen.phone) for _ in range(chosen.rounds)]


def _visit(browser: Browser, address: str, kind: Kind, width: int, *, phone: bool) -> FirstView:
    """Visit a page for the first time."""
    viewport = {"width": width, "height": _HEIGHTS[width]}
    context = browser.new_context(viewport=viewport, service_workers="block")  # type: ignore[arg-type]
    try:
        if kind.session:
            context.add_cookies([{"name": "sessionid", "value": kind.session, "url": address}])
        page = context.new_page()
        if phone:
            context.new_cdp_session(page).send("Network.emulateNetworkConditions", _PHONE)
        return first_view(page, address + kind.path)
    finally:
        context.close()


def _kinds(running: Site) -> dict[str, Kind]:
    """Load the sample games and play at a table; return the kinds of pages by name."""
    from django.core.management import call_command  # noqa: PLC0415 (the environment comes first)

    from games.models import Acceptance, Player  # noqa: PLC0415

    call_command("load_samples", verbosity=0)
    for _ in range(_PATIENCE):
        if Acceptance.objects.filter(ladder__club__isnull=False).exists():
            break
        running.pause(1)
    game = Acceptance.objects.select_related("game").order_by("pk")[0].game
    player = Player.objects.filter(seatings__game=game).order_by("pk")[0]
    paths = {
        "replay": game.get_absolute_url(),
        "leaderboard": f"/leaderboards/{game.ruleset}/",
        "player": player.get_absolute_url(),
        "course of a player": f"{player.get_absolute_url()}ladders/{game.ruleset}/",
    }
    return {name: Kind(path) for name, path in (_FIXED | paths).items()} | _for_players()


def _for_players() -> dict[str, Kind]:
    """Let two people play at a table; return pages that one of them and who watches see."""
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from games.playing.reads.people import Person  # noqa: PLC0415
    from tests.games.playing.seating import guests, play, seated  # noqa: PLC0415

    one, now, client = User.objects.create_user("visitor"), timezone.now(), Client()
    client.force_login(one)
    session, people = client.cookies["sessionid"].value, [Person(account=one), *guests(1)]
    table = play(seated(people, now), people, now, most=12).get_absolute_url()
    paths = {"account": "/account/", "founding a club": "/clubs/new/"}
    signed_in = {name: Kind(path, session) for name, path in paths.items()}
    return {"table, watched": Kind(table), "table, for a player": Kind(table, session)} | signed_in


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
