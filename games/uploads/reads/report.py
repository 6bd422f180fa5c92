"""The report of an upload, record by record, for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

from games.models import Game, MoveLog, Upload, Verdict
from games.records.reads.facts import FactsChanged, changes_in
from games.records.reads.visibility import Viewer, games_for, logs_for, uploads_for
from games.uploads.reads.corrections import RecordAt, corrected_by, corrections_of
from games.uploads.reads.results import ALL, Choice, numbers_of, resume_after

_BATCH = 1_000
"""Records that are read at a time."""


class FirstRecord(NamedTuple):
    """The record that had a game first, among uploads that the viewer may see."""

    log: int
    upload: Any
    number: int


@dataclass(frozen=True, slots=True)
class Entry:
    """The result of one record."""

    log: dict[str, Any]
    verdict: dict[str, Any] | None
    """The newest."""
    corrected: FactsChanged | None
    """Which facts about its game it corrected."""
    first: FirstRecord | None
    """The record that had its game first, here or elsewhere, or whose players are shown; none if it is this one."""
    correction: RecordAt | None
    """The record that corrects this rejected one."""
    correction_of: RecordAt | None
    """The rejected record that this one corrects."""


_LOG = (
    "pk",
    "number",
    "line",
    "offset",
    "entry__name",
    "state",
    "game",
    "game__key",
    "game__same_as",
    "game_digest",
    "record_digest",
)
_VERDICT = ("verdict", "rule", "line", "column", "ply", "token", "template", "params")


def report_of(
    upload: Upload, viewer: Viewer, *, choice: Choice = ALL, after: int = 0, most: int | None = None
) -> Iterator[list[Entry]]:
    """Yield the chosen records of an upload that somebody may see, those after a number, in their order, in batches."""
    for rows in _batches(upload, viewer, choice, after, most):
        pks = [row["pk"] for row in rows]
        verdicts, corrected = _verdicts(pks), changes_in(pks)
        firsts = _firsts_of(rows, upload, viewer)
        corrections, rejected = corrections_of(pks, viewer), corrected_by(pks, viewer)
        yield [
            Entry(row, verdicts.get(pk), corrected.get(pk), firsts.get(pk), corrections.get(pk), rejected.get(pk))
            for pk, row in zip(pks, rows, strict=True)
        ]


def first_records(upload: Upload, viewer: Viewer, logs: Sequence[int]) -> dict[int, FirstRecord]:
    """Return, by log, the records that had the games of an upload's records first, or whose players are shown.

    Records whose game is their own are left out, as are those of games that the viewer may not see.
    """
    rows = MoveLog.objects.filter(logs_for(viewer), upload=upload, pk__in=logs).order_by("number").values(*_LOG)
    return _firsts_of(list(rows), upload, viewer)


def _firsts_of(rows: list[dict[str, Any]], upload: Upload, viewer: Viewer) -> dict[int, FirstRecord]:
    tellers, dry_runs = dict[int, FirstRecord](), dict[str, FirstRecord]()
    _recognise(rows, viewer)
    _find_first_records(rows, tellers, viewer)
    _find_dry_runs(rows, dry_runs, upload)
    found = ((row, tellers.get(_play(row)) or dry_runs.get(row["game_digest"])) for row in rows)
    return {row["pk"]: first for row, first in found if first and _is_other(first, row, upload)}


def _batches(
    upload: Upload, viewer: Viewer, choice: Choice, after: int, most: int | None
) -> Iterator[list[dict[str, Any]]]:
    """Yield records in batches, and no more than so many in all."""
    logs = MoveLog.objects.filter(logs_for(viewer), upload=upload).order_by("number")
    while most is None or most > 0:
        size = _BATCH if most is None else min(most, _BATCH)
        if choice == ALL:
            rows = list(logs.filter(number__gt=after).values(*_LOG)[:size])
            numbers = [row["number"] for row in rows]
        else:
            numbers = numbers_of(upload, choice, after=after, size=size)
            found = {row["number"]: row for row in logs.filter(number__in=numbers).values(*_LOG)} if numbers else {}
            rows = [found[number] for number in numbers if number in found]
        following = numbers[-1] if numbers else resume_after(upload, choice, after)
        if following is None:
            return
        after, most = following, None if most is None else most - len(rows)
        yield rows


def _play(row: dict[str, Any]) -> int:
    """Return the game: if uploads name different players, the one whose seating applies."""
    return row["game__same_as"] or row["game"] or 0


def _is_other(first: FirstRecord, row: dict[str, Any], upload: Upload) -> bool:
    """Return whether the game is another record's.

    It is if that came first, as all that is stored comes before dry runs, or if its players are shown instead of these.
    """
    is_whichever_came_first = upload.dry_run or row["game__same_as"]
    return bool(first.log != row["pk"] if is_whichever_came_first else first.log < row["pk"])


def _verdicts(logs: Sequence[int]) -> dict[int, dict[str, Any]]:
    newest = Verdict.objects.filter(log__in=logs).order_by("log", "-pk").distinct("log")
    return {row.pop("log"): row for row in newest.values("log", *_VERDICT)}


def _recognise(rows: Sequence[dict[str, Any]], viewer: Viewer) -> None:
    """Look up which games of a dry run's records exist already."""
    digests = {row["game_digest"] for row in rows if row["game_digest"] and not row["game"]}
    if not digests:
        return
    # Among several with the same moves, the public one whose seating applies comes last and wins.
    games = Game.objects.filter(games_for(viewer), digest__in=digests).order_by("upheld", "-private", "pk")
    known = {digest: (pk, key) for digest, pk, key in games.values_list("digest", "pk", "key")}
    for row in rows:
        if found := known.get(row["game_digest"]):
            row["game"], row["game__key"] = found


def _find_first_records(rows: Sequence[dict[str, Any]], known: dict[int, FirstRecord], viewer: Viewer) -> None:
    """Look up which records had the games first, if that is unknown; a rejected record has no duplicates."""
    games = {_play(row) for row in rows if row["game_digest"]} - known.keys()
    logs = MoveLog.objects.filter(uploads_for(viewer, "upload__"), game__in=games)
    first = logs.order_by("game", "pk").distinct("game")
    for game, log, upload, number in first.values_list("game", "pk", "upload", "number"):
        known[game] = FirstRecord(log, upload, number)


_FIRST_IN_DRY_RUN = """
SELECT digest, first.id, first.number FROM unnest(%s::text[]) AS digest CROSS JOIN LATERAL (
    SELECT id, number FROM games_movelog AS log
    WHERE log.upload_id = %s AND log.game_digest = digest AND log.state = 'dry_run' ORDER BY number LIMIT 1
) AS first
"""


def _find_dry_runs(rows: Sequence[dict[str, Any]], known: dict[str, FirstRecord], upload: Upload) -> None:
    """Look up the same for games that exist only in a dry run: which of its own records had them first."""
    digests = {row["game_digest"] for row in rows if row["game_digest"] and not row["game"]} - known.keys()
    if not (upload.dry_run and digests):
        return
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_IN_DRY_RUN, [sorted(digests), upload.pk])
        known |= {digest: FirstRecord(log, upload.pk, number) for digest, log, number in cursor}
