"""Measures the engine in a browser: plies a second beside this Python, a file of many games, and the answer to a touch.

Chromium loads the worker, Python and the archive of the engine as pages do, from a plain server of static files.
"""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from time import monotonic

from playwright.sync_api import Page, sync_playwright

from bench import engine_alone
from bench.__main__ import machine, show
from bench.corpora import Corpus, corpus
from bench.played import SOURCES
from bench.rate import Rate
from engine.registry import RULESETS
from engine.replay import COMPILED
from engine.verify import ENGINE_VERSION
from tests.strategies import recorded

STATIC = Path(__file__).parents[1] / "games" / "static"
PYTHON = "/games/vendor/pyodide-314.0.7/"
BROWSERS = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
_HUNDREDTHS = 100

_LOAD = """async (addresses) => {
  const { Engine } = await import("/games/js/engine/engine.js");
  globalThis.engine = new Engine({ dataset: addresses });
  await engine.load();
}"""
_CHECK = """async (text) => {
  const begun = performance.now();
  await engine.call("check", new File([text], "games.agn"));
  let games = 0;
  for (let over = false; !over; ) {
    const found = await engine.call("more");
    games += Object.values(found.counts).reduce((sum, count) => sum + count, 0);
    over = found.over;
  }
  return { games, seconds: (performance.now() - begun) / 1000 };
}"""
_TOUCH = """async ([text, plies, rounds, cards]) => {
  await engine.call("open", text);
  const touches = plies.map((ply) => ({ ply, play: [], whole: false }));
  const times = [];
  for (const touch of touches) {
    let [best, answer] = [Infinity, null];
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      answer = await engine.call("branch", touch);
      best = Math.min(best, performance.now() - begun);
    }
    times.push(best);
    const groups = answer.position.picker?.groups ?? [];
    const come = groups.flatMap((group) => group.cards).filter(({ left }) => left);
    touches.push(...come.slice(0, cards).map(({ part }) => ({ ply: touch.ply, play: [], drawn: part })));
  }
  return times;
}"""
"""Ask for every position of a game as a replay does, then for some of the cards that may come, each several times."""
_CARDS = 5


def main() -> None:
    """Measure, and print the figures."""
    options = argparse.ArgumentParser(prog="python -m bench.in_browser", description=__doc__)
    options.add_argument("--distinct", type=int, default=400, help="games of each ruleset")
    options.add_argument("--games", type=int, default=10_000, help="games in the one long file")
    options.add_argument("--rounds", type=int, default=3, help="how often each touch is answered; the best counts")
    chosen = options.parse_args()
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}; here the engine is {'compiled' if COMPILED else 'plain'}")
    with page_with_engine() as page:
        for slug in SOURCES:
            games = corpus(slug, chosen.distinct)
            show(f"{slug:<18} in the browser {checked(page, games)}")
            show(f"{slug:<18} here           {engine_alone.measure(games)}")
        whole = _mixed(chosen.games)
        found = page.evaluate(_CHECK, whole)
        show(f"{found['games']:,} games of all kinds in one file, as /check/ takes it: {found['seconds']:.0f} s")
        for ruleset in RULESETS:
            replay = max(recorded(ruleset), key=lambda one: len(one.actions))
            plies = list(range(len(replay.actions)))
            times = page.evaluate(_TOUCH, [replay.text(), plies, chosen.rounds, _CARDS])
            slow = f"p99 {quantiles(times, n=_HUNDREDTHS)[-1]:.1f} ms, the longest {max(times):.1f} ms"
            show(f"{ruleset.slug:<18} a touch: p50 {median(times):.1f} ms, {slow}, of {len(times)}")


def checked(page: Page, games: Corpus) -> Rate:
    """Verify a corpus in the browser."""
    found = page.evaluate(_CHECK, games.data.decode())
    if found["games"] != games.games:
        raise SystemExit(f"{found['games']} games of {games.games} were found")
    return Rate(games.plies / found["seconds"], games.games / found["seconds"])


def _mixed(games: int) -> str:
    """Return a file with so many games, as many of each ruleset."""
    return "\n".join(corpus(slug, games // len(SOURCES)).data.decode() for slug in SOURCES)


@contextmanager
def page_with_engine() -> Iterator[Page]:
    """Open a page in which the engine has been loaded, and say how long that took."""
    installed = next(filter(os.path.exists, BROWSERS))
    with static_files() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(0)
        begun = monotonic()
        page.goto(f"{address}/games/vendor/LICENCES.txt")
        addresses = {"worker": "/games/js/engine/worker.js", "python": PYTHON, "archive": "/games/engine/engine.zip"}
        page.evaluate(_LOAD, addresses | {"version": ENGINE_VERSION})
        show(f"the engine was loaded in {monotonic() - begun:.1f} s")
        yield page
        browser.close()


@contextmanager
def static_files() -> Iterator[str]:
    """Serve the static files as they are; yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(STATIC)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    """Sends files and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the library
        """Log nothing."""


if __name__ == "__main__":
    main()
