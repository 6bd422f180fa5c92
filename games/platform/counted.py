"""Metrics that each process counts; `settings.METRICS_DIR` adds up the processes of a machine."""

import os
from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Iterable, Iterator
from http import HTTPMethod
from pathlib import Path
from typing import NamedTuple

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.samples import Sample

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
_FAILED = "500"


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


class Route(NamedTuple):
    """What was asked for under one pattern of addresses."""

    route: str
    requests: int
    failed: int
    """Those that were answered with a status of 500 or more."""
    seconds: float
    """In all."""


def busiest_routes(found: Iterable[Metric], most: int) -> list[Route]:
    """Return the routes that were asked for most often since the counts began."""
    requests, failed, seconds = Counts[str](), Counts[str](), defaultdict[str, float](float)
    for sample in _samples(found, "atta_requests_total"):
        route, count = sample.labels["route"], int(sample.value)
        requests[route] += count
        failed[route] += count if sample.labels["status"] >= _FAILED else 0
    for sample in _samples(found, "atta_request_seconds_sum"):
        seconds[sample.labels["route"]] += sample.value
    return [Route(route, count, failed[route], seconds[route]) for route, count in requests.most_common(most)]


def total(found: Iterable[Metric], name: str) -> int:
    """Return what a metric is in all, whatever its labels."""
    return int(sum(sample.value for sample in _samples(found, name)))


def _samples(found: Iterable[Metric], name: str) -> Iterator[Sample]:
    return (sample for metric in found for sample in metric.samples if sample.name == name)
