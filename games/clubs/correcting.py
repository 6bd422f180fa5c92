"""Date and event of a game of a club, corrected by its organisers: by a record that says the same but for these.

The record is stored like any upload, and so what was before stays on record; the play and the players stay as they are.
"""

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from engine.agn.lines import json_line, json_of_text
from engine.agn.log import Record
from engine.verify import ENGINE_VERSION, verify
from games.clubs.errors import ClubError
from games.clubs.locking import locked_club
from games.clubs.organising import check_runs, one_line
from games.models import Acceptance, Club, FactChange, Game, MoveLog, Upload
from games.records.facts import tell
from games.records.reads.facts import telling
from games.records.reads.visibility import Viewer
from games.uploads.origin import Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import submit
from games.verification.store import Found, store_alone

_TAGS = {"date": "Date", "event": "Event"}
"""What an organiser corrects, with its tag."""


def date_and_event(game: Game) -> dict[str, str]:
    """Return what an organiser can correct: the date and the event, empty where there is none."""
    told = telling(game)
    tags = json_of_text(told.text)["tags"] if told else {}
    return {name: tags.get(tag, "") for name, tag in _TAGS.items()}


def clubs_correcting(game: Game, account: Viewer) -> "QuerySet[Club]":
    """Return the clubs for which a game counts and which an account runs."""
    counted = Acceptance.objects.filter(game=game, number__isnull=False).values("ladder")
    return Club.objects.filter(ladders__in=counted, organisers=account.pk).distinct().order_by("name", "pk")


@transaction.atomic
def correct_facts(game: Game, club: Club, said: Mapping[str, str], *, by: AbstractBaseUser, now: datetime) -> None:
    """Correct date or event of a game that counts for a club; games as they were before stay on record.

    :param said: by `date` and `event`; empty to remove it. A date may be written as in the tag or as in ISO 8601.
    :raises ClubError: when `by` does not run the club, the game does not count for it, or there is no such date.
    """
    club = locked_club(club.pk)
    check_runs(club, by)
    told = telling(game)
    if told is None or not clubs_correcting(game, by).filter(pk=club.pk).exists():
        raise ClubError("not_counted", "This game does not count for {club}.", club=club.name)
    record = json_of_text(told.text)
    tags = record["tags"] | {_TAGS[name]: _tidy(name, value) for name, value in said.items()}
    record["tags"] = {name: value for name, value in tags.items() if value or name not in _TAGS.values()}
    if record["tags"] != json_of_text(told.text)["tags"]:
        # Empty lines make a file of its own of what was said before, so that it counts as said later.
        data = json_line(record).encode() + b"\n" * game.fact_changes.count()
        _tell(game, club, data, by, now)


def _tidy(name: str, value: str) -> str:
    return value.strip().replace("-", ".") if name == "date" else one_line(value, name)


def _tell(game: Game, club: Club, data: bytes, by: AbstractBaseUser, now: datetime) -> None:
    """Store a record that confirms nothing, and let its facts apply."""
    found = verify(Record(1, 1, "json", data, day=now.date()))
    if found.fault:
        raise ClubError("bad_facts", found.fault.template, **found.fault.params)
    origin = Origin(Upload.Via.WEB, by, UploadOptions(scored=False))
    log = submit(Source.of(data, "facts.json"), origin, now=now).upload.logs.get()
    MoveLog.objects.filter(pk=log.pk).update(state=MoveLog.State.RUNNING, attempts=1, fence=1)
    store_alone(Found(log.pk, 1, found), engine=ENGINE_VERSION, now=now, at=now)
    # Who uploaded the game first has corrected it by uploading the record.
    if not FactChange.objects.filter(log=log).update(club=club):
        tell(game, MoveLog.objects.get(pk=log.pk), by=by.pk, at=now, club=club)
