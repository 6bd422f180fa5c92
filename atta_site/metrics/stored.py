"""Metrics read from the database, the broker and the disks at each scrape: the same from every process."""

import time
from collections.abc import Iterable, Iterator
from math import inf

import structlog
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from atta_site.metrics.queues import SAMPLES, Sample
from games.platform import replica
from games.platform.broker import depth_of_queues
from games.platform.disks import disks

log = structlog.stdlib.get_logger(__name__)


class Stored(Collector):
    """Reads everything at each scrape; if the database is down, at least that is reported."""

    def collect(self) -> Iterator[Metric]:
        """Yield what can be found out."""
        begin = time.perf_counter()
        yield from _database()
        yield from _replica()
        yield from _broker()
        yield from _disks()
        yield GaugeMetricFamily("atta_scrape_seconds", "Time to gather this page.", time.perf_counter() - begin)


def _database() -> Iterator[Metric]:
    found: list[Metric] = []
    try:
        found = [_family(sample) for sample in SAMPLES]
        is_up = True
    except (DatabaseError, InterfaceError) as problem:
        log.warning("metrics: database unavailable", problem=str(problem))
        connection.close()
        is_up = False
    yield GaugeMetricFamily("atta_database_up", "1 when PostgreSQL answers.", int(is_up))
    yield from found


def _family(sample: Sample) -> Metric:
    family = GaugeMetricFamily(sample.name, sample.help, labels=sample.labels)
    for labels, value in sample.read(timezone.now()):
        family.add_metric(labels, value)
    return family


def _replica() -> Iterator[Metric]:
    up = GaugeMetricFamily("atta_replica_up", "1 when the replica answers; nothing without one.")
    behind = GaugeMetricFamily("atta_replica_behind_seconds", "By how much the replica lags at most.")
    if replica.is_configured():
        try:
            found = replica.state().behind
            up.add_metric([], 1)
            behind.add_metric([], inf if found is None else found)
        except (DatabaseError, InterfaceError) as problem:
            log.warning("metrics: replica unavailable", problem=str(problem))
            up.add_metric([], 0)
    yield from (up, behind)


def _broker() -> Iterator[Metric]:
    depths = depth_of_queues()
    yield GaugeMetricFamily("atta_broker_up", "1 when the broker answers.", int(depths is not None))
    family = GaugeMetricFamily("atta_broker_messages", "Messages that wait in the broker.", labels=["queue"])
    for queue, depth in (depths or {}).items():
        family.add_metric([queue], depth)
    yield family


def _disks() -> Iterable[Metric]:
    free = GaugeMetricFamily("atta_disk_free_bytes", "Free bytes where a folder is.", labels=["folder"])
    total = GaugeMetricFamily("atta_disk_total_bytes", "All bytes where a folder is.", labels=["folder"])
    for disk in disks():
        free.add_metric([disk.folder], disk.free)
        total.add_metric([disk.folder], disk.total)
    return free, total
