"""Rebuilding: rewrites values that do not follow from records and decisions; those themselves are not changed.

Only the operator can do this, and it is recorded: for everybody else the ledger is append-only.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.db import connection, transaction

from games.audit import flaws
from games.audit.check import Audit, Flaw, games_on_record
from games.audit.reads import accepted_games, done_corrections
from games.audit.recompute import Recomputation
from games.audit.records import repaired
from games.audit.snapshots import compare_board, kept_boards
from games.audit.tables import due_buckets, due_ladders, due_line
from games.models import (
    Acceptance,
    Act,
    BestRank,
    Correction,
    DayLedger,
    DayRating,
    Game,
    Ladder,
    LeaderboardSnapshot,
    MoveLog,
    Player,
    RankBucket,
    Seating,
    Standing,
)
from games.ratings.best_ranks import write_anew
from games.ratings.ledger import write_entries
from games.ratings.sequence import lock_order

_CHUNK = 5000
"""Rows written at once."""
_BEYOND = (flaws.RECORD, flaws.SEQUENCE)
"""What does not follow from anything."""

# The places as the ledger's first entries have them. They are trusted before the acceptances, because nothing but a
# rebuild can change an entry; but only when they make one sequence without gaps, in order of time.
_TOLD_BY_LEDGER = """
WITH given AS (
    SELECT acceptance_id, min(number) AS number, max(number) AS other, min(at) AS at, max(at) AS another
    FROM games_ratingevent WHERE correction_id IS NULL GROUP BY acceptance_id),
sound AS (
    SELECT number = other AND at = another AND number = row_number() OVER (ORDER BY number)
           AND at >= coalesce(lag(at) OVER (ORDER BY number), at) AS yes FROM given)
SELECT acceptance.id, given.number, given.at
FROM given JOIN games_acceptance AS acceptance ON acceptance.id = given.acceptance_id
WHERE (SELECT bool_and(yes) FROM sound)
  AND (acceptance.number, acceptance.accepted_at) IS DISTINCT FROM (given.number, given.at)
"""
# The same for corrections: each was done at the moment of its entries; its place among corrections and games follows.
_CORRECTIONS_TOLD = """
WITH given AS (
    SELECT correction_id AS id, min(at) AS at FROM games_ratingevent WHERE correction_id IS NOT NULL
    GROUP BY correction_id HAVING min(at) = max(at)),
dated AS (
    SELECT id, coalesce(given.at, correction.done_at) AS at
    FROM games_correction AS correction LEFT JOIN given USING (id) WHERE correction.done_at IS NOT NULL),
due AS (
    SELECT id, at, count(id) OVER so_far AS "order", coalesce(max(number) OVER so_far, 0) AS after
    FROM (SELECT id, NULL AS number, at FROM dated
          UNION ALL SELECT NULL, number, accepted_at FROM games_acceptance WHERE number IS NOT NULL) AS moments
    WINDOW so_far AS (ORDER BY at, number, id ROWS UNBOUNDED PRECEDING))
SELECT id, due."order", due.after, due.at FROM due JOIN games_correction AS correction USING (id)
WHERE (correction."order", correction.after, correction.done_at) IS DISTINCT FROM (due."order", due.after, due.at)
"""


class RebuildError(RuntimeError):
    """A damaged record or act, which cannot be repaired. Nothing was changed."""

    def __init__(self, left: list[Flaw]) -> None:
        super().__init__("\n".join(map(str, left)))
        self.left = left


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What was repaired."""

    repaired: Counter[str]
    """Flaws by what they were about."""


def rebuild(*, reason: str, now: datetime, progress: Callable[[], object] = bool) -> Rebuilt:
    """Repair what an audit finds, in one transaction, and delete snapshots that no longer agree.

    :raises RebuildError: when that is not possible.
    """
    found = _rebuild(reason, now, progress)
    if dropped := _drop_boards():
        found[flaws.BOARD] += dropped
        _note(reason, now, Counter({flaws.BOARD: dropped}))
    return Rebuilt(found)


def _note(reason: str, now: datetime, found: Counter[str]) -> None:
    Act.objects.create(kind=Act.Kind.LEDGER_REBUILT, at=now, reason=reason, params={"repaired": dict(found)})


@transaction.atomic
def _rebuild(reason: str, now: datetime, progress: Callable[[], object]) -> Counter[str]:
    lock_order()
    places = _mend_places() + _mend_corrections()
    found = Counter({flaws.SEQUENCE: places}) if places else Counter[str]()
    beyond: list[Flaw] = []
    for flaw in Audit(progress=progress).run():
        found[flaw.about] += 1
        beyond += [flaw] if flaw.about in _BEYOND else []
    if beyond:
        raise RebuildError(beyond)
    if found:
        _write_anew(ledger=bool(found[flaws.ENTRY] or found[flaws.SEATING]))
        if left := list(islice(Audit(progress=progress).run(), _CHUNK)):
            raise RebuildError(left)
        _note(reason, now, found)
    return found


