"""Measures how long the board takes to answer a touch in Chromium, without asking the server, until it is painted.

Recorded games are played again on the board, touch by touch; only confirmed actions are answered from outside.
"""

import argparse
import os
from statistics import median, quantiles

from playwright.sync_api import Page

from bench.__main__ import machine, show
from bench.first_views import chromium
from bench.site import site
from engine.agn.administrative import parse_administrative
from engine.registry import RULESETS
from tests.browser.acting import TO_TOUCH, Game, put_on
from tests.strategies import AnyRuleset, recorded

_WAIT = 60_000
_HUNDREDTHS = 100
_TOUCHED = """async ([token, next]) => {
  const following = eval(next);
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const seen = (buttons) => buttons.find((button) => button.checkVisibility());
  const choices = (target) => [...board.beside[0].nodes].filter(([, node]) => node.t === target).map(([one]) => one);
  const touch = (target) => {
    if (target === "turn") seen([...document.querySelectorAll("[data-turn]")]).click();
    else if (target.startsWith("choice:")) seen(choices(target)).click();
    else board.touch(target);
  };
  const times = [];
  for (let target = following(token); target; target = following(token)) {
    if (times.length > 8) throw new Error(`${token} is not chosen`);
    await painted();
    const begun = performance.now();
    touch(target);
    document.body.getBoundingClientRect();
    const worked = performance.now() - begun;
    await painted();
    times.push([worked, performance.now() - begun]);
  }
  return times;
}"""


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="python -m bench.touches", description=__doc__)
    options.add_argument("--width", type=int, default=1280, help="of the window, in pixels")
    chosen = options.parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}, {chosen.width} pixels")
    show("| ruleset | touches | worked: p50, p99 ms | until painted: p50, p99, longest ms |")
    show("| --- | --- | --- | --- |")
    with site() as running, chromium() as browser:
        for ruleset in RULESETS:
            page = browser.new_page(
                base_url=running.address, viewport={"width": chosen.width, "height": 800}, service_workers="block"
            )
            page.set_default_timeout(_WAIT)
            times = _played(page, _longest(ruleset))
            page.close()
            worked, painted = ([time[at] for time in times] for at in range(2))
            show(
                f"| {ruleset.slug} | {len(times)} | {median(worked):.1f}, {_slow(worked):.1f} | "
                f"{median(painted):.1f}, {_slow(painted):.1f}, {max(painted):.1f} |"
            )
    show(f"load {os.getloadavg()[0]:.1f}")


def _longest(ruleset: AnyRuleset) -> Game:
    """Return the longest recorded game in which nobody left or agreed to a draw."""
    games = [replay for replay in recorded(ruleset) if not any(map(parse_administrative, replay.actions))]
    return Game(max(games, key=lambda replay: len(replay.actions)))


def _played(page: Page, game: Game) -> list[tuple[float, float]]:
    """Play a recorded game again; return the times of each touch, in milliseconds."""
    put_on(page, game)
    times = list[tuple[float, float]]()
    while game.ply < len(game.replay.actions):
        ply = game.ply
        times += page.evaluate(_TOUCHED, [game.next, TO_TOUCH])
        page.evaluate("() => board.confirm()")
        page.wait_for_function("(ply) => board.position.ply > ply && !board.busy", arg=ply)
    return times


def _slow(times: list[float]) -> float:
    return quantiles(times, n=_HUNDREDTHS)[-1]


if __name__ == "__main__":
    main()
