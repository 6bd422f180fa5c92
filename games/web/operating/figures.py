"""The figures of the operators' page: what waits, how the servers are, which verdicts there are, what is asked for."""

import re
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext, gettext_lazy

from games.models import Acceptance, AccountMail, Correction, MoveLog, Notice, Upload
from games.platform import counted, postgres, replica
from games.platform.broker import depth_of_queues
from games.platform.disks import Disk, disks
from games.playing.reads.alarms import count_alarms
from games.verification.reads import count_lapsed, count_verdicts, oldest_waiting_seconds, quarantined
from games.web.labels import Label

# From here on the alert rules in deploy/prometheus warn, too.
_LATE, _LONG = 300, 3600
_FULL, _CROWDED = 0.1, 0.8
_ROUTES = 12
"""How many of the busiest are shown."""
_NAMED = re.compile(r"\(\?P(<\w+>)[^()]*\)")
"""A part of an address with its name and what it may be."""
_ENDS = re.compile(r"\^|\$$|\\Z$")
_FOLDERS: dict[str, Label] = {
    "spool": gettext_lazy("Free for large requests"),
    "dumps": gettext_lazy("Free for dumps"),
}
_VERDICTS: dict[str, Label] = {
    "verified": gettext_lazy("Verified records"),
    "unfinished": gettext_lazy("Unfinished records"),
    "rejected": gettext_lazy("Rejected records"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, and whether somebody should look into it."""

    name: Label
    value: int | str | Label
    is_bad: bool = False


@dataclass(frozen=True, slots=True)
class RouteShown:
    """What was asked for under one pattern of addresses."""

    route: str
    requests: int
    failed: int
    milliseconds: int
    """On average."""


@dataclass(frozen=True, slots=True)
class Requests:
    """What the processes of this machine have counted since they started."""

    routes: tuple[RouteShown, ...]
    figures: tuple[Figure, ...]
    of_all: bool
    """Whether it is of all processes of the machine, not only of the one that shows it."""


def waiting() -> tuple[Figure, ...]:
    """Return what waits, and what went wrong with it."""
    oldest, lapsed, aside, alarms = oldest_waiting_seconds(), count_lapsed(), quarantined().count(), count_alarms()
    logs = MoveLog.objects.filter(state=MoveLog.State.WAITING).count()
    mails = AccountMail.objects.count() + Notice.objects.filter(next_at__isnull=False).count()
    return (
        Figure(gettext("Records to verify"), logs),
        Figure(gettext("Age of the oldest, in seconds"), round(oldest or 0), is_bad=(oldest or 0) > _LATE),
        Figure(gettext("Records left behind by a worker"), lapsed, is_bad=lapsed > 0),
        Figure(gettext("Quarantined records"), aside, is_bad=aside > 0),
        Figure(gettext("Files to split"), Upload.objects.filter(state__in=Upload.UNSPLIT).count()),
        Figure(gettext("Games to rate"), Acceptance.objects.filter(number=None, held=False).count()),
        Figure(gettext("Corrections to apply"), Correction.objects.filter(order=None).count()),
        Figure(gettext("Mails to send"), mails),
        Figure(gettext("Alarms of played games"), alarms, is_bad=alarms > 0),
    )


def servers() -> tuple[Figure, ...]:
    """Return how the database, the broker and the disks are."""
    depths = depth_of_queues()
    broker = gettext("unreachable") if depths is None else sum(depths.values())
    return (
        *_database(),
        *_replica(),
        Figure(gettext("Messages in the broker"), broker, is_bad=depths is None),
        *map(_disk, disks()),
    )


def _database() -> tuple[Figure, ...]:
    used, most = sum(postgres.sessions().values()), postgres.most_sessions()
    oldest, failures = round(postgres.oldest_transaction_seconds()), postgres.archive_failures()
    return (
        Figure(gettext("Size of the database"), filesizeformat(postgres.database_bytes())),
        Figure(gettext("Sessions of the database"), _of(used, most), is_bad=used > _CROWDED * most),
        Figure(gettext("Oldest transaction, in seconds"), oldest, is_bad=oldest > _LONG),
        Figure(gettext("WAL files that could not be archived"), failures),
    )


def _replica() -> tuple[Figure, ...]:
    if not replica.is_configured():
        return ()
    name = gettext("Replica behind, in seconds")
    try:
        behind = replica.state().behind
    except (DatabaseError, InterfaceError):
        return (Figure(name, gettext("unreachable"), is_bad=True),)
    late = behind is None or behind > settings.DATABASE_REPLICA_LAG
    return (Figure(name, "–" if behind is None else round(behind), is_bad=late),)


def _disk(disk: Disk) -> Figure:
    share = _of(filesizeformat(disk.free), filesizeformat(disk.total))
    return Figure(_FOLDERS[disk.folder], share, is_bad=disk.free < _FULL * disk.total)


def _of(part: int | str, whole: int | str) -> str:
    return gettext("{part} of {whole}").format(part=part, whole=whole)


def verdicts() -> tuple[Figure, ...]:
    """Return how many records got each verdict."""
    found = count_verdicts()
    return tuple(Figure(name, found.get(verdict, 0)) for verdict, name in _VERDICTS.items())


def requests() -> Requests:
    """Return what was asked for, and how many event streams are open."""
    found = list(counted.registry().collect())
    return Requests(
        routes=tuple(map(_route, counted.busiest_routes(found, _ROUTES))),
        figures=(
            Figure(gettext("Event streams that are open"), counted.total(found, "atta_streams")),
            Figure(gettext("Requests that were refused"), counted.total(found, "atta_refused_total")),
        ),
        of_all=bool(settings.METRICS_TOKEN),
    )


def _route(one: counted.Route) -> RouteShown:
    """Return a route as people read it: of what is written as an expression, the name of each part."""
    route = _ENDS.sub("", _NAMED.sub(r"\1", one.route))
    return RouteShown(route, one.requests, one.failed, round(1000 * one.seconds / one.requests))
