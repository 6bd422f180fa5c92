"""The results of an upload, record by record."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from engine.words import render
from games.clubs.reads.accepted import games_for_club
from games.models import Game, MoveLog, Upload, Verdict
from games.models.records import VerdictKind
from games.records.reads.facts import corrected_by
from games.records.reads.rulebook import RuleLink, rule_link
from games.records.reads.titles import ruleset_title
from games.records.reads.visibility import Viewer
from games.sentences import translated
from games.uploads.reads.corrections import RecordAt, corrections_of
from games.uploads.reads.pace import Pace, all_checked, counted, pace_of
from games.uploads.reads.progress import Progress, progress_of
from games.uploads.reads.report import first_records
from games.uploads.reads.results import Choice, Slice, slice_of
from games.uploads.reads.warnings import warnings_of
from games.web.labels import Stamp, stamp_of
from games.web.rows import SeatShown, named
from games.web.uploads.correcting import (
    SIZE,
    Correcting,
    JustCorrected,
    correcting_of,
    correction_url,
    just_corrected,
    next_url,
    record_url,
    sort_of,
)
from games.web.uploads.kinds import BrokenRow, Kind, Orders, broken_of, kinds_of, orders_of, query_of, report_on
from games.web.uploads.stage import Stage, stage_of
from games.web.uploads.verdict import VerdictPanel, verdict_panel
from games.webhooks.reads import delivery_of, tries_of

_LONG = timedelta(seconds=20)
"""After so much time without a verdict the page says that nothing is lost."""
_FIRST_LOOKS = 10
"""So many times a page looks again after a second; then ever more slowly."""
_SLOWEST = 15


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The result of one record."""

    number: int
    file: str
    """Its file in an archive; empty for a plain file."""
    line: int
    stamp: Stamp
    waits: bool
    seats: tuple[SeatShown, ...]
    ruleset: str
    plies: int
    url: str | None
    known: bool
    """Whether the game had been uploaded before."""
    other_names: bool
    """Whether the same moves are known with other players, and that seating is shown."""
    corrected: tuple[str, ...]
    """Which facts about the game the record corrected, as sentences."""
    sentence: str
    rule: RuleLink | None
    place: tuple[int, int] | None
    """The line of the file and the column at fault."""
    fix: str
    """Where a rejected record can be fixed."""
    correction: str
    """The page of the record that corrects a rejected one; empty if there is none."""


@dataclass(frozen=True, slots=True)
class ClubNote:
    """The club for which an upload's games count."""

    name: str
    url: str
    accepted: bool
    """Whether they were accepted; that waits for the last verdict."""
    games: int


@dataclass(frozen=True, slots=True)
class TryShown:
    """One attempt to notify."""

    at: datetime
    status: int | None
    sentence: str
    """Why there was no answer."""


@dataclass(frozen=True, slots=True)
class DeliveryShown:
    """An address that is notified when the upload is done."""

    url: str
    sent_at: datetime | None
    next_at: datetime | None
    done: bool
    """Whether the upload is."""
    tries: tuple[TryShown, ...]


class Asked(NamedTuple):
    """What the address of an upload's page asks for."""

    after: int
    """The number of the record after which the list begins."""
    choice: Choice
    corrected: int
    """The number of the record that was corrected just now; 0 if none was."""


