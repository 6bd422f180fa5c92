"""Measures how long the explorer of openings takes over many games, beside a plain SQL statement that counts the same.

`python -m bench.openings --games 300000` makes up games of Army Ants: openings of twelve steps drawn unequally often,
records of games that bots played, and positions beside them, in runs of every size. 2,000 players sit at them, one of
whom at one game in twenty.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from bench.__main__ import machine
from bench.distinct import different_games
from bench.positions_found import row, sizes_of_runs, timed
from bench.site import database

SLUG = "army-ants"
PLAYERS = 2_000
BUSY = 20
"""One game in so many is the busy player's."""
RECORDS = 100
"""Records of which each game has one."""
OTHERS = 40
"""Positions of each game that are indexed beside its opening."""
_BITS = 44
_SCANS = 5
_FRONTS = (("front-2", 30), ("front-3", 25), ("front-1", 20), ("front-2-queen", 10), ("front-4", 9), ("front-0", 6))
_KINDS = (("march", 50), ("swap", 25), ("out", 15), ("march-several", 6), ("attack", 4))
_STEPS = 10
"""Actions of an opening."""
_GAMES = """
INSERT INTO games_game (id, key, ruleset, digest, verdict, plies, result, ended, received_at, scored, private)
SELECT game, lpad(to_hex(game), 8, '0'), %(slug)s, encode(sha256(game::text::bytea), 'hex'), 'verified', 100,
    (ARRAY['1-2', '2-1', '1-1'])[1 + game %% 3], 'end', now(), true, false
FROM generate_series(1::bigint, %(games)s) AS game
"""
_SEATS = """
INSERT INTO games_seating (game_id, seat, letter, player_id, sheet)
SELECT game, seat, (ARRAY['R', 'B'])[seat + 1],
    CASE WHEN seat = game %% 2 AND game %% %(busy)s = 0 THEN %(first)s
    ELSE %(first)s + 1 + (game * 7919 + seat * 104729) %% (%(players)s - 1) END, '{}'
FROM generate_series(1::bigint, %(games)s) AS game CROSS JOIN generate_series(0, 1) AS seat
"""
_PLAIN = """
SELECT split_part(opening, ',', %(step)s), result, count(*), max(game.id) FROM games_game AS game
JOIN games_gameevents AS events ON events.game_id = game.id
WHERE ruleset = %(slug)s AND (%(opening)s IN ('', opening) OR starts_with(opening, %(longer)s)) {whose}
GROUP BY 1, 2
"""
_WHOSE = "AND EXISTS (SELECT 1 FROM games_seating WHERE game_id = game.id AND player_id = %(player)s)"
_BEGUN = perf_counter()


class Asked(NamedTuple):
    """What is explored."""

    name: str
    openings: tuple[str, ...]
    player: int | None
    """None for everybody."""


