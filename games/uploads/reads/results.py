"""Filtering an upload's records by verdict, and ordering them by number or file, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db import connection
from django.db.models import F, Prefetch, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from games.models import MoveLog, Upload, Verdict, VerdictCount
from games.models.records import VerdictKind
from games.records.reads.visibility import Viewer, logs_for
from games.uploads.reads.progress import verdict_counts_of

EXAMPLES = 3
"""Of the records that break a rule, so many are shown where rules are listed."""
REACH = 10_000
"""Records among which verified ones are looked for at a time: most are, and no index knows them."""
MOST_SORTED = 20_000
"""Records that are sorted by the names of their files: no index knows these."""
_INDEXED = (VerdictKind.UNFINISHED.value, VerdictKind.REJECTED.value)


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter for records: one verdict, or quarantined, or rejected by one rule; all records if empty."""

    verdict: str = ""
    rule: str = ""
    sort: Literal["", "file"] = ""
    """By the names of the files in an archive, then by number; if empty by number alone, as they are in the upload."""


ALL = Choice()


@dataclass(frozen=True, slots=True)
class Slice:
    """Some records in order, and the numbers after which the previous and next slices begin."""

    logs: list[MoveLog]
    previous: int | None
    next: int | None

    @property
    def first(self) -> int:
        """The number of the first record; 0 if there is none."""
        return self.logs[0].number if self.logs else 0

    @property
    def last(self) -> int:
        """The number of the last record; 0 if there is none."""
        return self.logs[-1].number if self.logs else 0


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule, how many records break it first, and the first of those."""

    rule: str
    records: int
    examples: list[MoveLog]


def slice_of(upload: Upload, viewer: Viewer, choice: Choice = ALL, *, after: int = 0, size: int = 100) -> Slice:
    """Return the chosen records that somebody may see, those after a number, with games and verdicts."""
    found = numbers_of(upload, choice, after=after, size=size + 1)
    here, more = found[:size], found[size:]
    following = here[-1] if more else resume_after(upload, choice, after)
    earlier = numbers_of(upload, choice, after=after, size=size + 1, backwards=True) if after else []
    if choice.sort:
        previous = earlier[size] if len(earlier) > size else (0 if after else None)
    else:
        previous = earlier[:size][-1] - 1 if earlier else (0 if after else None)
    return Slice(_records(upload, viewer, here), previous, following)


def is_only_rejected(pk: UUID) -> bool:
    """Return whether an upload has just one record and that was rejected."""
    return list(MoveLog.objects.filter(upload=pk).values_list("verdict", flat=True)[:2]) == [VerdictKind.REJECTED]


def numbers_of(upload: Upload, choice: Choice, *, after: int, size: int, backwards: bool = False) -> list[int]:
    """Return the numbers of the chosen records that follow a number, or lead up to it."""
    if choice.sort:
        return _sorted_numbers(upload, choice, after, size, backwards=backwards)
    if choice.verdict in _INDEXED:
        return [number for number, _ in _indexed(upload, _kinds(upload, choice), after, size, backwards=backwards)]
    there = upload.logs.filter(removed=None)
    logs = there.filter(number__lte=after) if backwards else there.filter(number__gt=after)
    if choice.verdict == VerdictCount.Kind.QUARANTINED:
        logs = logs.filter(state=MoveLog.State.QUARANTINED)
    elif choice.verdict:
        within = {"number__gt": after - REACH} if backwards else {"number__lte": after + REACH}
        logs = logs.filter(verdict=choice.verdict, **within)
    return list(logs.order_by("-number" if backwards else "number").values_list("number", flat=True)[:size])


def resume_after(upload: Upload, choice: Choice, after: int) -> int | None:
    """Return the number after which to continue the search; None if all records were searched."""
    far = after + REACH
    return far if not choice.sort and choice.verdict == VerdictKind.VERIFIED and far < upload.split_logs else None


def may_sort(upload: Upload, choice: Choice) -> bool:
    """Return whether the chosen records can be sorted by file: of an archive with several files, and not too many."""
    if len(upload.entries.values_list("pk")[:2]) < 2:  # noqa: PLR2004 (one file has one order)
        return False
    if not choice.verdict:
        return upload.split_logs <= MOST_SORTED
    kinds = [one for one in verdict_counts_of(upload) if one.verdict == choice.verdict]
    return sum(one.games for one in kinds if choice.rule in ("", one.rule)) <= MOST_SORTED


def _sorted_numbers(upload: Upload, choice: Choice, after: int, size: int, *, backwards: bool) -> list[int]:
    logs = upload.logs.filter(removed=None).annotate(file=Coalesce(F("entry__name"), Value("")))
    if choice.verdict == VerdictCount.Kind.QUARANTINED:
        logs = logs.filter(state=MoveLog.State.QUARANTINED)
    elif choice.verdict:
        logs = logs.filter(verdict=choice.verdict, **({"rule": choice.rule} if choice.rule else {}))
    if after:
        file = MoveLog.objects.filter(upload=upload, number=after).values_list("entry__name", flat=True).first() or ""
        beyond = ("lt", "lte") if backwards else ("gt", "gt")
        logs = logs.filter(Q(**{f"file__{beyond[0]}": file}) | Q(**{"file": file, f"number__{beyond[1]}": after}))
    order = ("-file", "-number") if backwards else ("file", "number")
    return list(logs.order_by(*order).values_list("number", flat=True)[:size])


def broken_rules(upload: Upload, viewer: Viewer) -> list[Broken]:
    """Return the rules that rejected records of an upload, the most frequent first, with the first records of each."""
    counts = [one for one in verdict_counts_of(upload) if one.rule]
    found = _indexed(upload, [(one.verdict, one.rule) for one in counts], 0, EXAMPLES, apart=True) if counts else []
    logs = {log.number: log for log in _records(upload, viewer, [number for number, _ in found])}
    return [
        Broken(
            one.rule,
            one.games,
            [logs[number] for number, rule in found if rule == one.rule and number in logs],
        )
        for one in counts
    ]


def _kinds(upload: Upload, choice: Choice) -> list[tuple[str, str]]:
    """Return what is chosen, rule by rule, each in an index's order."""
    counts = ((counted.verdict, counted.rule) for counted in verdict_counts_of(upload))
    return [(verdict, rule) for verdict, rule in counts if verdict == choice.verdict and choice.rule in ("", rule)]


