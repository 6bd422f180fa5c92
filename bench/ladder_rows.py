"""Fills a ladder with a million players: the clubs of one region are played through, and nine more regions copy them.

The first region's games are made up and rated one after another; the others repeat them in between with players of
their own, each region a little stronger. So ten million ledger entries take minutes instead of an hour, and every
rating is one that real games could lead to.
"""

from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

from django.db import connection, transaction

from tests.games.fabricated import evenings

REGIONS = 10
PLAYERS = 100_000
"""Of a region."""
SEATINGS = 1_000_000
"""Of a region."""
RULESET = "atta-ants-online"
_TABLES = ("player", "game", "seating", "acceptance", "ratingevent", "standing")
_BEGIN = "timestamptz '2024-12-01 00:00+00'"
_LAST = "timestamptz '2026-10-31 12:00+00'"

_STEPS = (
    # Players, games, seats, places in the order, entries: the regions take turns.
    """INSERT INTO games_player (id, name, source, is_bot, is_pseudonym, created_at)
       SELECT region * {players} + one + 1, 'Player ' || lpad(one::text, 6, '0'), 'Region ' || region, one % 500 = 0,
              false, {begin}
       FROM generate_series(0, {regions} - 1) AS region, generate_series(0, {players} - 1) AS one""",
    """INSERT INTO games_game (id, key, ruleset, verdict, digest, plies, result, ended, received_at, scored, private)
       SELECT number * {regions} + region + 1, lpad(to_hex(number * {regions} + region), 8, 'g'), '{ruleset}',
              'verified', encode(sha256((number * {regions} + region)::text::bytea), 'hex'), 60, '', '', {begin},
              true, false
       FROM (SELECT DISTINCT number FROM bench_seat) AS played, generate_series(0, {regions} - 1) AS region""",
    """INSERT INTO games_seating (game_id, seat, letter, player_id, place, sheet)
       SELECT number * {regions} + region + 1, seat, substr('RYOB', seat + 1, 1), region * {players} + player + 1,
              place, '{{}}'
       FROM bench_seat, generate_series(0, {regions} - 1) AS region ORDER BY number, region, seat""",
    """INSERT INTO games_ladder (id, ruleset, players, games) VALUES (1, '{ruleset}', 0, 0)""",
    """INSERT INTO games_acceptance (id, game_id, ladder_id, due_at, number, accepted_at, counts)
       SELECT id, id, 1, moment, id, moment, true
       FROM (SELECT id, {begin} + id * (({last} - {begin}) / (SELECT max(id) FROM games_game)) AS moment
             FROM games_game ORDER BY id) AS played""",
    "UPDATE games_game SET received_at = accepted_at FROM games_acceptance WHERE game_id = games_game.id",
    """INSERT INTO games_ratingevent (acceptance_id, number, ladder_id, game_id, player_id, seat, place, algorithm,
                                      mu_before, sigma_before, mu, sigma, counts, at)
       SELECT id, id, 1, id, region * {players} + player + 1, seat, place, 'plackett-luce/1',
              mu_before + region * 0.013, sigma_before, mu + region * 0.013, sigma, true, accepted_at
       FROM bench_seat, generate_series(0, {regions} - 1) AS region,
            LATERAL (SELECT id, accepted_at FROM games_acceptance AS one
                     WHERE one.id = bench_seat.number * {regions} + region + 1) AS counted
       ORDER BY bench_seat.number, region, seat""",
)
_AFTER = (
    """INSERT INTO games_standing (ladder_id, player_id, games, wins, draws, losses, first, second, third, fourth,
                                   beaten, mu, sigma, last_number, last_at)
       SELECT 1, player_id, games, wins, draws, losses, first, second, third, fourth, beaten, mu, sigma, number, at
       FROM games_snapshotrow JOIN LATERAL (
           SELECT number, at FROM games_ratingevent AS event
           WHERE event.player_id = games_snapshotrow.player_id AND event.ladder_id = 1 ORDER BY number DESC LIMIT 1
       ) AS newest ON true WHERE board_id = %s""",
    """INSERT INTO games_rankbucket (ladder_id, points, players)
       SELECT 1, floor(mu - 3 * sigma), count(*) FROM games_standing GROUP BY floor(mu - 3 * sigma)""",
    "DELETE FROM games_snapshotrow",
    "DELETE FROM games_leaderboardsnapshot",
    "VACUUM ANALYZE",
)


