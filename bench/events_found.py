"""Measures how long a search for games by two or three events takes, beside a plain SQL scan of the same numbers.

`python -m bench.events_found --games 1000000` makes up rows of games. Each has the events of one of 1,600 games that
bots played to different ends; a few have a loop of a length that no other has.
"""

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.__main__ import machine
from bench.distinct import different_games
from bench.played import SOURCES
from bench.positions_found import row, timed
from bench.site import database
from engine.registry import ruleset_by_slug
from engine.story import codes_of_count, codes_of_size, event_codes
from engine.verify import verify_bytes

if TYPE_CHECKING:
    from games.records.reads.conditions import EventWanted

RECORDS = 400
"""Games of each ruleset whose events others have, too."""
PLAYED = 40
RARE = 50_000
"""One game in so many has the rare event."""
LOOP, LONG = "loop", 120
PAGE = 50
WIDTH = 42
_SCANS = 5
_GAMES = """
INSERT INTO games_game (id, key, ruleset, digest, verdict, plies, result, ended, received_at, scored, private)
SELECT game, lpad(to_hex(game), 8, '0'), (%(slugs)s::text[])[1 + game %% cardinality(%(slugs)s::text[])],
    encode(sha256(game::text::bytea), 'hex'), 'verified', 100, '1-2', 'end',
    now() - game * interval '1 second', true, false
FROM generate_series(1::bigint, %(games)s) AS game
"""
_SEATS = """
INSERT INTO games_seating (game_id, seat, letter, player_id, sheet)
SELECT game, seat, (ARRAY['R', 'B'])[seat + 1], %(player)s + seat, '{}'
FROM generate_series(1::bigint, %(games)s) AS game CROSS JOIN generate_series(0, 1) AS seat
"""
_PLAIN = "CREATE TABLE plain AS SELECT game_id AS game, codes FROM games_gameevents ORDER BY game_id"
_SCAN = "SELECT game FROM plain WHERE {alike} ORDER BY game LIMIT %s"
_BEGUN = perf_counter()


class Asked(NamedTuple):
    """What is searched for: one of several searches in turn."""

    name: str
    searches: tuple[tuple["EventWanted", ...], ...]


