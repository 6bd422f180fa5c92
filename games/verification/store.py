"""Stores verdicts and everything that follows from them, for many logs in one transaction."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from django.db import connection, transaction
from django.db.models.functions import Least

from engine.verify import VERIFIED
from engine.verify import Verdict as EngineVerdict
from engine.words import params_json
from games.consent.challenges import challenge
from games.consent.confirmations import note_upload, settle
from games.consent.reads.eligibility import first_uploaders, seated_accounts
from games.models import Game, MoveLog, Upload, VerdictCount
from games.packing import pack
from games.platform.bulk_sql import columns
from games.records.introductions import introduce_seats
from games.records.pseudonyms import take_names_out
from games.search.indexing import index_comments
from games.search.waiting import await_index
from games.uploads.counts import Counted, count, counted_before, hold
from games.uploads.logs import Placed, Result, add_logs_with_results, next_ids
from games.verification.corrections import correct, correcting
from games.verification.known_games import Case, recognise, recognise_again, recognise_alone
from games.verification.seating import seat

_log = structlog.get_logger()

# Locked before their records: cancelling locks the upload first, too, and so waits for verdicts in progress.
_KEEP_UPLOADS = """
SELECT FROM games_upload WHERE id IN (SELECT upload_id FROM games_movelog WHERE id = ANY(%s)) ORDER BY id FOR KEY SHARE
"""
_LOCK_LOGS = """
SELECT id, fence, upload_id, game_id FROM games_movelog WHERE id = ANY(%s) AND state = 'running' ORDER BY id FOR UPDATE
"""
_WRITE_RESULTS = """
UPDATE games_movelog AS log SET leased_until = NULL, failure = '', game_id = given.game,
    state = given.state, seats = given.seats, text = given.text, game_digest = given.game_digest,
    record_digest = given.record_digest, verdict = given.verdict, rule = given.rule
FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::jsonb[], %s::bytea[], %s::text[], %s::text[], %s::text[],
            %s::text[])
    AS given (log, state, game, seats, text, game_digest, record_digest, verdict, rule)
WHERE log.id = given.log
"""
_COLUMNS = (
    "log_id", "game_id", "engine_version", "verdict", "rule", "line", '"column"', "ply", "token", "template",
    "params", "legal", "plies", "judged_at",
)  # fmt: skip
_ADD_VERDICTS = f"COPY games_verdict ({', '.join(_COLUMNS)}) FROM STDIN"


class Found(NamedTuple):
    """The engine's result for a claimed log, to be stored while the claim is valid."""

    log: int
    fence: int
    verdict: EngineVerdict


class Stored(NamedTuple):
    """The outcome of a batch."""

    verdicts: int
    apart: list[Found]
    """Those that change more than what is their own: each is to be stored alone."""


@transaction.atomic
def store_together(batch: Sequence[Found], *, engine: str, now: datetime, at: datetime) -> Stored:
    """Store verdicts with everything that follows from them, except those whose lease has expired.

    :param now: when verification began.
    :param at: when it ended.
    """
    over, held = _cancelled(_lock_logs(batch))
    tried, cases = _parted(held)
    by_later_engine = {case.log for case in cases if case.before}
    apart = by_later_engine | _find_games([case for case in cases if not case.before], now)
    done = [*(case for case in cases if case.log not in apart), *tried]
    _hold_uploads(done)
    _write_results(done, engine, now)
    _leave_out(over)
    count([*map(_counted, done), *map(_left_out, over)], begun=now, at=at)
    return Stored(len(done), [one for one in batch if one.log in apart])


def store_new(
    upload: Upload,
    records: Sequence[Placed],
    found: Sequence[EngineVerdict | None],
    *,
    engine: str,
    now: datetime,
    at: datetime,
) -> None:
    """Store records of a file with their verdicts, each row once, within the transaction under way.

    Records without a verdict become waiting logs, and so do those that change more than what is their own.
    """
    placed = dict(zip(next_ids(len(records)), records, strict=True))
    judged = zip(placed, found, strict=True)
    tried, fresh = _parted([Case(log, upload, verdict, 0) for log, verdict in judged if verdict])
    apart = _find_games(fresh, now)
    done = [*(case for case in fresh if case.log not in apart), *tried]
    _hold_uploads(done)
    add_logs_with_results(upload.pk, placed, {case.log: _result(case) for case in done}, now=now)
    _add_verdicts(done, engine, now)
    count(map(_counted, done), begun=now, at=at)