def generate(say: Any) -> None:  # noqa: ANN401 (whatever prints)
    """Fill an empty database, or continue where an earlier run stopped."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET maintenance_work_mem = '512MB'")
        for step in _steps():
            cursor.execute("SELECT count(*) FROM bench_done WHERE step = md5(%s)", [step])
            if not cursor.fetchone()[0]:
                with transaction.atomic():
                    cursor.execute(step)
                    rows = cursor.rowcount
                    cursor.execute("INSERT INTO bench_done VALUES (md5(%s))", [step])
                say(f"{max(rows, 0):>12,} rows: {' '.join(step.split()[:3])}")


def _steps() -> Iterator[str]:
    """Return the steps, in order; each is done completely or not at all."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('bench_done') IS NOT NULL")
        if not cursor.fetchone()[0]:
            with transaction.atomic():
                _first_region(cursor)
                _take_indexes(cursor)
                cursor.execute("CREATE TABLE bench_done (step text)")
        yield from (
            step.format(regions=REGIONS, players=PLAYERS, ruleset=RULESET, begin=_BEGIN, last=_LAST) for step in _STEPS
        )
        cursor.execute("SELECT definition FROM bench_index ORDER BY at")
        yield from [definition for (definition,) in cursor.fetchall()]
    yield "UPDATE games_ladder SET games = (SELECT count(*) FROM games_game)"
    for table in ("games_player", "games_game", "games_acceptance", "games_ladder"):
        yield f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"  # noqa: S608
    yield "ANALYZE"


def stand(board: int, say: Any) -> None:  # noqa: ANN401 (whatever prints)
    """Make the ladder's current tables from a snapshot of the whole ledger."""
    with connection.cursor() as cursor:
        for step in _AFTER:
            cursor.execute(step, [board] if "%s" in step else None)
        cursor.execute("UPDATE games_ladder SET players = (SELECT count(*) FROM games_standing)")
    say("standings")


def _first_region(cursor: Any) -> None:  # noqa: ANN401 (Django's cursor)
    cursor.execute(
        "CREATE TABLE bench_seat (number int, seat int, player int, place int, "
        "mu_before float8, sigma_before float8, mu float8, sigma float8)"
    )
    with cursor.copy("COPY bench_seat FROM STDIN") as copy:
        for row in _rated():
            copy.write_row(row)
    cursor.execute("ANALYZE bench_seat")


def _rated() -> Iterator[tuple[object, ...]]:
    rate = _recompute().rated
    ratings = [(1200.0, 400.0)] * PLAYERS
    seats = 0
    for number, game in enumerate(evenings(SEATINGS, PLAYERS, Random(7))):
        before = [ratings[player] for player in game.players]
        after = rate(before, list(game.places))
        for seat, player in enumerate(game.players):
            ratings[player] = after[seat]
            yield number, seat, player, game.places[seat], *before[seat], *after[seat]
        seats += len(game.players)
        if seats >= SEATINGS:
            return


def _recompute() -> Any:  # noqa: ANN401 (a module that stands by itself)
    path = Path(__file__).parents[1] / "games" / "static" / "games" / "recompute.py"
    spec = spec_from_file_location("recompute", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is not there")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _take_indexes(cursor: Any) -> None:  # noqa: ANN401 (Django's cursor)
    """Drop indexes that would slow writing down, and record how to make them again."""
    tables = [f"games_{name}" for name in _TABLES]
    cursor.execute("CREATE TABLE bench_index (at serial, definition text)")
    cursor.execute(
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE contype = 'u' AND conrelid::regclass::text = ANY(%s)",
        [tables],
    )
    for table, name, definition in cursor.fetchall():
        cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        _note(cursor, f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')
    cursor.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s) AND indexname NOT LIKE '%%_pkey'",
        [tables],
    )
    for name, definition in cursor.fetchall():
        cursor.execute(f'DROP INDEX "{name}"')
        _note(cursor, definition)


def _note(cursor: Any, definition: str) -> None:  # noqa: ANN401 (Django's cursor)
    cursor.execute("INSERT INTO bench_index (definition) VALUES (%s)", [definition])
