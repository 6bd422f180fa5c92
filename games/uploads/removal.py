"""Removing the rejected records of an upload from its report and from all lists, on its uploader's request, and back.

Verdicts and acts are only ever added, so the records are kept: they are hidden from everybody, and their games from
everybody but moderators.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, OuterRef

from games.models import Act, Game, MoveLog, RemovedRecord, Upload, VerdictCount
from games.models.records import VerdictKind
from games.records.reads.visibility import Viewer
from games.uploads import counts
from games.uploads.controls import ControlError


@transaction.atomic
def remove_rejected(upload: Upload, by: AbstractBaseUser, *, now: datetime) -> int:
    """Remove the rejected records of an upload that are not corrected. :returns: how many.

    :raises ControlError: when they are not this account's own, or some records have no verdict yet.
    """
    held = _held(upload, by)
    judged = (MoveLog.State.JUDGED, MoveLog.State.DRY_RUN)
    others = MoveLog.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    rejected = held.logs.filter(
        ~Exists(others), verdict=VerdictKind.REJECTED, state__in=judged, corrected=None, removed=None
    )
    logs = list(rejected.select_related("game").only("pk", "rule", "game__private"))
    RemovedRecord.objects.bulk_create(
        RemovedRecord(log=log, was_private=log.game.private if log.game else True) for log in logs
    )
    _turn([log.game.pk for log in logs if log.game and not log.game.private], by, private=True, now=now)
    _recount(held, logs, 1, now)
    return len(logs)


@transaction.atomic
def restore_removed(upload: Upload, by: AbstractBaseUser, *, now: datetime) -> int:
    """Bring the removed records of an upload back, as they were. :returns: how many.

    :raises ControlError: when they are not this account's own, or some records have no verdict yet.
    """
    held = _held(upload, by)
    logs = list(
        held.logs.filter(removed__isnull=False).select_related("removed").only("pk", "rule", "game_id", "removed")
    )
    public = [log.game_id for log in logs if log.game_id and not log.removed.was_private]
    RemovedRecord.objects.filter(log__in=[log.pk for log in logs]).delete()
    _turn(public, by, private=False, now=now)
    _recount(held, logs, -1, now)
    return len(logs)


def may_remove(upload: Upload, viewer: Viewer) -> bool:
    """Return whether somebody may do this now: the uploader, once every record has its verdict."""
    return viewer.is_authenticated and upload.uploader_id == viewer.pk and upload.done_at is not None


def _held(upload: Upload, by: AbstractBaseUser) -> Upload:
    held = Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)
    if held.uploader_id != by.pk:
        raise ControlError("not_uploader", "Only the account that uploaded these records can remove them.")
    if held.done_at is None:
        raise ControlError("under_way", "Some records have no verdict yet. Remove rejected ones when all are checked.")
    return held


def _turn(games: Sequence[int], by: AbstractBaseUser, *, private: bool, now: datetime) -> None:
    """Hide the games of rejected records, or show them: nobody sat at them, and they count nowhere."""
    Game.objects.filter(pk__in=games).update(private=private, owner=by if private else None)
    kind = Act.Kind.GAME_HIDDEN if private else Act.Kind.GAME_SHOWN
    Act.objects.bulk_create(Act(kind=kind, by_id=by.pk, at=now, game_id=game) for game in games)


def _recount(upload: Upload, logs: Sequence[MoveLog], sign: int, now: datetime) -> None:
    """Count logs as removed, or as rejected again; first what is more, lest the upload seem undone meanwhile."""
    changes = [(VerdictCount.Kind.REMOVED, "", sign * len(logs))]
    changes += [(VerdictCount.Kind.REJECTED, rule, -sign * n) for rule, n in Counter(log.rule for log in logs).items()]
    for kind, rule, games in sorted(changes, key=lambda change: -change[2]):
        counts.recount(upload.pk, kind, games, rule=rule, at=now)
