"""Counts the frames that Chromium draws while a game of some 300 actions is scrubbed forwards and backwards.

Each frame moves the slider by one action. A screen draws 60 frames a second; a frame that takes over 1.5 times as long
as that is late. The game of each ruleset is the recorded one whose length is nearest to 300 actions.
"""

import argparse
import os
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page

from bench.__main__ import machine, show
from bench.first_views import chromium
from bench.site import site
from engine.registry import RULESETS
from tests.strategies import recorded

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
    show("| game | actions | way | frames a second | late frames | longest frame ms |")
    show("| --- | --- | --- | --- | --- | --- |")
    with site() as running, chromium() as browser:
        for title, path in _games().items():
            page = browser.new_page(viewport={"width": 1280, "height": 800}, service_workers="block")
            page.set_default_timeout(_WAIT)
            page.goto(running.address + path)
            for way, found in _scrubbed(page, chosen.rounds).items():
                rate, late, longest = found["rate"], found["late"], found["longest"]
                show(f"| {title} | {found['plies']} | {way} | {rate:.1f} | {late} | {longest:.0f} |")
            page.close()
    show(f"load {os.getloadavg()[0]:.1f}")


def _games() -> dict[str, str]:
    """Upload a game of each ruleset; return the addresses of their pages."""
    from django.core.management import call_command  # noqa: PLC0415 (the environment comes first)

    from games.models import Game  # noqa: PLC0415

    with TemporaryDirectory() as folder:
        file = Path(folder) / "games.agn"
        nearest = (min(recorded(ruleset), key=lambda one: abs(len(one.actions) - LENGTH)) for ruleset in RULESETS)
        file.write_text("\n".join(one.text() for one in nearest))
        call_command("import", str(file), stdout=StringIO(), stderr=StringIO())
    return {game.ruleset: game.get_absolute_url() for game in Game.objects.order_by("pk")}


def _scrubbed(page: Page, rounds: int) -> dict[str, dict[str, Any]]:
    """Scrub a game to its end and back some times; return the last figures each way."""
    found: dict[str, dict[str, Any]] = {}
    plies = int(page.locator("[data-slider]").get_attribute("max") or 0)
    for _ in range(rounds):
        for way, end in {"forwards": plies, "backwards": 0}.items():
            found[way] = page.evaluate(_SCRUB, way == "backwards") | {"plies": plies}
            page.wait_for_function(_SHOWN, arg=end)
    return found


if __name__ == "__main__":
    main()
