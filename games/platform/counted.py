"""Metrics that each process counts; `settings.METRICS_DIR` adds up the processes of a machine."""

import os
from http import HTTPMethod
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client knows the folder; the settings set it before this module is imported."""

disable_created_metrics()  # type: ignore[no-untyped-call]

REQUESTS = Counter("atta_requests", "Requests that a page or the API answered.", ["route", "method", "status"])
SECONDS = Histogram(
    "atta_request_seconds",
    "Time in Django until an answer begins.",
    ["route"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)
REFUSED = Counter("atta_refused", "Requests refused before any page saw them.", ["status"])
STREAMS = Gauge("atta_streams", "Event streams that are held open.", multiprocess_mode="livesum")
TASKS = Counter("atta_tasks", "Tasks that workers ended.", ["task", "outcome"])
TASK_SECONDS = Histogram("atta_task_seconds", "Time that tasks took.", ["task"], buckets=(0.1, 1, 3, 10, 30, 300))

_METHODS = frozenset(HTTPMethod)


def count_request(route: str, method: str | None, status: int, seconds: float) -> None:
    """Count an answer under its route: the pattern of its address, because there are too many addresses."""
    REQUESTS.labels(route, method if method in _METHODS else "other", str(status)).inc()
    SECONDS.labels(route).observe(seconds)


def count_task(task: str, outcome: str, seconds: float) -> None:
    """Count a task that has ended."""
    TASKS.labels(task, outcome).inc()
    TASK_SECONDS.labels(task).observe(seconds)


def registry() -> CollectorRegistry:
    """Return the counts of all processes that share the folder, or of this process if there is no folder."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return REGISTRY
    _forget_ended(Path(folder))
    together = CollectorRegistry()
    MultiProcessCollector(together, folder)  # type: ignore[no-untyped-call]
    return together


def _forget_ended(folder: Path) -> None:
    """Drop the gauges of processes that have ended; what they counted stays in the sums."""
    for file in folder.glob("gauge_live*.db"):
        number = file.stem.rpartition("_")[2]
        if number.isdecimal() and not Path("/proc", number).exists():
            mark_process_dead(int(number), str(folder))  # type: ignore[no-untyped-call]
