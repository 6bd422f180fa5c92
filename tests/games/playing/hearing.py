"""Everything that leaves the site: responses with headers, log lines, tasks, rows, input of bots.

Varying parts are fixed: the clock stands still, and nothing is random.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import pytest
from celery.app.task import Task
from django.db import connection
from django.test import Client, TestCase

_MEASURED = frozenset({"timestamp", "milliseconds", "created", "msecs", "relativeCreated", "thread", "threadName"})
_ABOUT_CODE = frozenset(
    {"args", "msg", "message", "pathname", "exc_info", "stack_info", "process", "processName", "taskName"}
)
_READS = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")


class Heard(NamedTuple):
    """One thing that left the site, with its channel."""

    channel: str
    said: str


@dataclass
class Ear:
    """A recorder of what leaves the site."""

    hidden: tuple[bytes, ...]
    """Encrypted texts, which nobody can read: they appear in rows and are random."""
    heard: list[Heard] = field(default_factory=list)

    def note(self, channel: str, said: object) -> None:
        """Record something that left."""
        self.heard.append(Heard(channel, str(said)))

    def answer(self, channel: str, answer: Any) -> None:
        """Record a response: its status, headers, cookies and bytes."""
        headers = sorted(answer.items())
        self.note(channel, (answer.status_code, headers, str(answer.cookies), answer.content))

    def statement(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Record what is written to the database and notified through it."""
        if not sql.startswith(_READS) or "pg_notify" in sql:
            self.note(
                "caches" if 'INTO "cache"' in sql or 'UPDATE "cache"' in sql else "rows",
                (sql, [self._seen(one) for one in params or ()]),
            )
        return execute(sql, params, many, context)

    def _seen(self, value: Any) -> Any:
        value = getattr(value, "obj", value)  # of psycopg's wrappers
        if isinstance(value, (list, tuple)):
            return [self._seen(one) for one in value]
        said = bytes(value) if isinstance(value, memoryview) else value
        return f"{len(said)} bytes that are sealed" if said in self.hidden else said


class _Lines(logging.Handler):
    """A recorder of log lines."""

    def __init__(self, ear: Ear) -> None:
        super().__init__(logging.DEBUG)
        self._ear = ear

    def emit(self, record: logging.LogRecord) -> None:
        """Record a line without durations."""
        said = record.msg if isinstance(record.msg, dict) else {"event": record.getMessage()}
        extra = {name: value for name, value in vars(record).items() if name not in _ABOUT_CODE and name[0] != "_"}
        both = {name: value for name, value in (extra | said).items() if name not in _MEASURED}
        self._ear.note("log lines", sorted((name, str(value)) for name, value in both.items()))


@contextmanager
def listening(hidden: tuple[bytes, ...]) -> Iterator[Ear]:
    """Record what leaves the site, running callbacks that wait for the end of transactions."""
    ear, root = Ear(hidden), logging.getLogger()
    lines, level = _Lines(ear), root.level
    with ExitStack() as opened:
        root.addHandler(lines)
        opened.callback(root.removeHandler, lines)
        root.setLevel(logging.INFO)
        opened.callback(root.setLevel, level)
        patch = opened.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(Task, "apply_async", _sending(ear))
        patch.setattr("games.tasks.wake", lambda _name, send, _wait=0: send())
        opened.enter_context(connection.execute_wrapper(ear.statement))
        opened.enter_context(TestCase.captureOnCommitCallbacks(execute=True))
        yield ear


def _sending(ear: Ear) -> Callable[..., None]:
    def send(task: Task, args: Any = None, kwargs: Any = None, **options: Any) -> None:  # type: ignore[type-arg]
        ear.note("tasks", (task.name, args, kwargs, sorted(options.items())))

    return send


@contextmanager
def standing_still(now: datetime) -> Iterator[None]:
    """Stop the clock and fix all randomness in pages and tokens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.utils.timezone.now", lambda: now)
        patch.setattr("django.core.cache.backends.db.tz_now", lambda: now)
        patch.setattr("time.time", now.timestamp)
        patch.setattr(
            "django.middleware.csrf.get_random_string", lambda length, allowed_chars="x": allowed_chars[0] * length
        )
        patch.setattr("games.web.live.streams.random.randint", lambda least, _most: least)
        patch.setattr("games.platform.rate_limits.count", lambda *_args, **_named: 0)
        yield


def client_of(headers: dict[str, str]) -> Client:
    """Return a client that sends these headers with every request."""
    return Client(headers={"X-Request-ID": "the-same", **headers})