def main() -> None:
    """Make the games and measure."""
    options = argparse.ArgumentParser(
        prog="python -m bench.events_found", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--games", type=int, default=1_000_000)
    options.add_argument("--requests", type=int, default=300, help="of each kind")
    chosen = options.parse_args()
    with database():
        measure(chosen.games, chosen.requests)


def measure(games: int, requests: int) -> None:
    """Make games in a database, and print how long searches take."""
    found = {slug: list(islice(_codes(slug), RECORDS)) for slug in SOURCES}
    _store(games, found)
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {games:,} games", flush=True)
    print(f"{'milliseconds':<{WIDTH}}{'p50':>10}{'p99':>10}{'scan, p50':>12}")
    for asked in _asked(found):
        times = [timed(_find, asked.searches[at % len(asked.searches)]) for at in range(requests)]
        scans = [timed(_scan, search) for search in asked.searches[:_SCANS]]
        print(f"{row(asked.name, times, width=WIDTH)}{median(scans):>12.1f}", flush=True)


def _codes(slug: str) -> Iterator[list[int]]:
    """Yield the events of different games, as numbers."""
    for text in different_games(slug, PLAYED):
        for verdict in verify_bytes(text):
            if verdict.digest and (replay := verdict.replay):
                yield event_codes(replay.ruleset, replay.states, replay.actions, replay.numbers)


def _asked(found: Mapping[str, Sequence[list[int]]]) -> Iterator[Asked]:
    """Yield what is searched for: what many games have, what few have, and what never comes together."""
    from games.records.reads.conditions import EventWanted  # noqa: PLC0415 (the environment comes first)

    kinds = {slug: _by_frequency(slug, codes) for slug, codes in found.items()}
    rare = EventWanted(LOOP, size=LONG)
    for count in (2, 3):
        some = {slug: [EventWanted(kind) for kind in often[:count]] for slug, often in kinds.items()}
        yield Asked(f"{count} events, the most frequent", tuple(map(tuple, some.values())))
        trails = some["ant-trails-2020"]
        yield Asked(f"{count} events, one of them rare", ((rare, *trails[: count - 1]),))
        apart = [EventWanted(kind) for kind in dict.fromkeys(often[0] for often in kinds.values())]
        yield Asked(f"{count} events that never come together", tuple(combinations(apart, count)))
        yield Asked(f"{count} events of any size and number", tuple(islice(_any(kinds, count), 200)))


def _by_frequency(slug: str, games: Sequence[list[int]]) -> list[str]:
    """Return the kinds of events that happened in some games, the most frequent first."""
    often = {}
    for kind in ruleset_by_slug(slug).shown.story.kinds:
        codes = {*codes_of_count(kind.key, 1)}
        often[kind.key] = sum(not codes.isdisjoint(one) for one in games)
    return sorted(filter(often.__getitem__, often), key=often.__getitem__, reverse=True)


def _any(kinds: Mapping[str, Sequence[str]], count: int) -> Iterator[tuple["EventWanted", ...]]:
    """Yield any events of one game, of some size, so many times, and one in four in the last round."""
    from games.records.reads.conditions import EventWanted  # noqa: PLC0415

    random = Random(count)
    while True:
        often = random.choice(list(kinds.values()))
        yield tuple(
            EventWanted(kind, random.choice((None, 1, 2, 4)), random.choice((None, 2, 5)), random.random() < 1 / 4)
            for kind in random.sample(often, min(count, len(often)))
        )


def _store(games: int, found: Mapping[str, Sequence[list[int]]]) -> None:
    """Store games with their seats and events, and the events in a plain table."""
    from games.models import Player  # noqa: PLC0415

    both = [Player(name=name, source="bench", created_at="2026-01-01T00:00:00Z") for name in ("Ada", "Bruno")]
    player = Player.objects.bulk_create(both)[0].pk
    slugs, random, (rare, *_) = list(found), Random(1), codes_of_size(LOOP, LONG, last_round=False)
    with _cursor() as cursor:
        cursor.execute(_GAMES, {"games": games, "slugs": slugs})
        cursor.execute(_SEATS, {"games": games, "player": player})
        with cursor.copy("COPY games_gameevents (game_id, codes, opening) FROM STDIN") as copy:
            for game in range(1, games + 1):
                codes = random.choice(found[slugs[game % len(slugs)]])
                copy.write_row((game, sorted({*codes, rare}) if game % RARE == 1 else codes, ""))
        cursor.execute(_PLAIN)
        for table in ("games_game", "games_seating", "games_gameevents", "plain"):
            cursor.execute(f"VACUUM ANALYZE {table}")
    print(f"{games:,} games after {perf_counter() - _BEGUN:.0f} s", flush=True)


def _find(search: Sequence["EventWanted"]) -> object:
    """Return the newest games as the page of games does."""
    from games.platform.paging import Span  # noqa: PLC0415
    from games.records.reads.games import GameFilter, list_games  # noqa: PLC0415
    from games.records.reads.visibility import NOBODY  # noqa: PLC0415

    return list_games(GameFilter(events=tuple(search)), Span(size=PAGE), NOBODY)


def _scan(search: Sequence["EventWanted"]) -> list[int]:
    """Return the newest games by a plain statement without an index."""
    wanted = [codes_of_size(one.kind, one.size or 0, last_round=one.last_round) for one in search]
    wanted += [codes_of_count(one.kind, one.times) for one in search if one.times]
    alike = " AND ".join(["codes && %s::int[]"] * len(wanted))
    with _cursor() as cursor:
        cursor.execute(_SCAN.format(alike=alike), [*wanted, PAGE + 1])
        return [game for (game,) in cursor]


def _cursor() -> Any:  # noqa: ANN401 (Django's)
    from django.db import connection  # noqa: PLC0415

    return connection.cursor()


if __name__ == "__main__":
    main()