@dataclass(frozen=True, slots=True)
class UploadPage:
    """An upload and a page of its records' results."""

    id: str
    url: str
    report: str
    """Where programs read what was found."""
    watch: str
    """Where they read how it comes on."""
    filename: str
    received_at: datetime
    progress: Progress
    pace: Pace
    kinds: tuple[Kind, ...]
    broken: tuple[BrokenRow, ...]
    rule: RuleLink | None
    """The rule by which the records here were chosen."""
    query: str
    """What was chosen, as the address says it."""
    orders: Orders | None
    """By number or by file; none if there is just one order."""
    rows: tuple[ResultRow, ...]
    warnings: tuple[str, ...]
    """What may be wrong with the file."""
    after: int
    """The number of the record after which this page begins."""
    first: int
    """The numbers of the first record here and of the last; of none 0."""
    last: int
    previous: int | None
    """Where the page before begins, as the number of the record before it."""
    next: int | None
    scored: bool
    private: bool
    dry_run: bool
    repeats: str
    """The page of the earlier upload of the same file; empty if there is none."""
    club: ClubNote | None
    delivery: DeliveryShown | None
    """The webhook that is notified when it is done; shown to its uploader only."""
    quiet: bool
    """Whether records wait and nothing has happened for long."""
    stage: Stage
    verdict: VerdictPanel | None
    """Of the one record of an upload that has just one, once it is judged."""
    correcting: Correcting | None
    """What leads on from that record."""
    next_rejected: str
    """The page of the first rejected record that is not corrected; empty if there is none."""
    just_corrected: JustCorrected | None

    @property
    def seen(self) -> str:
        """Return a summary of what is shown: when it changes, there is something new."""
        accepted = "a" if self.club and self.club.accepted else ""
        coming = f"-{self.stage.percent}-{self.progress.total}" if self.stage.is_coming else ""
        return f"{self.progress.done}{'q' if self.quiet else ''}{accepted}{coming}"

    @property
    def is_filtered(self) -> bool:
        """Return whether only some records are listed."""
        return self.query.startswith("show=")

    @property
    def total(self) -> str:
        """Return how many records there are."""
        return counted(self.progress.total)

    @property
    def corrected(self) -> str:
        """Return how many of the rejected ones are corrected."""
        return counted(self.progress.corrected)

    @property
    def removed(self) -> str:
        """Return how many rejected ones were removed."""
        return counted(self.progress.removed)

    @property
    def waiting(self) -> str:
        """Return how many of them wait."""
        return counted(self.progress.waiting)

    @property
    def waits(self) -> bool:
        """Return whether further results will come by themselves."""
        if self.stage.paused or self.stage.state == Upload.State.RECEIVING:
            return False
        if self.stage.is_coming or self.progress.waiting:
            return True
        return self.club is not None and not self.club.accepted and self.stage.state != Upload.State.CANCELLED

    @property
    def large(self) -> bool:
        """Return whether it has more than a page of records, so that only its progress is watched."""
        return self.pace.expected > SIZE or self.pace.growing

    @property
    def only(self) -> ResultRow | None:
        """Return the one record of an upload that has just one."""
        return self.rows[0] if self.progress.total == 1 and self.rows else None

    @property
    def checked(self) -> str:
        """Return the sentence for an upload in which nothing waits any more."""
        row = self.only
        if row is None:
            return all_checked(self.progress.total)
        if row.stamp.kind == VerdictKind.VERIFIED:
            return ngettext(
                "Verified: its {n} action is legal", "Verified: all {n} actions are legal", row.plies
            ).format(n=row.plies)
        if row.stamp.kind == VerdictKind.UNFINISHED:
            return gettext("Unfinished, and legal so far")
        return gettext("The game was checked.")


def upload_page(
    upload: Upload, viewer: Viewer, asked: Asked, *, with_suggestions: bool = True, now: datetime
) -> UploadPage:
    """Return the results of an upload's records, or of the chosen ones, from one on.

    Long because it fills a line for each field.

    :param with_suggestions: whether to look for what could fix the only record.
    """
    progress = progress_of(upload, viewer)
    orders, choice, found = _found(upload, viewer, asked.choice, asked.after)
    sort = sort_of(upload, choice.sort)
    firsts = first_records(upload, viewer, [log.pk for log in found.logs])
    corrections = corrections_of([log.pk for log in found.logs], viewer) if progress.corrected else {}
    verdict = _only_verdict(upload, progress, found.logs, known=bool(firsts), with_suggestions=with_suggestions)
    return UploadPage(
        id=str(upload.pk),
        url=upload.get_absolute_url(),
        report=report_on(upload, choice),
        watch=reverse("api-upload-progress", args=[upload.pk]),
        filename=upload.filename,
        received_at=upload.received_at,
        progress=progress,
        pace=pace_of(upload, progress),
        kinds=tuple(kinds_of(upload, progress, choice)),
        broken=tuple(broken_of(upload, viewer, progress)),
        rule=rule_link(choice.rule) if choice.rule else None,
        query=query_of(choice),
        orders=orders,
        rows=tuple(_row(log, corrections.get(log.pk), known=log.pk in firsts, sort=sort) for log in found.logs),
        warnings=tuple(warnings_of(upload)),
        after=asked.after,
        first=found.first,
        last=found.last,
        previous=found.previous,
        next=found.next,
        scored=upload.scored,
        private=upload.private,
        dry_run=upload.dry_run,
        repeats=upload.repeats.get_absolute_url() if upload.repeats else "",
        club=_club(upload),
        delivery=_delivery(upload, viewer),
        stage=stage_of(upload, viewer, progress),
        verdict=verdict,
        correcting=correcting_of(upload, found.logs[0], viewer, sort=asked.choice.sort) if verdict else None,
        next_rejected=next_url(upload, viewer, after=0, sort=sort) if progress.rejected > progress.corrected else "",
        just_corrected=just_corrected(upload, asked.corrected, viewer, sort=sort) if asked.corrected else None,
        quiet=bool(progress.waiting) and not upload.paused and now - (upload.judged_at or upload.received_at) > _LONG,
    )


