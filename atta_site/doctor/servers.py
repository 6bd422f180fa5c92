"""What the site needs from elsewhere: PostgreSQL, the broker, the mail server."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from smtplib import SMTPException
from typing import Any

import psycopg
from django.conf import settings
from django.core.checks import CheckMessage
from django.core.mail import get_connection
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor

from atta_site.database.pooled import is_pooled
from atta_site.doctor.findings import Findings, bad, examination, good, warning
from games.platform import replica
from games.platform.broker import depth_of_queues

OLDEST_POSTGRESQL = 150000
_CLOCK_OFF, _CLOCK_WRONG = 1.0, 5.0
_SAFE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
_DATABASE, _REPLICA, _POOLER = "database", "replica", "pooler"


@examination
def check_database() -> Findings:
    """Report whether PostgreSQL answers, is new enough, loses nothing in a crash, and has all tables."""
    try:
        yield from _database()
    except (DatabaseError, InterfaceError) as problem:
        connection.close()
        yield bad(_DATABASE, f"PostgreSQL does not answer: {str(problem).strip()}. Check DATABASE_URL and start it.")


def _database() -> Findings:
    ((number, encoding),) = _asked(
        "SELECT current_setting('server_version_num')::int, current_setting('server_encoding')"
    )
    version = f"PostgreSQL {number // 10000}.{number % 10000}"
    is_old = number < OLDEST_POSTGRESQL
    yield (
        bad(_DATABASE, f"{version} is too old: 15 or newer is needed.")
        if is_old
        else good(_DATABASE, f"{version} answers.")
    )
    if encoding != "UTF8":
        yield bad(_DATABASE, f"The database is in {encoding}: make one in UTF8.")
    for name, value in _asked("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(_SAFE)]):
        if value != _SAFE[name]:
            yield bad(_DATABASE, f"{name} is {value}: a crash may lose what was accepted. Turn it on.")
    yield _migrations()
    if not _asked("SELECT to_regclass('cache')")[0][0]:
        yield bad(_DATABASE, "The table `cache` is missing. Run `manage.py prepare`.")
    yield _clock("this machine", _ahead())


def _migrations() -> CheckMessage:
    try:
        executor = MigrationExecutor(connection)
        due = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except InconsistentMigrationHistory as problem:
        return bad("migrations", str(problem))
    if due:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _ in due[:5])
        return bad("migrations", f"{len(due)} not applied ({names}). Run `manage.py prepare`.")
    unknown = set(executor.loader.applied_migrations) - set(executor.loader.disk_migrations)
    newer = sorted(name for app, name in unknown if app == "games" and name > "0040")
    if newer:
        return bad(
            "migrations", f"The database is newer than this code: it has {', '.join(newer)}. Install that version."
        )
    return good("migrations", "All are applied.")


def _ahead() -> float:
    ((theirs,),) = _asked("SELECT clock_timestamp()")
    return float((datetime.now(UTC) - theirs).total_seconds())


def _clock(whose: str, ahead: float) -> CheckMessage:
    said = f"The clock of {whose} differs from the database's by {abs(ahead):.1f} s."
    if abs(ahead) < _CLOCK_OFF:
        return good("clock", said)
    return (bad if abs(ahead) > _CLOCK_WRONG else warning)("clock", f"{said} Keep both in time with NTP.")


def _asked(question: str, params: Sequence[Any] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(question, params)
        return list(cursor.fetchall())


@examination
def check_replica() -> Findings:
    """Report whether the replica, if there is one, answers, follows the primary and is fresh."""
    if not replica.is_configured():
        return
    try:
        found = replica.state()
    except (DatabaseError, InterfaceError) as problem:
        yield warning(
            _REPLICA, f"It does not answer: {str(problem).strip()}. Check DATABASE_REPLICA_URL; the primary is read."
        )
        return
    if not found.follows:
        yield warning(_REPLICA, "It is a primary: it was promoted, or DATABASE_REPLICA_URL names the wrong server.")
    elif found.behind is None:
        yield warning(_REPLICA, "No process has stored a heartbeat yet, so nobody knows how far it is behind.")
    elif found.has_wrong_clock:
        yield warning(
            _REPLICA,
            f"Its clock is {-found.behind:.0f} s or more behind the primary's, so nobody knows how far it lags: the "
            "primary is read. Keep both in time with NTP.",
        )
    elif not found.is_fresh:
        yield warning(
            _REPLICA,
            f"It is up to {found.behind:.0f} s behind, more than DATABASE_REPLICA_LAG: the primary is read. "
            "Look at pg_stat_replication on the primary and at the replica's log.",
        )
    else:
        yield good(_REPLICA, f"It is at most {found.behind:.0f} s behind.")


@examination
def check_pooler() -> Findings:
    """Report whether a pooler, if there is one, is used as poolers can be."""
    with suppress(DatabaseError, InterfaceError):  # which check_database reports
        connection.ensure_connection()
        if is_pooled(connection.connection):
            yield from _beside_pooler()


def _beside_pooler() -> Findings:
    try:
        with psycopg.connect(settings.LIVE_DATABASE_URL, connect_timeout=2) as session:
            is_direct = not is_pooled(session)
    except psycopg.Error as problem:
        yield bad(_POOLER, f"LIVE_DATABASE_URL does not answer: {str(problem).strip()}.")
        return
    if not is_direct:
        yield bad(
            _POOLER,
            "Nothing leads to PostgreSQL itself: set LIVE_DATABASE_URL to it. Games cannot be followed live, and no "
            "backup can be made.",
        )
    elif connection.settings_dict["CONN_MAX_AGE"]:
        yield warning(_POOLER, "Each thread keeps one of the pooler's connections: set DATABASE_KEEP=0.")
    else:
        yield good(_POOLER, "LIVE_DATABASE_URL leads to PostgreSQL itself.")


@examination
def check_broker() -> Findings:
    """Report whether the broker answers."""
    depths = depth_of_queues()
    if depths is None:
        yield bad(
            "broker", "The broker does not answer. Check CELERY_BROKER_URL and start it; its data need not be restored."
        )
    else:
        yield good("broker", f"The broker answers; {sum(depths.values())} messages wait.")


@examination
def check_mail() -> Findings:
    """Report whether mails can be sent."""
    if not settings.MAIL_IS_ON:
        yield warning("mail", "EMAIL_URL is not set: nobody can reset a forgotten password.")
        return
    try:
        server = get_connection()
        server.open()
        server.close()
    except (OSError, SMTPException) as problem:
        yield bad("mail", f"The mail server refuses: {problem}. Check EMAIL_URL.")
    else:
        yield good(
            "mail", f"Mails go out by {settings.EMAIL_HOST or settings.EMAIL_FILE_PATH or settings.EMAIL_BACKEND}."
        )