@transaction.atomic
def store_alone(one: Found, *, engine: str, now: datetime, at: datetime, names_are_certain: bool = False) -> bool:
    """Store a verdict whatever it changes.

    :param names_are_certain: whether the record names others than pseudonyms for certain, as a moderator has decided.
    :returns: whether the claim still held.
    """
    over, held = _cancelled(_lock_logs([one]))
    _leave_out(over)
    count(map(_left_out, over), begun=now, at=at)
    for case in held:
        if case.upload.dry_run:
            _write_results([case], engine, now)
            count([_counted(case)], begun=now, at=at)
            return True
        if case.before:
            recognise_again(case)
        else:
            recognise_alone(case, names_are_certain=names_are_certain)
        seat([case], now=now)
        _index([case])
        hold([case.upload.pk])  # before existing games: the deletion of an account locks them in this order
        _show(case, now)
        less = counted_before([case.log]) if case.before else []
        _write_results([case], engine, now)
        _have_club_accept_it(case, less)
        if case.pseudonyms:
            take_names_out(case.log, case.pseudonyms)
        correct(case, now)
        _note(case, now)
        count([_counted(case)], less, begun=now, at=at)
        return True
    return False


def _find_games(fresh: Sequence[Case], now: datetime) -> set[int]:
    """Give cases their games, and new games their seats.

    :returns: the logs of those that change more than what is their own: each is to be stored alone.
    """
    recognise(fresh)
    seat(fresh, now=now)
    apart = {case.log for case in fresh if not case.game}  # those that challenge a game or make one public
    _index(fresh)
    found = [case for case in fresh if case.game]
    known = any(not case.is_new for case in found)
    return apart | (_changing_more_than_verdicts(found) | correcting(found) if known else set())


def _hold_uploads(cases: Sequence[Case]) -> None:
    """Lock the uploads before known games, which are locked by what is written of them, as their versions rise."""
    if any(case.game and not case.is_new for case in cases):
        hold({case.upload.pk for case in cases})


