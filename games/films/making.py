"""Making films: an attempt is counted before the work, and a worker that was late stores nothing."""

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import QuerySet

from games.films.encoding import encoded
from games.films.frames import drawings, frames
from games.films.reads import films_due
from games.models import Film
from games.records.reads.pictures import scenes_of
from games.records.reads.visibility import NOBODY

_log = structlog.get_logger()

LEASE = timedelta(minutes=10)
"""Longer than the task's hard time limit."""
MOST_ATTEMPTS = 2


def make_due(*, now: Callable[[], datetime], has_time: Callable[[], bool]) -> int:
    """Make films until none waits or time is up. :returns: how many were made."""
    made = 0
    while has_time() and (film := _claimed(now())):
        made += _make(film, now)
    return made


@transaction.atomic
def _claimed(now: datetime) -> Film | None:
    """Return a film that nobody else makes; one that has failed too often is given up."""
    for film in films_due(now).defer("data").select_for_update(skip_locked=True)[:10]:
        if film.attempts >= MOST_ATTEMPTS:
            _give_up(film)
            continue
        film.attempts, film.state, film.leased_until = film.attempts + 1, Film.State.MAKING, now + LEASE
        film.save(update_fields=["attempts", "state", "leased_until"])
        return film
    return None


def _give_up(film: Film) -> None:
    _mine(film).update(state=Film.State.FAILED, leased_until=None, asked_by="")


def _make(film: Film, now: Callable[[], datetime]) -> bool:
    try:
        data = film_file(film)
    except Exception:  # noqa: BLE001 - whatever fails, a film must not be tried for ever, nor hold up the others
        _log.exception("film.failed", film=film.pk)
        _give_up(film)
        return False
    done = {"state": Film.State.MADE, "made_at": now(), "leased_until": None, "asked_by": ""}
    return _mine(film).update(data=data, bytes=len(data), **done) == 1


def film_file(film: Film) -> bytes:
    """Return the file of a film. Strangers' view of the game is enough: every record of it has the same positions."""
    scenes = scenes_of(film.game, NOBODY)
    drawn = drawings(scenes, film.first, film.last, size=film.size, theme=film.theme, pace=film.pace)
    return encoded(film.form, frames(drawn))


def _mine(film: Film) -> "QuerySet[Film]":
    """Return the film while it is still at this attempt."""
    return Film.objects.filter(pk=film.pk, attempts=film.attempts).exclude(state=Film.State.MADE)
