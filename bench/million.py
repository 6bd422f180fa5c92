"""Measures a million distinct games from one file to the leaderboards, in one run: `make bench OF=million`.

The file is made first and kept in var/bench (not timed). Then it is uploaded for a club over HTTP to an empty site.
Every tenth of it is reported as it is judged and rated, and in the end the total time. The exit status is not 0 if the
counts do not add up. The logs of the site's processes are kept in var/bench/logs.
"""

import argparse
from statistics import median
from time import perf_counter, strftime
from urllib.request import urlopen

from bench.__main__ import machine
from bench.archive import kept
from bench.end_to_end import CLUB, Taken, member, take
from bench.played import KEPT, SOURCES
from bench.site import WORKERS, Site, site
from games.client.site import Site as Connection

_PAGE = 50
"""Lines of a leaderboard's page."""


def main() -> None:
    """Make the file, upload it, fetch the leaderboards, and print how long it took."""
    options = argparse.ArgumentParser(prog="python -m bench.million", description=__doc__)
    options.add_argument("--games", type=int, default=1_000_000)
    games = options.parse_args().games
    say(machine())
    begun = perf_counter()
    archive = kept(KEPT / "million", games)
    say(f"the file (made or found in {perf_counter() - begun:,.1f} s): {archive}")
    with site() as running:
        token = member()
        say(f"a site with nothing in it, {WORKERS} worker processes; the file is sent")
        taken = take(running, archive, token, say)
        look_at_leaderboards(running, token)
        show(taken)


def say(words: object) -> None:
    """Print, with the time of day."""
    print(f"{strftime('%H:%M:%S')}  {words}", flush=True)


def look_at_leaderboards(running: Site, token: str) -> None:
    """Fetch the first page of each ladder, as people and as programs see it. :raises SystemExit: when one is empty."""
    there = Connection(running.address, token)
    for slug in SOURCES:
        begun = perf_counter()
        page = urlopen(f"{running.address}/clubs/{CLUB}/leaderboards/{slug}/").read().decode()  # noqa: S310 (our own)
        spent = perf_counter() - begun
        board = there.ask("GET", f"/api/v1/clubs/{CLUB}/leaderboards/{slug}").json
        lines = board["rows"]
        if len(lines) != min(_PAGE, board["players"]) or not all(line["player"]["name"] in page for line in lines):
            raise SystemExit(f"the leaderboard of {slug} shows {len(lines)} of {board['players']} players")
        first = f"{lines[0]['player']['name']} with {lines[0]['rating']} before {len(lines) - 1} others"
        say(f"{slug}: {board['players']:,} players, {board['games']:,} games; {first} in {1000 * spent:.0f} ms")
    there.close()


def show(taken: Taken) -> None:
    """Print how long all of it took."""
    say(
        f"{taken.games:,} games: sent after {taken.sent:,.1f} s, judged after {taken.judged:,.1f} s, rated after"
        f" {taken.rated:,.1f} s"
    )
    say(taken)
    for name, rates in zip(("judged", "rated"), taken.shares, strict=True):
        say(f"{name}: the last tenth at {rates[-1] / rates[0]:.2f} times the rate of the first; the slowest at"
            f" {min(rates):,.0f} games/s, half above {median(rates):,.0f}")  # fmt: skip


if __name__ == "__main__":
    main()