_OF_KINDS = """
SELECT number, kind.rule FROM unnest(%(verdicts)s::text[], %(rules)s::text[]) AS kind (verdict, rule)
CROSS JOIN LATERAL (
    SELECT number FROM games_movelog AS log
    WHERE log.upload_id = %(upload)s AND log.verdict = kind.verdict AND log.verdict IN ('unfinished', 'rejected')
        AND log.rule = kind.rule AND log.number {beyond} %(after)s
        AND NOT EXISTS (SELECT FROM games_removedrecord AS removed WHERE removed.log_id = log.id)
    ORDER BY log.number {order} LIMIT %(size)s
) AS found ORDER BY number {order}
"""


def _indexed(
    upload: Upload,
    kinds: Sequence[tuple[str, str]],
    after: int,
    size: int,
    *,
    backwards: bool = False,
    apart: bool = False,
) -> list[tuple[int, str]]:
    """Return the numbers and rules of records of some kinds.

    :param apart: so many of each kind, not of all together.
    """
    sql = _OF_KINDS.format(beyond="<=" if backwards else ">", order="DESC" if backwards else "ASC")
    values: dict[str, Any] = {
        "verdicts": [verdict for verdict, _ in kinds],
        "rules": [rule for _, rule in kinds],
        "upload": upload.pk,
        "after": after,
        "size": size,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql if apart else f"{sql} LIMIT %(size)s", values)
        return [(number, rule) for number, rule in cursor]


def _records(upload: Upload, viewer: Viewer, numbers: Sequence[int]) -> list[MoveLog]:
    if not numbers:
        return []
    logs: QuerySet[MoveLog] = upload.logs.filter(logs_for(viewer), number__in=numbers)
    logs = logs.select_related("game", "entry", "fact_change__by", "fact_change__club")
    verdicts = Verdict.objects.order_by("-pk")
    found = {log.number: log for log in logs.prefetch_related(Prefetch("verdicts", verdicts)).defer("text", "data")}
    return [found[number] for number in numbers if number in found]
