"""Comparison of stored logs, verdicts, games and seats with what verification finds in the logs again."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import connection
from psycopg import ServerCursor

from engine.agn.canonical import record_digest
from engine.agn.log import Record
from engine.verify import ENGINE_VERSION, verify
from engine.verify import Verdict as EngineVerdict
from engine.words import params_json
from games.audit.flaws import Flaw, Row, compare
from games.packing import PackingError, unpack
from games.verification.known_games import DAYS, facts_of

LOG, VERDICT, LOGS_GAME, LOGS_SEAT, COUNT = "log", "verdict", "game of a log", "seat of a log", "verdict count"
_CHUNK = 500

_LOGS = """
SELECT log.id, log.upload_id::text, log.number, log.line, log.form, log.data, log.too_long, log.text,
       log.game_digest, log.record_digest, log.verdict, log.rule, log.queued_at,
       EXISTS (SELECT FROM games_verdict AS earlier WHERE earlier.log_id = log.id AND earlier.verdict <> 'rejected'
               AND earlier.engine_version <> %s) AS was_legal,
       to_jsonb(judged), to_jsonb(game), seats.seats
FROM games_movelog AS log
LEFT JOIN games_verdict AS judged ON judged.log_id = log.id AND judged.engine_version = %s
LEFT JOIN games_game AS game ON game.id = log.game_id AND log.id = coalesce(
    (SELECT log_id FROM games_factchange WHERE game_id = game.id ORDER BY id DESC LIMIT 1),
    (SELECT min(first.id) FROM games_movelog AS first WHERE first.game_id = game.id))
LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_array(seat, letter, place, left_in, sheet) ORDER BY seat) AS seats
    FROM games_seating WHERE game_id = game.id) AS seats ON true
WHERE log.state IN ('judged', 'dry_run') ORDER BY log.id
"""
# What is verified again keeps its old count until the new verdict is stored.
_COUNTS = """
WITH due AS (
    SELECT upload_id, CASE WHEN removed.log_id IS NOT NULL THEN 'removed'
               WHEN state IN ('quarantined', 'cancelled') THEN state ELSE verdict END AS verdict,
           CASE WHEN removed.log_id IS NOT NULL OR state IN ('quarantined', 'cancelled') THEN '' ELSE rule END AS rule,
           count(*) AS games
    FROM games_movelog LEFT JOIN games_removedrecord AS removed ON removed.log_id = games_movelog.id
    WHERE state IN ('quarantined', 'cancelled') OR verdict <> '' GROUP BY 1, 2, 3)
SELECT upload_id::text, verdict, rule, coalesce(counted.games, 0), coalesce(due.games, 0)
FROM due FULL JOIN games_verdictcount AS counted USING (upload_id, verdict, rule)
WHERE coalesce(counted.games, 0) <> coalesce(due.games, 0) ORDER BY 1, 2, 3
"""


class _Stored(NamedTuple):
    log: int
    upload: str
    number: int
    line: int
    form: str
    data: bytes
    too_long: bool
    text: bytes
    game_digest: str
    record_digest: str
    verdict: str
    rule: str
    queued_at: datetime
    was_legal: bool
    judged: dict[str, Any] | None
    """The verdict of this engine; none when it has not judged the log."""
    game: dict[str, Any] | None
    """Where this log tells the game's facts."""
    seats: list[list[Any]] | None


def check_logs(progress: Callable[[], object] = bool) -> Iterator[Flaw]:
    """Verify every judged log again, and yield whatever is stored otherwise; call it within a transaction.

    Of a log that only another version of the engine has judged, the packed bytes and the text's digest are checked.
    """
    connection.ensure_connection()
    with ServerCursor(connection.connection, "stored_logs") as cursor:
        cursor.itersize = _CHUNK
        for row in cursor.execute(_LOGS, [ENGINE_VERSION] * 2, binary=True):
            yield from _check(_Stored(*row))
            progress()
    yield from _compare_counts()


def _check(row: _Stored) -> Iterator[Flaw]:
    where = {"log": row.log, "upload": row.upload, "number": row.number}
    try:
        data, text = unpack(row.data), unpack(row.text).decode()
    except (PackingError, UnicodeDecodeError) as problem:
        yield Flaw(LOG, where, {"bytes": f"unreadable ({problem})"}, {"bytes": "a packed record"})
        return
    digest = record_digest(text) if text else ""
    yield from compare(LOG, where, {"record_digest": row.record_digest}, {"record_digest": digest})
    if row.judged is None:
        return
    day = row.queued_at.astimezone(UTC).date()
    found = verify(Record(row.number, row.line, row.form, data, row.too_long, day=day, was_legal=row.was_legal))
    yield from compare(LOG, where, _log(row, text), _due_log(found))
    yield from compare(VERDICT, where, row.judged, _due_verdict(found))
    if row.game:
        yield from _check_game(row.game, row.seats or [], found)


def _log(row: _Stored, text: str) -> Row:
    return {"verdict": row.verdict, "rule": row.rule, "game_digest": row.game_digest, "text": text}


def _due_log(found: EngineVerdict) -> Row:
    rule = found.fault.rule if found.fault else ""
    return {"verdict": found.verdict, "rule": rule, "game_digest": found.digest or "", "text": found.text or ""}


def _due_verdict(found: EngineVerdict) -> Row:
    fault = found.fault
    due: dict[str, Any] = {"verdict": found.verdict, "rule": fault.rule if fault else "", "plies": found.plies}
    if fault:
        due |= {"line": fault.line, "column": fault.column, "ply": fault.ply, "token": fault.token}
        due |= {"template": fault.template, "params": json.loads(json.dumps(params_json(fault.params)))}
        due["legal"] = None if fault.legal is None else list(fault.legal)
    else:
        due |= dict.fromkeys(("line", "column", "ply", "token", "legal")) | {"template": "", "params": {}}
    return due


def _check_game(game: dict[str, Any], seats: list[list[Any]], found: EngineVerdict) -> Iterator[Flaw]:
    facts = facts_of(found)
    facts |= {name: facts[name] and facts[name].isoformat() for name in DAYS} | {"digest": found.digest}
    yield from compare(LOGS_GAME, {"game": game["key"]}, game, facts)
    due = list(_due_seats(found))
    if len(due) != len(seats):
        yield Flaw(LOGS_SEAT, {"game": game["key"]}, {"seats": len(seats)}, {"seats": len(due)})
    for stored, expected in zip(seats, due, strict=False):
        names = ("seat", "letter", "place", "left_in", "sheet")
        where = {"game": game["key"], "seat": expected[0]}
        yield from compare(
            LOGS_SEAT, where, dict(zip(names, stored, strict=True)), dict(zip(names, expected, strict=True))
        )


def _due_seats(found: EngineVerdict) -> Iterator[list[Any]]:
    replay = found.replay
    if replay is None or not found.digest:
        return
    sheets = replay.ruleset.shown.sheets(replay.last)
    for at, (letter, sheet) in enumerate(zip(replay.names, sheets, strict=True)):
        place = found.outcome.placements[at] if found.outcome else None
        counts = {count.label.template: count.value for count in sheet}
        yield [at, letter, place, replay.left_in.get(letter), counts]


def _compare_counts() -> Iterator[Flaw]:
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS)
        for upload, verdict, rule, stored, due in cursor.fetchall():
            where = {"upload": upload, "verdict": verdict, "rule": rule}
            yield Flaw(COUNT, where, {"games": stored}, {"games": due})
