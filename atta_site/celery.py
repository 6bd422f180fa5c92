"""The Celery application; its settings are in `settings/worker.py` under `CELERY_`."""

import os
from contextvars import ContextVar
from time import monotonic

import structlog
from celery import Celery
from celery.app.task import Task
from celery.signals import (
    beat_init,
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_ready,
)
from django.conf import settings
from django.db import close_old_connections

from atta_site import traces
from atta_site.garbage import collect_less_often
from atta_site.memory import limit_memory
from engine.registry import RULESETS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")

_begun = ContextVar("begun", default=0.0)

app = Celery("atta", task_cls="atta_site.messages:DatedTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _keep_djangos_logging(**_: object) -> None:
    """Do nothing: being connected keeps Celery from setting up its own logging, so all lines have one form."""
    structlog.contextvars.clear_contextvars()


@worker_init.connect
def _load_all_of_every_game(**_: object) -> None:
    """Load what shows games before processes are forked: they share it, and no upload waits until it is loaded.

    Then collect garbage less often, for a batch makes a million objects; the forked processes inherit that, too.
    """
    for ruleset in RULESETS:
        ruleset.load_shown()
    collect_less_often()


@worker_process_init.connect
def _settle(**_: object) -> None:
    """Take no more memory than is allowed."""
    traces.start()
    limit_memory(settings.WORKER_MEMORY)


@task_prerun.connect
@task_postrun.connect
def _close_old_connections(**_: object) -> None:
    """Close old or broken connections; a task reuses a good one, because connecting takes ten ms."""
    close_old_connections()


@before_task_publish.connect
def _send_the_request_along(headers: dict[str, object], **_: object) -> None:
    """Add the request to the message that it causes, so that the task's log lines can be found by it."""
    if request := structlog.contextvars.get_contextvars().get("request"):
        headers["request_id"] = request


@task_prerun.connect
def _bind_the_request(task: Task[..., object], task_id: str = "", **_: object) -> None:
    """Add the request and the task to every log line."""
    structlog.contextvars.clear_contextvars()
    bound = {"task": task.name.rpartition(".")[2], "task_id": task_id}
    request = (task.request.headers or {}).get("request_id") or getattr(task.request, "request_id", None)
    structlog.contextvars.bind_contextvars(**bound, **({"request": request} if request else {}))


@task_prerun.connect
def _begin(**_: object) -> None:
    """Note when a task begins; a process has one at a time."""
    _begun.set(monotonic())


@task_postrun.connect
def _count(task: Task[..., object], state: str | None = None, **_: object) -> None:
    """Count a task that has ended, and how."""
    from games.platform.counted import count_task  # noqa: PLC0415 - the settings say where, and come first

    count_task(task.name.rpartition(".")[2], (state or "unknown").lower(), monotonic() - _begun.get())


@worker_ready.connect
def _say_that_a_worker_runs(**_: object) -> None:
    """Store a heartbeat for this worker; its children need none."""
    from atta_site import heartbeat  # noqa: PLC0415 - the settings come first

    (queue, *others) = app.amqp.queues.consume_from
    heartbeat.start(queue if queue in {"small", "bots", "films"} and not others else "worker")


@beat_init.connect
def _say_that_beat_runs(**_: object) -> None:
    """Store a heartbeat for beat: there must be exactly one."""
    from atta_site import heartbeat  # noqa: PLC0415 - the settings come first

    heartbeat.start("beat")
