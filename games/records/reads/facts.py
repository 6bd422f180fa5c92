"""Which record of a game tells its facts, and how they were corrected."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import starmap
from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import gettext

from engine.agn.dates import days_of
from games.models import FactChange, Game, MoveLog, Upload
from games.records.reads.visibility import Viewer, records_for

TELLING_FIRST = F("fact_change__pk").desc(nulls_last=True)
"""The order of a game's records in which the one that corrected its facts last comes first."""


@dataclass(frozen=True, slots=True)
class FactsChanged:
    """A correction of facts about a game."""

    at: datetime
    by: str
    """Empty for a deleted account."""
    club: str
    """The name of the club for which an organiser made it; empty where the uploader did."""
    changes: tuple[tuple[str, str, str], ...]
    """Tag, value before and value after; empty for no tag."""
    comments: bool
    """Whether the comments are others, too."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return what changed, in the reader's language: `Date corrected: 2062-05-09 → 2026-05-09`."""
        return (*starmap(_sentence, self.changes), *([gettext("Comments corrected")] if self.comments else ()))

    @property
    def as_json(self) -> dict[str, Any]:
        """Return what changed, for programs."""
        changes = [{"tag": tag, "before": before, "after": after} for tag, before, after in self.changes]
        return {"changes": changes, "comments": self.comments, "sentence": "; ".join(self.sentences)}


def telling(game: Game) -> MoveLog | None:
    """Return the legal record that tells a game's facts: its first public one, unless a later one corrected them."""
    logs = MoveLog.objects.filter(game=game).exclude(record_digest="")
    return logs.order_by(TELLING_FIRST, "upload__private", "pk").first()


def is_telling(game: Game, log: int) -> bool:
    """Return whether a record tells the facts of its game, which may be rejected."""
    logs = MoveLog.objects.filter(game=game).order_by(TELLING_FIRST, "pk")
    return logs.values_list("pk", flat=True).first() == log


def changes_of(game: Game, viewer: Viewer) -> tuple[FactsChanged, ...]:
    """Return how the facts about a game were corrected, oldest first, as far as the viewer may read the records."""
    logs = MoveLog.objects.filter(records_for(game, viewer), game=game)
    found = _changes().filter(game=game, log__in=logs.values("pk"))
    return tuple(map(facts_changed, found.order_by("at", "pk")))


def changes_in(logs: Iterable[int]) -> dict[int, FactsChanged]:
    """Return what some records corrected, by their ids."""
    found = _changes().filter(log__in=list(logs))
    return {change.log_id: facts_changed(change) for change in found}


def corrected_by(log: MoveLog) -> FactsChanged | None:
    """Return what a record corrected, if anything; without a query where it is read with its `fact_change`."""
    change: FactChange | None = getattr(log, "fact_change", None)
    return facts_changed(change) if change and (change.changes or change.comments) else None


def corrections_in(upload: Upload) -> int:
    """Return how many records of an upload corrected facts about their games."""
    return _changes().filter(log__upload=upload).count()


def _sentence(tag: str, before: str, after: str) -> str:
    if not before:
        return gettext("{tag} added: {after}").format(tag=tag, after=_said(after))
    if not after:
        return gettext("{tag} removed: {before}").format(tag=tag, before=_said(before))
    values = {"before": _said(before), "after": _said(after)}
    return gettext("{tag} corrected: {before} → {after}").format(tag=tag, **values)


def _said(value: str) -> str:
    """Return a value; days as other pages show them."""
    days = days_of(value)
    return str(days) if days else value


def _changes() -> "QuerySet[FactChange]":
    """Return those that changed anything."""
    return FactChange.objects.exclude(changes=[], comments=False).select_related("by", "club")


def facts_changed(change: FactChange) -> FactsChanged:
    """Return a correction as a value."""
    return FactsChanged(
        at=change.at,
        by=change.by.get_username() if change.by else "",
        club=change.club.name if change.club else "",
        changes=tuple([(one["tag"], one["before"], one["after"]) for one in change.changes]),
        comments=change.comments,
    )