def _found(upload: Upload, viewer: Viewer, choice: Choice, after: int) -> tuple[Orders | None, Choice, Slice]:
    """Return the chosen records, in which orders they can be listed, and what was chosen of that."""
    orders = orders_of(upload, choice) if choice.sort else None
    choice = choice if orders else replace(choice, sort="")
    found = slice_of(upload, viewer, choice, after=after, size=SIZE)
    if orders is None and any(log.entry_id for log in found.logs):
        orders = orders_of(upload, choice)
    return orders, choice, found


def _only_verdict(
    upload: Upload, progress: Progress, logs: list[MoveLog], *, known: bool, with_suggestions: bool
) -> VerdictPanel | None:
    if progress.total != 1 or not logs or upload.state in Upload.UNSPLIT:
        return None
    judged = logs[0].state in (MoveLog.State.JUDGED, MoveLog.State.DRY_RUN)
    return verdict_panel(upload, logs[0], known=known, with_suggestions=with_suggestions) if judged else None


def _delivery(upload: Upload, viewer: Viewer) -> DeliveryShown | None:
    found = delivery_of(upload, viewer)
    if found is None:
        return None
    tries = tuple(TryShown(one.at, one.status, render(one.template, one.params, translated)) for one in tries_of(found))
    return DeliveryShown(found.url, found.sent_at, found.next_at, upload.done_at is not None, tries)


def _club(upload: Upload) -> ClubNote | None:
    club, accepted = upload.club, upload.accepted_at is not None
    if club is None or upload.repeats_id:
        return None
    return ClubNote(club.name, club.get_absolute_url(), accepted, games_for_club(upload) if accepted else 0)


def wait_before(look: int) -> int:
    """Return how many milliseconds a page waits before it asks again; most single games are verified by then."""
    if look <= 1:
        return 400
    return 1000 * (1 if look < _FIRST_LOOKS else min(_SLOWEST, 1 + (look - _FIRST_LOOKS) // 5))


def _row(log: MoveLog, correction: RecordAt | None, *, known: bool, sort: str) -> ResultRow:
    verdict = next(iter(log.verdicts.all()), None)
    game = log.game
    waits = log.state in (MoveLog.State.WAITING, MoveLog.State.RUNNING, MoveLog.State.HELD)
    return ResultRow(
        number=log.number,
        file=log.entry.name if log.entry else "",
        line=log.line,
        stamp=stamp_of(log, verdict),
        waits=waits,
        seats=tuple(named(game or Game(), log.names)),
        ruleset=ruleset_title(game.ruleset) if game and game.ruleset else "",
        plies=game.plies if game else (verdict and verdict.plies) or 0,
        url=game.get_absolute_url() if game else None,
        known=known,
        other_names=game is not None and game.same_as_id is not None,
        corrected=corrected.sentences if (corrected := corrected_by(log)) else (),
        sentence=verdict.sentence if verdict else "",
        rule=rule_link(verdict.rule) if verdict and verdict.rule else None,
        place=_place(verdict),
        fix=record_url(log.upload_id, log.number, sort=sort) if verdict and verdict.rule else "",
        correction=correction_url(correction, sort=sort),
    )


def _place(verdict: Verdict | None) -> tuple[int, int] | None:
    if verdict is None or verdict.line is None or verdict.column is None:
        return None
    return verdict.line, verdict.column
