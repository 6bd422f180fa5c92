"""Removing the rejected records of an upload from its report and from all lists, on its uploader's request, and back.

Verdicts and acts are only ever added, so the records are kept: they are hidden from everybody, and their games from
everybody but moderators. However many they are, the database turns them in one statement.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction

from games.models import Act, Upload, VerdictCount
from games.records.reads.visibility import Viewer
from games.uploads import counts
from games.uploads.controls import ControlError

_REMOVED = """
WITH removed AS (
    INSERT INTO games_removedrecord (log_id, was_private)
    SELECT log.id, coalesce(game.private, true)
    FROM games_movelog AS log LEFT JOIN games_game AS game ON game.id = log.game_id
    WHERE log.upload_id = %(upload)s AND log.verdict = 'rejected' AND log.state IN ('judged', 'dry_run')
        AND NOT EXISTS (SELECT FROM games_correctedrecord WHERE rejected_id = log.id)
        AND NOT EXISTS (SELECT FROM games_removedrecord WHERE log_id = log.id)
        AND NOT EXISTS (SELECT FROM games_movelog AS other WHERE other.game_id = log.game_id AND other.id <> log.id)
    RETURNING log_id, was_private
), turned AS (
    SELECT log.rule, log.game_id, removed.was_private
    FROM removed JOIN games_movelog AS log ON log.id = removed.log_id
)"""
_RESTORED = """
WITH turned AS (
    DELETE FROM games_removedrecord AS removed USING games_movelog AS log
    WHERE log.id = removed.log_id AND log.upload_id = %(upload)s
    RETURNING log.rule, log.game_id, removed.was_private
)"""
_TURN = """, games AS (
    UPDATE games_game AS game SET private = %(private)s, owner_id = %(owner)s
    FROM turned WHERE game.id = turned.game_id AND NOT turned.was_private
    RETURNING game.id
), acts AS (
    INSERT INTO games_act (kind, by_id, at, reason, game_id, params)
    SELECT %(kind)s, %(by)s, %(at)s, '', id, '{}' FROM games
)
SELECT rule, count(*) FROM turned GROUP BY rule
"""
"""Hide the games of rejected records, or show them: nobody sat at them, and they count nowhere."""


@transaction.atomic
def remove_rejected(upload: Upload, by: AbstractBaseUser, *, now: datetime) -> int:
    """Remove the rejected records of an upload that are not corrected. :returns: how many.

    :raises ControlError: when they are not this account's own, or some records have no verdict yet.
    """
    held = _held(upload, by)
    rules = _turned(_REMOVED + _TURN, held, by, private=True, now=now)
    return _recount(held, rules, 1, now)


@transaction.atomic
def restore_removed(upload: Upload, by: AbstractBaseUser, *, now: datetime) -> int:
    """Bring the removed records of an upload back, as they were. :returns: how many.

    :raises ControlError: when they are not this account's own, or some records have no verdict yet.
    """
    held = _held(upload, by)
    rules = _turned(_RESTORED + _TURN, held, by, private=False, now=now)
    return _recount(held, rules, -1, now)


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


def _turned(sql: str, upload: Upload, by: AbstractBaseUser, *, private: bool, now: datetime) -> dict[str, int]:
    """Run a statement. :returns: how many records it turned, by the rule that they break."""
    values: dict[str, Any] = {
        "upload": upload.pk,
        "private": private,
        "owner": by.pk if private else None,
        "kind": Act.Kind.GAME_HIDDEN.value if private else Act.Kind.GAME_SHOWN.value,
        "by": by.pk,
        "at": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return dict(cursor.fetchall())


def _recount(upload: Upload, rules: dict[str, int], sign: int, now: datetime) -> int:
    """Count records as removed, or as rejected again; first what is more, lest the upload seem undone meanwhile."""
    total = sum(rules.values())
    changes = [(VerdictCount.Kind.REMOVED, "", sign * total)]
    changes += [(VerdictCount.Kind.REJECTED, rule, -sign * games) for rule, games in rules.items()]
    for kind, rule, games in sorted(changes, key=lambda change: -change[2]):
        counts.recount(upload.pk, kind, games, rule=rule, at=now)
    return total
