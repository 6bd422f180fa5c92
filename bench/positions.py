"""Measures the time and size of answers to `POST /api/v1/positions` over HTTP, for every ply of the longest fixtures.

Each text is requested for the first time, as when somebody types or clicks, so that no cache helps.
"""

import gc
import gzip
import http.client
import json
import os
import statistics
from collections.abc import Iterator
from time import perf_counter, thread_time
from typing import NamedTuple
from urllib.parse import urlsplit

from bench.__main__ import machine
from bench.site import site
from engine.agn.canonical import format_tags
from engine.drafting import answer, read
from engine.registry import RULESETS
from engine.replay import Replay
from engine.touching import Reader
from tests.strategies import AnyRuleset, recorded

RECORDS = 3
"""Of each ruleset, the longest."""
_PERCENT = 100


class Asked(NamedTuple):
    """One request: its time in seconds, and the bytes sent."""

    seconds: float
    size: int


def main() -> None:
    """Measure, and print a line for each ruleset."""
    os.environ |= {"THROTTLE_POSITION": "1000000/minute"}
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}", flush=True)
    print("milliseconds          requests     p50     p90     p99     most   bytes at most, gzip")
    with site() as running:
        place = urlsplit(running.address)
        line = http.client.HTTPConnection(str(place.hostname), place.port)
        for ruleset in RULESETS:
            for _ in _asked(line, ruleset, warm=True):
                pass
            print(_row(ruleset.slug, list(_asked(line, ruleset, warm=False))), flush=True)
    print("the same of the engine alone, CPU time")
    for ruleset in RULESETS:
        print(_row(ruleset.slug, _measured(ruleset)))


def _asked(line: http.client.HTTPConnection, ruleset: AnyRuleset, *, warm: bool) -> Iterator[Asked]:
    """Request every ply; or only a few, to warm the processes up."""
    for replay in sorted(recorded(ruleset), key=lambda one: -len(one.actions))[:RECORDS]:
        for ply in range(0, len(replay.actions), 10 if warm else 1):
            yield _ask(line, _text(replay, ply, "warming up" if warm else "measured"))


def _measured(ruleset: AnyRuleset) -> list[Asked]:
    """Measure the second of two rounds."""
    list(_computed(ruleset, "warming up"))
    gc.collect()
    gc.freeze()  # the fixtures with all their states are in this process only, as no server would have them
    return list(_computed(ruleset, "measured"))


def _computed(ruleset: AnyRuleset, event: str) -> Iterator[Asked]:
    """Compute the answer for every ply, and write it as JSON."""
    for replay in sorted(recorded(ruleset), key=lambda one: -len(one.actions))[:RECORDS]:
        for ply in range(len(replay.actions)):
            begun = thread_time()
            found = json.dumps(answer(read(_text(replay, ply, event)), Reader())).encode()
            yield Asked(thread_time() - begun, len(gzip.compress(found, 6)))


def _text(replay: Replay[object, object], ply: int, event: str) -> str:
    """Return the first plies of a record, with a tag that makes it a new text."""
    return f"{format_tags({**replay.tags, 'Event': event})}\n{' '.join(replay.actions[:ply])}\n*\n"


def _ask(line: http.client.HTTPConnection, text: str) -> Asked:
    body = json.dumps({"text": text})
    begun = perf_counter()
    line.request("POST", "/api/v1/positions", body, {"Content-Type": "application/json", "Accept-Encoding": "gzip"})
    answer = line.getresponse()
    found = answer.read()
    if answer.status != http.HTTPStatus.OK:
        raise SystemExit(f"{answer.status}: {found[:500]!r}")
    return Asked(perf_counter() - begun, len(found))


def _row(name: str, asked: list[Asked]) -> str:
    times = [1000 * one.seconds for one in asked]
    cuts = statistics.quantiles(times, n=_PERCENT)
    shown = "".join(f"{value:8.1f}" for value in (cuts[49], cuts[89], cuts[98], max(times)))
    return f"{name:20}{len(asked):10}{shown}{max(one.size for one in asked):12,}"


if __name__ == "__main__":
    main()
