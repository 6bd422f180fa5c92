"""How quickly games are verified: by the engine alone, by python-chess beside it, and end to end through the worker."""

import argparse
import platform
from importlib.metadata import version
from statistics import median

from bench import chess_beside, engine_alone, single, through_worker
from bench.corpora import SOURCES, corpus
from bench.rate import Rate

SINGLES, ARCHIVE = 200, 10_000


def main() -> None:
    """Take the figures and print them."""
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument("--rounds", type=int, default=9, help="of each figure the median of so many")
    options.add_argument("--distinct", type=int, default=200, help="different games of each kind, for the engine alone")
    options.add_argument("--only", choices=tuple(SOURCES), action="append", help="rulesets, for the engine alone")
    options.add_argument("--games", type=int, default=2000, help="of each kind, through the worker")
    options.add_argument("--engine-only", action="store_true")
    options.add_argument("--worker-only", action="store_true")
    chosen = options.parse_args()
    print(machine())
    if not chosen.worker_only:
        print(
            f"python-chess {version('chess')} beside us: read_game, every move checked, a visitor that builds nothing"
        )
        compare(chosen.only or tuple(SOURCES), chosen.distinct, chosen.rounds)
    if not chosen.engine_only:
        whole(chosen.only or tuple(SOURCES), chosen.games)


def whole(slugs: tuple[str, ...], games: int) -> None:
    """Print how quickly games go from files to ratings, and how long somebody waits for the verdict on one."""
    with through_worker.workers() as site:
        print(f"a single game, nobody else there: {single.alone(site, SINGLES)}")
        print(f"beside an archive of {ARCHIVE} games: {single.beside(site, ARCHIVE)}")
        print(f"end to end, {through_worker.WORKERS} workers: file, verdicts, a league's acceptance, ratings, ledger")
        for slug in slugs:
            print(f"{slug:<18}{through_worker.measure(site, slug, games)}", flush=True)


def compare(slugs: tuple[str, ...], games: int, rounds: int) -> None:
    """Print how quick the engine is on each ruleset, and how many times quicker than python-chess."""
    theirs = list[Rate]()
    ours: dict[str, list[Rate]] = {slug: [] for slug in slugs}
    for slug in slugs:
        corpus(slug, games)
    for _ in range(rounds):  # in turns, so that a busy minute slows all of them
        theirs.append(chess_beside.measure())
        for slug in slugs:
            ours[slug].append(engine_alone.measure(corpus(slug, games)))
    print(f"{'python-chess':<18}{middle(theirs)}")
    for slug, rates in ours.items():
        ratio = median(rate.plies / chess.plies for rate, chess in zip(rates, theirs, strict=True))
        print(f"{slug:<18}{middle(rates)}   {ratio:.1f} x python-chess's plies")


def middle(rates: list[Rate]) -> Rate:
    """The median of each column."""
    return Rate(median(rate.plies for rate in rates), median(rate.games for rate in rates))


def machine() -> str:
    """What the figures were taken on."""
    with open("/proc/cpuinfo") as file:  # noqa: PTH123 (no path of ours)
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{len(models)} x {models[0]}, Python {platform.python_version()}, {platform.platform(terse=True)}"


if __name__ == "__main__":
    main()
