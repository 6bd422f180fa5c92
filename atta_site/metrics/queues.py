"""What is counted in the database, each by an index or in a short table."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Min

from games.models import (
    Acceptance,
    AccountMail,
    CollectionReport,
    CommentReport,
    Correction,
    Delivery,
    Film,
    MoveLog,
    Notice,
    PushNotice,
    StudyReport,
    Upload,
)
from games.platform import postgres
from games.platform.pauses import Part, pauses
from games.platform.processes import running
from games.playing.reads.alarms import count_alarms
from games.verification.reads import count_lapsed, count_verdicts, oldest_waiting_seconds

Values = Iterable[tuple[Sequence[str], float]]
State = MoveLog.State


class Sample(NamedTuple):
    """One metric: its name, what it means, its labels, and how it is read."""

    name: str
    help: str
    labels: Sequence[str]
    read: Callable[[datetime], Values]


def _running(_now: datetime) -> Values:
    found = dict.fromkeys(("web", "worker", "small", "bots", "films", "beat"), 0)
    for kind in running().values_list("kind", flat=True):
        found[kind] = found.get(kind, 0) + 1
    return [((kind,), count) for kind, count in found.items()]


def _paused(_now: datetime) -> Values:
    paused = pauses()
    return [((part,), part in paused) for part in Part.values]


def _one(value: float | None) -> Values:
    return [((), value or 0)]


def _logs(_now: datetime) -> Values:
    states = (State.WAITING, State.RUNNING, State.QUARANTINED, State.HELD)
    # Each by itself: only so does PostgreSQL take the small index of the state.
    return [((state,), MoveLog.objects.filter(state=state).count()) for state in states]


def _verdicts(_now: datetime) -> Values:
    return [((verdict,), count) for verdict, count in count_verdicts().items()]


def _uploads(_now: datetime) -> Values:
    found = Upload.objects.filter(state__in=Upload.UNSPLIT).values_list("state").annotate(all=Count("pk"))
    return [((state,), count) for state, count in found.order_by("state")]


def _unsent(_now: datetime) -> Values:
    yield ("notices",), Notice.objects.filter(next_at__isnull=False).count()
    yield ("accounts",), AccountMail.objects.count()


def _late(now: datetime) -> Values:
    oldest = AccountMail.objects.filter(next_at__lte=now).order_by("next_at").values_list("next_at", flat=True).first()
    return _one((now - oldest).total_seconds() if oldest else 0)


def _films(_now: datetime) -> Values:
    states = (Film.State.WAITING, Film.State.MAKING, Film.State.FAILED)
    return [((state,), Film.objects.filter(state=state).count()) for state in states]


def _oldest_film(now: datetime) -> Values:
    oldest = Film.objects.filter(state=Film.State.WAITING).aggregate(oldest=Min("asked_at"))["oldest"]
    return _one((now - oldest).total_seconds() if oldest else 0)


def _reports(_now: datetime) -> Values:
    yield ("comments",), CommentReport.objects.filter(settled_at=None).count()
    yield ("collections",), CollectionReport.objects.filter(settled_at=None).count()
    yield ("studies",), StudyReport.objects.filter(settled_at=None).count()


def _behind(_now: datetime) -> Values:
    yield ("games",), Acceptance.objects.filter(number=None, held=False).count()
    yield ("corrections",), Correction.objects.filter(order=None).count()


def _sessions(_now: datetime) -> Values:
    return [((state,), count) for state, count in postgres.sessions().items()]


SAMPLES = (
    Sample("atta_logs", "Logs in a state on the way to a verdict.", ["state"], _logs),
    Sample(
        "atta_oldest_waiting_seconds", "Age of the oldest log that waits.", [], lambda _: _one(oldest_waiting_seconds())
    ),
    Sample(
        "atta_leases_lapsed",
        "Logs that were claimed and left behind.",
        [],
        lambda _: _one(count_lapsed()),
    ),
    Sample("atta_verdicts", "Records by verdict.", ["verdict"], _verdicts),
    Sample("atta_uploads", "Uploads that are not split yet.", ["state"], _uploads),
    Sample("atta_ratings_behind", "What waits to be rated.", ["kind"], _behind),
    Sample("atta_mails_unsent", "Mails that wait to be sent, tried or not.", ["kind"], _unsent),
    Sample("atta_oldest_mail_seconds", "How long the oldest mail about an account is due.", [], _late),
    Sample(
        "atta_webhooks_unsent",
        "Webhooks that wait to be sent.",
        [],
        lambda _: _one(Delivery.objects.filter(next_at__isnull=False).count()),
    ),
    Sample("atta_pushes_unsent", "Push notices that wait to be sent.", [], lambda _: _one(PushNotice.objects.count())),
    Sample("atta_films", "Films that are not made yet, or could not be.", ["state"], _films),
    Sample("atta_oldest_film_seconds", "For how long the oldest film has been waiting.", [], _oldest_film),
    Sample("atta_reports_open", "Reports by readers that no moderator has settled.", ["kind"], _reports),
    Sample("atta_alarms", "Alarms about played games that nobody has closed.", [], lambda _: _one(count_alarms())),
    Sample("atta_processes", "Processes that were seen within a minute.", ["kind"], _running),
    Sample("atta_paused", "1 while operators have paused a part.", ["part"], _paused),
    Sample("atta_database_bytes", "Size of the database.", [], lambda _: _one(postgres.database_bytes())),
    Sample("atta_database_sessions", "Sessions of the database by state.", ["state"], _sessions),
    Sample(
        "atta_database_sessions_allowed",
        "Sessions that PostgreSQL allows.",
        [],
        lambda _: _one(postgres.most_sessions()),
    ),
    Sample(
        "atta_database_oldest_transaction_seconds",
        "Age of the oldest open transaction.",
        [],
        lambda _: _one(postgres.oldest_transaction_seconds()),
    ),
    Sample(
        "atta_database_archive_failures",
        "WAL files that could not be archived.",
        [],
        lambda _: _one(postgres.archive_failures()),
    ),
)
