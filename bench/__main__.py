"""Measures how fast games are verified: by the engine alone, beside other programs, from a file to the leaderboards."""

import argparse
import os
import platform
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median

from bench import chess_beside, engine_alone, peers, single
from bench.archive import Games, write
from bench.corpora import corpus
from bench.end_to_end import member, take
from bench.played import SOURCES
from bench.rate import Rate
from bench.site import WORKERS, Site, site

_LONG = """\
longer ones, each with --help:
  make bench OF=against REF=… the engine beside that of another commit: what became slower
  make bench OF=legal         how long it takes to list what is legal
  make bench OF=million       a million games from one file to the leaderboards, a quarter of an hour
  make bench OF=workers       the same file with 1, 2 and 4 worker processes, beside what PostgreSQL needs
  make bench OF=fold          the ledger with a million games
  make bench OF=leaderboards  pages over a million players
  make bench OF=stages        what a game costs from file to ratings, stage by stage
  make bench OF=size          what a game takes in the database
  make bench OF=memory        what an idle site takes, as `make run` starts it, by kind of process
  make bench OF=bots          each strength of the bots against the next weaker one, an hour for all games
  make bench OF=in_browser    the engine in Chromium: plies a second, 10,000 games as /check/ takes them, a touch
  make bench OF=first_views   first visits of the main pages in Chromium: LCP, layout shift, bytes, requests
  make bench OF=visitors      pages a second, by page, and a thousand viewers of one game
  make bench OF=overload      what a visitor notices while an account and six addresses ask for the most that is allowed
  make bench OF=openings      the explorer of openings over 300,000 games, beside a plain scan
  make bench OF=scrubbing     frames that Chromium draws while games of 300 actions are scrubbed
  make bench OF=bot_games     200 games of bots at once
  make bench OF=command_line  `verify --json` as a whole process beside the engine's own time
  make bench OF=starts        `make run` in a fresh clone: at first, again, after a kill, and its end
  make bench OF=lapsed        5,000 records that killed workers left behind, until all are judged
"""


def main() -> None:
    """Measure, and print the figures."""
    chosen = _options().parse_args()
    slugs = tuple(chosen.only or SOURCES)
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    if not chosen.worker_only:
        compare(slugs, chosen.distinct, chosen.rounds)
    if not chosen.engine_only:
        whole(slugs, chosen)
    show(f"load {os.getloadavg()[0]:.1f}")


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, epilog=_LONG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--only", choices=tuple(SOURCES), action="append", help="rulesets")
    options.add_argument("--engine-only", action="store_true", help="the engine and its peers")
    options.add_argument("--worker-only", action="store_true", help="a whole site")
    options.add_argument("--rounds", type=int, default=9, help="of the engine's figures the median of so many")
    options.add_argument("--distinct", type=int, default=800, help="games of each kind for the engine")
    options.add_argument("--singles", type=int, default=200, help="single games with nobody else there")
    options.add_argument("--games", type=int, default=10_000, help="of each kind, from a file to the leaderboards")
    options.add_argument("--sizes", type=int, nargs="*", default=(1_000, 10_000, 50_000), help="of files of all kinds")
    options.add_argument("--archive", type=int, default=50_000, help="games in a file beside which single ones come")
    return options


def show(words: object) -> None:
    """Print a line at once."""
    print(words, flush=True)


def compare(slugs: Sequence[str], games: int, rounds: int) -> None:
    """Print the engine's speed for each ruleset and as a multiple of python-chess's, and the speed of other readers."""
    theirs, others = list[Rate](), dict[str, list[Rate]]()
    ours: dict[str, list[Rate]] = {slug: [] for slug in slugs}
    for slug in slugs:
        corpus(slug, games)
    ready = peers.ready()
    for _ in range(rounds):  # in turns, so that a busy minute slows all of them alike
        theirs.append(chess_beside.measure())
        for peer in ready:
            others.setdefault(peer, []).append(peers.measure(peer))
        for slug in slugs:
            ours[slug].append(engine_alone.measure(corpus(slug, games)))
    show("CPU time of one core: records read, every move checked; ours with canonical texts and digests")
    show(f"{'python-chess':<30}{middle(theirs)}")
    for name, rates in (others | ours).items():
        ratio = median(rate.plies / chess.plies for rate, chess in zip(rates, theirs, strict=True))
        show(f"{name:<30}{middle(rates)}   {ratio:.1f} x python-chess's plies")


def middle(rates: list[Rate]) -> Rate:
    """Return the median of each column."""
    return Rate(median(rate.plies for rate in rates), median(rate.games for rate in rates))


def whole(slugs: Sequence[str], chosen: argparse.Namespace) -> None:
    """Print how fast games get from files to ratings, and how long a user waits for the verdict on a single game."""
    together = sum(chosen.sizes) + chosen.archive + 20 * chosen.singles
    games = Games(dict.fromkeys(SOURCES, chosen.games + together // len(SOURCES)))
    with site() as running, tempfile.TemporaryDirectory(prefix="atta-bench-") as folder:
        path = Path(folder) / "games.agn.zst"
        singles = (record.data for record in games.of["ant-trails-2020"])
        show(f"a single game, nobody else there: {single.alone(running, islice(singles, chosen.singles))}")
        show(f"from a file to the leaderboards, {WORKERS} worker processes, {chosen.games:,} games of each kind")
        for slug in slugs:
            show(f"{slug:<18}{take(running, write(path, games.of[slug], chosen.games), member())}")
        show("the same with files of all kinds, by their size")
        by_size(running, chosen.sizes, games, path)
        archive = write(path, games.mixed(), chosen.archive)
        show(f"a single game, beside {archive.games:,} of another's: {single.beside(running, archive, singles)}")


def by_size(running: Site, sizes: Sequence[int], games: Games, path: Path) -> None:
    """Print the time for files of several sizes, and how much more a game costs in the largest than in the smallest."""
    costs = []
    for size in sizes:
        taken = take(running, write(path, games.mixed(), size), member())
        show(f"{size:>9,} games{'':<3}{taken}")
        costs.append((taken.worker + taken.database) / size)
    if len(costs) > 1:
        show(f"CPU time of a game: the largest file's {costs[-1] / costs[0]:.2f} times the smallest's")


def machine() -> str:
    """Return a description of the machine."""
    with open("/proc/cpuinfo") as file:  # noqa: PTH123 (not one of the project's paths)
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{len(models)} x {models[0]}, Python {platform.python_version()}, {platform.platform(terse=True)}"


if __name__ == "__main__":
    main()
