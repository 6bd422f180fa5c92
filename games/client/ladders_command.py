"""The command line of ladders: `atta leaderboard RULESET` and `atta career PLAYER RULESET` print tables in CSV."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing

from games.client.command import FINE, add_site, site_of
from games.client.ladders import Ladders
from games.client.site import ClientError

_BY = "by order of acceptance, which is what ratings go by, or by the day played"


def main(command: str, arguments: Sequence[str]) -> int:
    """Print a leaderboard or a career and return the exit status."""
    options = _parser(command).parse_args(arguments)
    try:
        with closing(site_of(options)) as site:
            sys.stdout.write(_table(command, Ladders(site), options))
    except ClientError as error:
        sys.stderr.write(f"atta: {error}\n")
        return error.status
    return FINE


def _parser(command: str) -> argparse.ArgumentParser:
    is_board = command == "leaderboard"
    about = "Print a leaderboard as CSV." if is_board else "Print a player's rating after every game as CSV."
    parser = argparse.ArgumentParser(prog=f"atta {command}", description=about)
    if not is_board:
        parser.add_argument("player", metavar="PLAYER", type=int, help="the number in the address of the player's page")
    parser.add_argument("ruleset", metavar="RULESET", help="such as atta-ants-online, as in the leaderboard's address")
    if is_board:
        parser.add_argument("--as-of", metavar="DAY", default="", help="at the end of a day, as 2025-12-31")
        parser.add_argument("--period", metavar="PERIOD", default="", help="the gains of a month or a year, as 2025")
    parser.add_argument("--by", choices=["accepted", "played"], default="accepted", help=_BY)
    parser.add_argument("--club", metavar="NAME", default="", help="the ladder of a club, by its address")
    add_site(parser)
    return parser


def _table(command: str, ladders: Ladders, options: argparse.Namespace) -> str:
    if command == "career":
        return ladders.course_text(options.player, options.ruleset, by=options.by, club=options.club)
    return ladders.table_text(
        options.ruleset, as_of=options.as_of, period=options.period, by=options.by, club=options.club
    )
