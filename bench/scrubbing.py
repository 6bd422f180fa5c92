"""Counts the frames that Chromium draws while a game of some 300 actions is scrubbed forwards and backwards.

Each frame moves the slider by one action. A screen draws 60 frames a second; a frame that takes over 1.5 times as long
as that is late. The games are the first 300 actions of long ones, those of Atta Ants whole where none is longer. A step
takes so much time of the page's main thread, whatever else the machine does meanwhile.
"""

import argparse
import os
from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import CDPSession, Page

from bench.__main__ import machine, show
from bench.first_views import chromium
from bench.site import site
from engine.registry import RULESETS
from tests.games.longest import longest
from tests.strategies import Playout

LENGTH = 300
_WAIT = 60_000
_SCRUB = """async (backwards) => {
  const slider = document.querySelector("[data-slider]");
  const last = Number(slider.max);
  const frame = () => new Promise(requestAnimationFrame);
  const times = [await frame()];
  for (let at = 0; at <= last; at += 1) {
    slider.value = backwards ? last - at : at;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    times.push(await frame());
  }
  const gaps = times.slice(1).map((time, at) => time - times[at]);
  const seconds = (times.at(-1) - times[0]) / 1000;
  return { rate: gaps.length / seconds, late: gaps.filter((gap) => gap > 25).length, longest: Math.max(...gaps) };
}"""
_SHOWN = "(ply) => document.querySelector('.controls-at [data-at]').textContent === String(ply)"


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="python -m bench.scrubbing", description=__doc__)
    options.add_argument("--rounds", type=int, default=3, help="times forwards and backwards; the last is printed")
    chosen = options.parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    show("| game | actions | way | frames a second | late frames | longest frame ms | ms of the main thread a step |")
    show("| --- | --- | --- | --- | --- | --- | --- |")
    with site() as running, chromium() as browser:
        for title, path in _games().items():
            page = browser.new_page(viewport={"width": 1280, "height": 800}, service_workers="block")
            page.set_default_timeout(_WAIT)
            page.goto(running.address + path)
            for way, found in _scrubbed(page, chosen.rounds).items():
                rate, late, slowest, busy = (found[name] for name in ("rate", "late", "longest", "busy"))
                show(f"| {title} | {found['plies']} | {way} | {rate:.1f} | {late} | {slowest:.0f} | {busy:.1f} |")
            page.close()
    show(f"load {os.getloadavg()[0]:.1f}")


def _games() -> dict[str, str]:
    """Upload a game of each ruleset; return the addresses of their pages."""
    from django.core.management import call_command  # noqa: PLC0415 (the environment comes first)

    from games.models import Game  # noqa: PLC0415

    with TemporaryDirectory() as folder:
        file = Path(folder) / "games.agn"
        file.write_text("\n".join(_beginning(longest(ruleset)).text() for ruleset in RULESETS))
        call_command("import", str(file), stdout=StringIO(), stderr=StringIO())
    return {game.ruleset: game.get_absolute_url() for game in Game.objects.order_by("pk")}


def _beginning(game: Playout) -> Playout:
    return replace(game, states=game.states[: LENGTH + 1], tokens=game.tokens[:LENGTH])


def _scrubbed(page: Page, rounds: int) -> dict[str, dict[str, Any]]:
    """Scrub a game to its end and back some times; return the last figures each way."""
    found: dict[str, dict[str, Any]] = {}
    wire = page.context.new_cdp_session(page)
    wire.send("Performance.enable", {"timeDomain": "threadTicks"})
    plies = int(page.locator("[data-slider]").get_attribute("max") or 0)
    for _ in range(rounds):
        for way, end in {"forwards": plies, "backwards": 0}.items():
            begun = _busy(wire)
            found[way] = page.evaluate(_SCRUB, way == "backwards") | {"plies": plies}
            found[way]["busy"] = 1000 * (_busy(wire) - begun) / (plies + 1)
            page.wait_for_function(_SHOWN, arg=end)
    return found


def _busy(wire: CDPSession) -> float:
    """Return how many seconds the page's main thread has worked."""
    figures = {one["name"]: one["value"] for one in wire.send("Performance.getMetrics")["metrics"]}
    return float(figures["TaskDuration"])


if __name__ == "__main__":
    main()