def _parted(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Return the cases of dry runs, which have no consequences, and the others."""
    return [case for case in cases if case.upload.dry_run], [case for case in cases if not case.upload.dry_run]


def _cancelled(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Return the cases of uploads cancelled after their records were claimed, and the others.

    Among the others are records judged before: a later engine is asked about them again.
    """
    over = {case.log for case in cases if case.upload.state == Upload.State.CANCELLED and not case.before}
    return [case for case in cases if case.log in over], [case for case in cases if case.log not in over]


def _leave_out(over: Sequence[Case]) -> None:
    """Drop records whose upload was cancelled."""
    if over:
        logs = MoveLog.objects.filter(pk__in=[case.log for case in over])
        logs.update(state=MoveLog.State.CANCELLED, leased_until=None)


def _left_out(case: Case) -> Counted:
    return Counted(case.upload.pk, VerdictCount.Kind.CANCELLED, "")


def _counted(case: Case) -> Counted:
    fault = case.found.fault
    return Counted(case.upload.pk, case.found.verdict, fault.rule if fault else "")


def _show(case: Case, now: datetime) -> None:
    """Make the uploader's own private game public, and a training game one that may count, as the upload asks."""
    if case.shows:
        Game.objects.filter(pk=case.game, private=True).update(private=False, owner=None)
        introduce_seats(case.game, case.upload.uploader_id, now=now)
    if case.upload.scored:
        # A game is for training only if every upload says so, so that nobody can keep others' games from counting.
        Game.objects.filter(pk=case.game, scored=False).update(scored=True)


def _have_club_accept_it(case: Case, before: Sequence[Counted]) -> None:
    """Let a club accept what only this engine finds legal: its upload is gone through again from here on."""
    if before and before[0].verdict != VERIFIED and case.found.verdict == VERIFIED:
        number = MoveLog.objects.values_list("number", flat=True).get(pk=case.log)
        Upload.objects.filter(pk=case.upload.pk, club__isnull=False).update(
            accepted_at=None, accepted_logs=Least("accepted_logs", number - 1)
        )


def _index(cases: Iterable[Case]) -> None:
    """Have new legal games found by the positions that they reached, soon."""
    await_index(case.game for case in cases if case.is_new and case.found.digest)


def _index_comments(cases: Iterable[Case]) -> None:
    """Have legal records found by the words of their comments."""
    legal = (case for case in cases if case.found.digest)
    index_comments((case.log, case.found.replay) for case in legal if case.found.replay)


def _note(case: Case, now: datetime) -> None:
    log = MoveLog.objects.select_related("upload").defer("data", "text").get(pk=case.log)
    game = Game.objects.get(pk=case.game)
    challenge(game, log.upload, is_new=case.is_new, now=now)
    note_upload(game, log, now=now)
    if not case.is_new:
        settle(game, now=now)  # it may be public, or no longer training, from now on


def _lock_logs(batch: Sequence[Found]) -> list[Case]:
    """Lock the logs whose leases are valid, in a fixed order, so that no two transactions wait for each other.

    Results whose lease has expired and whose log another worker has claimed are logged and left out.
    """
    logs = [one.log for one in batch]
    with connection.cursor() as cursor:
        cursor.execute(_KEEP_UPLOADS, [logs])
        cursor.execute(_LOCK_LOGS, [logs])
        fences = {one.log: one.fence for one in batch}
        held = {(log, fence): (upload, game) for log, fence, upload, game in cursor if fence == fences[log]}
    uploads = Upload.objects.in_bulk({upload for upload, _ in held.values()})
    if len(held) < len(batch):
        _log.warning("verification.too_late", count=len(batch) - len(held))
    cases = ((one, *held[one.log, one.fence]) for one in batch if (one.log, one.fence) in held)
    return [Case(one.log, uploads[upload], one.verdict, game or 0) for one, upload, game in cases]


def _changing_more_than_verdicts(cases: Sequence[Case]) -> set[int]:
    """Return the logs of earlier games that may make one count, confirm it for a seat, or challenge it again."""
    again = [case for case in cases if not case.is_new]
    if not again:
        return set()
    games = {case.game for case in again}
    training = set(Game.objects.filter(scored=False, pk__in=games).values_list("pk", flat=True))
    rivals = set(Game.objects.filter(upheld=False, pk__in=games).values_list("pk", flat=True))
    counted = {case.log for case in again if case.game in training and case.upload.scored}
    raised = {case.log for case in again if case.game in rivals}
    return counted | raised | _may_be_confirmations(again, cases)


def _may_be_confirmations(again: Iterable[Case], cases: Iterable[Case]) -> set[int]:
    """Return, of logs of earlier games, those from an account that sat there, after somebody else's upload."""
    scored = (case for case in again if case.upload.scored and not case.upload.private)
    again = [case for case in scored if case.found.verdict == VERIFIED]
    games = {case.game for case in again}
    uploaders: defaultdict[int, set[int | None]] = defaultdict(set)
    for game, account in first_uploaders(games).items():
        uploaders[game].add(account)
    for case in cases:
        uploaders[case.game].add(case.upload.uploader_id)
    seated = seated_accounts(games)
    return {
        case.log
        for case in again
        if (case.game, case.upload.uploader_id) in seated and uploaders[case.game] != {case.upload.uploader_id}
    }


def _write_results(cases: Sequence[Case], engine: str, now: datetime) -> None:
    """Write the results into the logs, and as verdicts."""
    if cases:
        with connection.cursor() as cursor:
            cursor.execute(_WRITE_RESULTS, columns([_row(case.log, _result(case)) for case in cases], 9))
    _add_verdicts(cases, engine, now)


def _row(log: int, result: Result) -> tuple[Any, ...]:
    state, game, seats, *rest = result
    return log, state, game, json.dumps(seats), *rest


def _add_verdicts(cases: Sequence[Case], engine: str, now: datetime) -> None:
    """Add the verdicts, and have legal records found by the words of their comments."""
    if cases:
        with connection.cursor() as cursor, cursor.copy(_ADD_VERDICTS) as copy:
            for case in cases:
                copy.write_row(_verdict(case, engine, now))
        _index_comments(case for case in cases if case.game)


def _result(case: Case) -> Result:
    """Return what a case's log says from now on."""
    found = case.found
    return Result(
        (MoveLog.State.JUDGED if case.game else MoveLog.State.DRY_RUN).value,
        case.game or None,
        list(case.names.items()),
        pack((found.text or "").encode()),
        found.digest or "",
        found.record_digest or "",
        found.verdict,
        found.fault.rule if found.fault else "",
    )


def _verdict(case: Case, engine: str, now: datetime) -> tuple[Any, ...]:
    found, fault = case.found, case.found.fault
    if fault is None:
        details: tuple[Any, ...] = ("", None, None, None, None, "", "{}", None)
    else:
        legal = None if fault.legal is None else json.dumps(list(fault.legal))
        params = json.dumps(params_json(fault.params))
        details = (fault.rule, fault.line, fault.column, fault.ply, fault.token, fault.template, params, legal)
    return case.log, case.game or None, engine, found.verdict, *details, found.plies, now