def _drop_boards() -> int:
    """Delete snapshots that differ from the ledger, without blocking anybody. :returns: how many."""
    return sum(map(_drop_if_wrong, kept_boards(None)))


@transaction.atomic
def _drop_if_wrong(pk: int) -> bool:
    board = LeaderboardSnapshot.objects.select_for_update(of=("self",)).filter(pk=pk).first()
    wrong = board is not None and any(compare_board(board))
    if board and wrong:
        board.delete()
    return wrong


def _mend_places() -> int:
    """Restore the numbers of acceptances from the ledger. :returns: how many."""
    with connection.cursor() as cursor:
        cursor.execute(_TOLD_BY_LEDGER)
        wrong = cursor.fetchall()
    Acceptance.objects.filter(pk__in=[pk for pk, _, _ in wrong]).update(number=None, accepted_at=None, rating=None)
    for pk, number, at in wrong:
        Acceptance.objects.filter(pk=pk).update(number=number, accepted_at=at)
    return len(wrong)


def _mend_corrections() -> int:
    """Restore the numbers of corrections, and when they were done. :returns: how many."""
    with connection.cursor() as cursor:
        cursor.execute(_CORRECTIONS_TOLD)
        wrong = cursor.fetchall()
    Correction.objects.filter(pk__in=[pk for pk, *_ in wrong]).update(order=None, after=None, done_at=None)
    for pk, order, after, at in wrong:
        Correction.objects.filter(pk=pk).update(order=order, after=after, done_at=at)
    return len(wrong)


def _write_anew(*, ledger: bool) -> None:
    _mend_games()
    again = Recomputation(done_corrections())
    entries = again.run(games_on_record([]))
    if ledger:
        _clear_ledger()
        Acceptance.objects.filter(rating__isnull=False).update(rating=None)
    while chunk := [entry for _, entry in islice(entries, _CHUNK)]:
        if ledger:
            write_entries(chunk)
    _write_acts(again)
    _write_tables(again)


def _mend_games() -> None:
    """Store again what records say: digests, seats, places."""
    for row, summary, seats in list(repaired(accepted_games())):
        Game.objects.filter(pk=row.game).update(digest=summary.digest, ruleset=summary.ruleset)
        first = MoveLog.objects.filter(game=row.game).order_by("pk").values("pk")[:1]
        MoveLog.objects.filter(pk__in=first).update(game_digest=summary.digest)
        for seat, columns in seats:
            Seating.objects.filter(game=row.game, seat=seat.seat).update(
                **{name: value for name, value in columns.items() if name != "player"}, player_id=columns["player"]
            )


def _clear_ledger() -> None:
    """Delete all entries; the trigger that forbids this is disabled only in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks under way cannot be altered
        cursor.execute("ALTER TABLE games_ratingevent DISABLE TRIGGER append_only")
        cursor.execute("DELETE FROM games_ratingevent")
        cursor.execute("ALTER TABLE games_ratingevent ENABLE TRIGGER append_only")


def _write_acts(again: Recomputation) -> None:
    """Store on acceptances and players what corrections did, and on corrections how much they changed."""
    annulled = [pk for pk, gone in again.annulled.items() if gone]
    Acceptance.objects.filter(counts=False).exclude(pk__in=annulled).update(counts=True)
    Acceptance.objects.filter(pk__in=annulled).update(counts=False)
    merged = again.merged
    Player.objects.filter(merged_into__isnull=False).exclude(pk__in=list(merged)).update(merged_into=None)
    for player, into in merged.items():
        Player.objects.filter(pk=player).update(merged_into=into)
    for correction in again.corrections:
        Correction.objects.filter(pk=correction.pk).update(changed=again.changed[correction.pk])


def _write_tables(again: Recomputation) -> None:
    lines = again.lines()
    for derived in (LeaderboardSnapshot, DayRating, DayLedger):
        derived.objects.all().delete()  # they are made again when somebody asks for them
    Standing.objects.all().delete()
    Standing.objects.bulk_create(
        (Standing(ladder_id=line[0], player_id=line[1], **due_line(one)) for line, one in lines.items()),
        batch_size=_CHUNK,
    )
    RankBucket.objects.all().delete()
    RankBucket.objects.bulk_create(
        RankBucket(ladder_id=ladder, points=points, players=players) for (ladder, points), players in due_buckets(lines)
    )
    for ladder, counts in due_ladders(lines, again).items():
        Ladder.objects.filter(pk=ladder).update(**counts)
    BestRank.objects.all().delete()
    write_anew(Ladder.objects.order_by("pk").values_list("pk", flat=True))
