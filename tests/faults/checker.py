"""The checker: compares the answers that clients got with what is stored. It imports nothing of the service.

It knows the API by its documentation and the tables by their names, and computes nothing as the service does.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.request import Request

import psycopg

from tests.faults.asking import answer_to

Expected = Mapping[str, Mapping[str, int]]
"""By a file's SHA-256: how many records must get each verdict."""

_UNFINISHED = """
SELECT (SELECT count(*) FROM games_movelog WHERE state IN ('waiting', 'running'))
     + (SELECT count(*) FROM games_upload WHERE state IN ('receiving', 'waiting', 'splitting') OR done_at IS NULL
        OR accepted_at IS NULL)
     + (SELECT count(*) FROM games_acceptance WHERE number IS NULL AND NOT held)
"""
_IS_INDEXED_LATER = "SELECT to_regclass('games_unindexedgame') IS NOT NULL"
"""Whether new games wait to be indexed, which older versions do with the verdict."""
_UNINDEXED = "SELECT count(*) FROM games_unindexedgame"
_NEVER = {
    "a file is stored more than once": "SELECT file_digest FROM games_upload GROUP BY 1 HAVING count(*) > 1",
    "a record has not exactly one verdict": """SELECT log.id FROM games_movelog log
        LEFT JOIN games_verdict verdict ON verdict.log_id = log.id GROUP BY 1 HAVING count(verdict.id) <> 1""",
    "a record is still leased": "SELECT id FROM games_movelog WHERE leased_until IS NOT NULL OR state <> 'judged'",
    "a verified game is stored more than once":
        "SELECT digest FROM games_game WHERE digest IS NOT NULL GROUP BY 1 HAVING count(*) > 1",
    "a game without a record": """SELECT game.id FROM games_game game
        WHERE NOT EXISTS (SELECT FROM games_movelog log WHERE log.game_id = game.id)""",
    "a verified game is not rated": """SELECT game.id FROM games_game game
        WHERE verdict = 'verified' AND NOT EXISTS (SELECT FROM games_acceptance WHERE game_id = game.id)""",
    "a legal game is not indexed": """SELECT game.id FROM games_game game
        WHERE verdict <> 'rejected' AND NOT EXISTS (SELECT FROM games_gameevents WHERE game_id = game.id)""",
    "a game is rated twice": "SELECT game_id FROM games_acceptance GROUP BY 1 HAVING count(*) > 1",
    "a seat has not exactly one change of rating": """SELECT seating.game_id, seating.seat FROM games_seating seating
        JOIN games_game game ON game.id = seating.game_id LEFT JOIN games_ratingevent event
        ON event.game_id = seating.game_id AND event.seat = seating.seat AND event.player_id = seating.player_id
        WHERE game.verdict = 'verified' GROUP BY 1, 2 HAVING count(event.id) <> 1""",
    "the numbers of rated games have a gap": """SELECT number FROM (SELECT number, row_number() OVER (ORDER BY number)
        AS due FROM games_acceptance) numbered WHERE number IS DISTINCT FROM due""",
}  # fmt: skip
_COUNTS = """
SELECT upload.file_digest, log.verdict, count(*) FROM games_upload upload
JOIN games_movelog log ON log.upload_id = upload.id GROUP BY 1, 2
"""
_RECORDS = """
SELECT upload.file_digest, log.number, log.line, log.form, log.state, log.verdict, log.rule, log.game_digest,
    log.record_digest, log.seats, md5(log.data), md5(log.text), verdict.verdict, verdict.rule, verdict.line,
    verdict."column", verdict.ply, verdict.token, verdict.template, verdict.params, verdict.legal, verdict.plies,
    game.ruleset, game.verdict, game.plies, game.result, game.ended, game.termination, game.likeness, game.seating
FROM games_upload upload JOIN games_movelog log ON log.upload_id = upload.id
JOIN games_verdict verdict ON verdict.log_id = log.id JOIN games_game game ON game.id = log.game_id
ORDER BY 1, 2
"""
_RATINGS = """
SELECT player.name, game.digest, event.seat, event.place, event.mu_before, event.sigma_before, event.mu, event.sigma
FROM games_ratingevent event JOIN games_player player ON player.id = event.player_id
JOIN games_game game ON game.id = event.game_id ORDER BY 1, event.number
"""
_STANDINGS = """
SELECT player.name, games, wins, draws, losses, first, second, beaten, mu, sigma, value
FROM games_standing JOIN games_player player ON player.id = player_id ORDER BY 1
"""
_COUNTED = """
SELECT upload.file_digest, upload.state, upload.split_logs, upload.accepted_logs, counted.verdict, counted.rule,
    counted.games FROM games_upload upload JOIN games_verdictcount counted ON counted.upload_id = upload.id
WHERE counted.games > 0 ORDER BY 1, 5, 6
"""