def main() -> None:
    """Make the games and measure."""
    options = argparse.ArgumentParser(
        prog="python -m bench.openings", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--games", type=int, default=300_000)
    options.add_argument("--requests", type=int, default=200, help="of each kind")
    chosen = options.parse_args()
    with database():
        measure(chosen.games, chosen.requests)


def measure(games: int, requests: int) -> None:
    """Make games in a database, and print how long the explorer takes."""
    openings = make(games)
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {games:,} games of {SLUG}", flush=True)
    print("milliseconds                            p50       p99     games")
    random = Random(2)
    for asked in _asked(openings):
        times = [timed(partial(explored, asked.player), random.choice(asked.openings)) for _ in range(requests)]
        found = explored(asked.player, asked.openings[0])
        print(f"{row(asked.name, times, width=34)}{found.count:>10,}{'+' if found.more else ''}", flush=True)
        scans = [timed(partial(scanned, asked.player), asked.openings[0]) for _ in range(_SCANS)]
        print(row("  plain scan", scans, width=34), flush=True)


def _asked(openings: Sequence[str]) -> Iterator[Asked]:
    """Yield what is asked for: of some depths the most and the least frequent openings, and one that never came."""
    busy, rare_player = _first_player(), _first_player() + 1
    for depth in (2, 5, 8):
        often = Counter(",".join(opening.split(",")[:depth]) for opening in openings).most_common()
        rare = tuple(opening for opening, _ in often[-50:])
        yield Asked(f"{depth} steps, common", (often[0][0],), None)
        yield Asked(f"{depth} steps, common, busy player", (often[0][0],), busy)
        yield Asked(f"{depth} steps, rare", rare, None)
    common = Counter(",".join(opening.split(",")[:2]) for opening in openings).most_common(1)[0][0]
    yield Asked("2 steps, common, a player", (common,), rare_player)
    yield Asked("no steps", ("",), None)
    yield Asked("no steps, busy player", ("",), busy)
    yield Asked("absent", ("front-5-queen,front-5-queen,pass,pass,pass",), None)


def make(games: int) -> list[str]:
    """Store games with their openings, records, players and index. :returns: the openings."""
    random = Random(1)
    openings = [_opening(random) for _ in range(games)]
    _store(games, openings)
    _index(openings, random)
    with _cursor() as cursor:
        for table in ("game", "movelog", "seating", "gameevents", "positionblock"):
            cursor.execute(f"VACUUM ANALYZE games_{table}")
    return openings


def _opening(random: Random) -> str:
    fronts = random.choices([name for name, _ in _FRONTS], [weight for _, weight in _FRONTS], k=2)
    kinds = random.choices([name for name, _ in _KINDS], [weight for _, weight in _KINDS], k=_STEPS)
    return ",".join((*fronts, *kinds))


def _store(games: int, openings: Sequence[str]) -> None:
    from django.utils import timezone  # noqa: PLC0415 (the environment comes first)

    from games.models import MoveLog, Player, Upload  # noqa: PLC0415
    from games.packing import pack  # noqa: PLC0415
    from tests.games.fabricated import copy_rows  # noqa: PLC0415

    now = timezone.now()
    Player.objects.bulk_create(Player(name=f"Player {one}", source="bench", created_at=now) for one in range(PLAYERS))
    upload = Upload.objects.create(via=Upload.Via.COMMAND, received_at=now).pk
    records = [pack(record) for record in islice(different_games(SLUG, RECORDS), RECORDS)]
    with _cursor() as cursor:
        cursor.execute(_GAMES, {"slug": SLUG, "games": games})
        first = _first_player()
        cursor.execute(_SEATS, {"games": games, "players": PLAYERS, "busy": BUSY, "first": first})
    columns = ("upload_id", "number", "line", "form", "data", "state", "queued_at", "game_id", "record_digest")
    copy_rows(MoveLog, columns, (
        (upload, game, 1, "text", records[game % RECORDS], "judged", now, game, str(game))
        for game in range(1, games + 1)
    ))  # fmt: skip
    with (
        _cursor() as cursor,
        cursor.copy("COPY games_gameevents (game_id, codes, opening) FROM STDIN") as copy,
    ):
        for game, opening in enumerate(openings, 1):
            copy.write_row((game, [], opening))
    print(f"{games:,} games stored after {perf_counter() - _BEGUN:.0f} s", flush=True)


def _index(openings: Sequence[str], random: Random) -> None:
    """Index openings, and other positions beside them, in runs of every size."""
    from engine.openings import opening_numbers  # noqa: PLC0415
    from games.search.indexing import add_blocks, add_run  # noqa: PLC0415
    from tests.games.search.columns import in_columns  # noqa: PLC0415

    first = 1
    for size in sizes_of_runs(len(openings)):
        pairs = [(random.getrandbits(_BITS), game) for _ in range(OTHERS) for game in range(first, first + size)]
        for game in range(first, first + size):
            pairs += [(number, game) for number in opening_numbers(SLUG, openings[game - 1])]
        first += size
        pairs.sort()
        add_blocks(add_run(size), in_columns(pairs))
    print(f"indexed after {perf_counter() - _BEGUN:.0f} s", flush=True)


def explored(player: int | None, opening: str) -> Any:  # noqa: ANN401 (what is explored)
    """Return what the explorer finds."""
    from games.records.reads.visibility import NOBODY  # noqa: PLC0415
    from games.search.reads.openings import explore, find_opening  # noqa: PLC0415

    return explore(find_opening(SLUG, opening), NOBODY, player=f"#{player}" if player else "")


def scanned(player: int | None, opening: str) -> list[Any]:
    """Return the continuations as a plain statement counts them."""
    params = {"opening": opening, "longer": f"{opening},", "step": opening.count(",") + 2 if opening else 1}
    with _cursor() as cursor:
        cursor.execute(_PLAIN.format(whose=_WHOSE if player else ""), params | {"slug": SLUG, "player": player})
        return list(cursor.fetchall())


def _first_player() -> int:
    from games.models import Player  # noqa: PLC0415

    return Player.objects.filter(source="bench").order_by("pk").values_list("pk", flat=True)[0]


def _cursor() -> Any:  # noqa: ANN401 (Django's)
    from django.db import connection  # noqa: PLC0415

    return connection.cursor()


if __name__ == "__main__":
    main()