def answers_in(log: Path) -> list[dict[str, Any]]:
    """Return the answers that clients wrote down, in that order."""
    return [json.loads(line) for line in log.read_text().splitlines()]


def unfinished(database: str) -> int:
    """Return how much still waits: records, uploads, and games to rate or to index."""
    unindexed = _rows(database, _UNINDEXED)[0][0] if _rows(database, _IS_INDEXED_LATER)[0][0] else 0
    return int(_rows(database, _UNFINISHED)[0][0]) + int(unindexed)


def flaws(answers: Iterable[Mapping[str, Any]], expected: Expected, database: str, site: str, token: str) -> list[str]:
    """Return everything that contradicts the answers to clients, or must never be; nothing if all is well."""
    accepted = [one for one in answers if one["status"] in (200, 202)]
    return [
        *_lost(accepted, expected, database),
        *_misreported(accepted, expected, site, token),
        *(f"{name}: {_rows(database, query)[:5]}" for name, query in _NEVER.items() if _rows(database, query)),
    ]


def state(database: str) -> bytes:
    """Return all that must be the same after every run: without ids, times, and the order among files."""
    lines = [
        json.dumps([name, *row], default=str)
        for name, query in (("record", _RECORDS), ("rating", _RATINGS), ("standing", _STANDINGS), ("count", _COUNTED))
        for row in _rows(database, query)
    ]
    return "\n".join(lines).encode()


def but_for(whole: bytes, players: Collection[str]) -> bytes:
    """Return a state without the ratings and standings of some players.

    Records that were set aside and retried are rated after the others of their file.
    """
    lines = (line for line in whole.split(b"\n") if not _is_about(json.loads(line), players))
    return b"\n".join(lines)


def _is_about(row: list[Any], players: Collection[str]) -> bool:
    return row[0] in {"rating", "standing"} and row[1] in players


def _lost(accepted: list[Mapping[str, Any]], expected: Expected, database: str) -> Iterator[str]:
    """Yield the accepted files that are missing, changed, or known by several names."""
    ids: dict[str, set[str]] = {}
    for one in accepted:
        ids.setdefault(one["file"], set()).add(one["answer"]["id"])
    stored = {digest: str(number) for number, digest in _rows(database, "SELECT id, file_digest FROM games_upload")}
    counts: dict[str, dict[str, int]] = {}
    for digest, verdict, records in _rows(database, _COUNTS):
        counts.setdefault(digest, {})[verdict] = records
    for digest in expected:
        if ids.get(digest, set()) != {stored.get(digest)}:
            yield f"file {digest[:12]}: answered {sorted(ids.get(digest, ()))}, stored {stored.get(digest)}"
        if counts.get(digest) != expected[digest]:
            yield f"file {digest[:12]}: expected {dict(expected[digest])}, stored {counts.get(digest)}"
    yield from (f"file {digest[:12]} was never uploaded" for digest in stored.keys() - expected.keys())


def _misreported(accepted: list[Mapping[str, Any]], expected: Expected, site: str, token: str) -> Iterator[str]:
    """Yield the uploads of which the API says something else."""
    for digest, number in {one["file"]: one["answer"]["id"] for one in accepted}.items():
        request = Request(f"{site}/api/v1/uploads/{number}", headers={"Authorization": f"Bearer {token}"})
        progress = answer_to(request)["progress"]
        shown = {name: progress[name] for name in ("verified", "unfinished", "rejected") if progress[name]}
        if shown != expected[digest]:
            yield f"file {digest[:12]}: expected {dict(expected[digest])}, the API says {shown}"


def _rows(database: str, query: str) -> list[Any]:
    with psycopg.connect(database, connect_timeout=5) as connection:
        return connection.execute(query).fetchall()
