"""Measures how soon opponents and spectators see an action: a thousand spectators, who come and go meanwhile.

One site on this machine: PostgreSQL, a web process, and a worker if bots play beside it. Spectators are connections of
two processes beside it, the players' pages of a third. All read what pages read. Actions are posted over HTTP, as by a
browser. An action counts from the moment in which its post is sent to the moment in which a reader has the last byte of
its message, with which a page has all that it shows.
"""

import argparse
import asyncio
import gzip
import http.client
import json
import multiprocessing
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event, Semaphore
from statistics import quantiles
from time import monotonic, sleep
from typing import Any, NamedTuple

from atta_site import processes
from bench.__main__ import machine
from bench.beside_bots import bots
from bench.site import LOGS, database
from bench.watch import cpu, forget_peak, peak

_PROCESSES = 2
_PATIENCE = 60.0
_CHANCE = 1
_LEAVING = 0.02
"""Which part of the spectators leaves and comes back each second."""


class Place(NamedTuple):
    """The streams that spectators read."""

    port: int
    path: str
    after: int
    guest: str = ""
    """The token of a player; empty for a spectator."""


class Came(NamedTuple):
    """When an event arrived, and since when the spectator has been connected without a break."""

    at: float
    there_since: float


class Post(NamedTuple):
    """When an action was posted, and by which player."""

    at: float
    player: int


class Seen(NamedTuple):
    """What the spectators of one process saw: when each event reached each of them, and how often they reconnected."""

    times: list[dict[int, Came]]
    resumed: int
    sit: bool
    """Whether they are the players."""


def main() -> None:
    """Measure."""
    asked = argparse.ArgumentParser(prog="make bench OF=live", description=__doc__)
    asked.add_argument("--spectators", type=int, default=1000)
    asked.add_argument("--actions", type=int, default=120)
    asked.add_argument("--pause", type=float, default=0.5, help="seconds between two actions")
    asked.add_argument("--bots", type=int, default=0, help="games that bots play meanwhile without a pause")
    options = asked.parse_args()
    os.environ["BOT_EXHIBITIONS"] = str(options.bots)
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}", flush=True)
    beside = bots(options.bots, lambda: sleep(0.1)) if options.bots else nullcontext()
    with database(), _served() as (web, started), beside:
        _measure(options, web, started)
    print(f"load {os.getloadavg()[0]:.1f}")


@contextmanager
def _served() -> Iterator[tuple[int, dict[str, int]]]:
    """Run a web process; yield its port and its number."""
    web = processes.free_port()
    os.environ |= {"LIVE_STREAMS_EACH": "8192", "LIVE_STREAMS": "8192"}
    os.environ |= {"THROTTLE_ANON": "1000000/minute"}
    commands = {"web": processes.web("127.0.0.1", web, workers=1)}
    LOGS.mkdir(parents=True, exist_ok=True)
    running = {}
    for name, command in commands.items():
        with (LOGS / f"{name}.log").open("wb") as log:
            running[name] = processes.spawn(command, log.fileno(), env=os.environ)
    try:
        _await(f"http://127.0.0.1:{web}")
        yield web, {name: process.pid for name, process in running.items()}
    finally:
        for process in running.values():
            processes.end(process)


def _await(address: str) -> None:
    deadline = monotonic() + _PATIENCE
    while not (processes.is_healthy(address) and processes.is_healthy(f"{address}/live")):
        if monotonic() > deadline:
            raise SystemExit(f"the site does not come up: {LOGS}")
        sleep(0.2)


def _measure(options: argparse.Namespace, web: int, started: dict[str, int]) -> None:
    from django.utils import timezone  # noqa: PLC0415 (the environment comes first)

    from tests.games.playing.seating import guests, lay_setup, seated  # noqa: PLC0415

    people = guests(2)
    table = lay_setup(seated(people, timezone.now(), "ant-trails-2020"), people, timezone.now())
    place = Place(web, f"/live/tables/{table.key}?parts", table.last_event)
    players = [place._replace(guest=_token(number)) for number in range(2)]
    fork = multiprocessing.get_context("spawn")
    ready, over, answers = fork.Semaphore(0), fork.Event(), fork.Queue()
    each = options.spectators // _PROCESSES
    beside = [fork.Process(target=_read, args=([place] * each, ready, over, answers)) for _ in range(_PROCESSES)]
    beside.append(fork.Process(target=_read, args=(players, ready, over, answers)))
    for one in beside:
        one.start()
    for _ in range(each * _PROCESSES + len(players)):
        ready.acquire()
    for number in started.values():
        forget_peak(number)
    before = {name: cpu(number) for name, number in started.items()}
    posted, took = _play(web, table.key, options)
    sleep(2)
    used = {name: cpu(number) - before[name] for name, number in started.items()}
    most = {name: peak(number) for name, number in started.items()}
    over.set()
    seen = [answers.get() for _ in beside]
    _say(options, posted, took, seen)
    for name in started:
        print(f"{name}: {used[name]:.1f} s of CPU, {most[name]:.0f} MiB at most")


def _token(number: int) -> str:
    """Return the token of a guest of `tests.games.playing.seating`."""
    return f"token {number}"


def _play(port: int, key: str, options: argparse.Namespace) -> tuple[dict[int, Post], list[float]]:
    """Play at random over HTTP; return when and by whom each event was posted, and how long each post took."""
    numbers, posted, took, largest = random.Random(_CHANCE), dict[int, Post](), list[float](), 0
    players = [_Player(port, key, _token(number)) for number in range(2)]
    table = players[0].read()
    for _ in range(options.actions):
        if table["state"] != "playing":
            break
        player = next(one for one in players if one.read()["your_turn"])
        legal, ply, known = player.table["legal"], table["ply"], table["event"]
        body, begin = {"ply": ply, "token": numbers.choice(legal)}, monotonic()
        table = player.post(body)
        took.append(monotonic() - begin)
        largest = max(largest, player.size)
        posted |= dict.fromkeys(range(known + 1, table["event"] + 1), Post(begin, players.index(player)))
        sleep(options.pause)
    print(f"answer to the post of an action: at most {largest:,} bytes")
    return posted, took


class _Player:
    """A guest at the table, with one connection."""

    def __init__(self, port: int, key: str, guest: str) -> None:
        self._line, self._path = http.client.HTTPConnection("127.0.0.1", port), f"/api/v1/tables/{key}"
        self._headers = {"Guest-Token": guest, "Content-Type": "application/json", "Accept-Encoding": "gzip"}
        self.table = dict[str, Any]()
        self.size = 0

    def read(self) -> dict[str, Any]:
        self.table = self._ask("GET", self._path)
        return self.table

    def post(self, body: dict[str, object]) -> dict[str, Any]:
        return self._ask("POST", f"{self._path}/actions", json.dumps(body))

    def _ask(self, method: str, path: str, body: str | None = None) -> dict[str, Any]:
        self._line.request(method, path, body, self._headers)
        answer = self._line.getresponse()
        content = answer.read()
        self.size = len(content)
        if answer.headers["Content-Encoding"] == "gzip":
            content = gzip.decompress(content)
        if answer.status != http.HTTPStatus.OK:
            raise SystemExit(f"{answer.status}: {content[:500]!r}")
        found: dict[str, Any] = json.loads(content)
        return found


def _say(options: argparse.Namespace, posted: dict[int, Post], took: list[float], seen: list[Seen]) -> None:
    (players,) = (one for one in seen if one.sit)
    looked = [times for one in seen if not one.sit for times in one.times]
    came = [(one, posted[number].at) for times in looked for number, one in times.items()]
    missed = sum(posted.keys() != times.keys() for one in seen for times in one.times)
    resumed = sum(one.resumed for one in seen)
    _p("post of an action", took)
    heard = [(number, player, one.at) for player, times in enumerate(players.times) for number, one in times.items()]
    opposite = [at - posted[number].at for number, player, at in heard if player != posted[number].player]
    _p("from the post to the opponent's page", opposite)
    _p("from the post to a spectator", [one.at - begin for one, begin in came if one.there_since < begin])
    _p("the same to those who were away then", [one.at - begin for one, begin in came if one.there_since >= begin])
    print(f"{options.spectators} spectators, {len(posted)} events, {resumed} reconnects, {missed} who missed any")


def _p(what: str, seconds: list[float]) -> None:
    if len(seconds) < 2:
        print(f"{what}: {len(seconds)}")
        return
    cuts = quantiles(seconds, n=100, method="inclusive")
    print(f"{what}: p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms, max {max(seconds) * 1000:.0f} ms")


# --- the spectators, in processes of their own


def _read(places: list[Place], ready: Semaphore, over: Event, answers: "Queue[Seen]") -> None:
    answers.put(asyncio.run(_all(places, ready, over)))


async def _all(places: list[Place], ready: Semaphore, over: Event) -> Seen:
    spectators = [_Spectator(place) for place in places]
    tasks = []
    for one in spectators:
        tasks.append(asyncio.create_task(one.look(ready)))
        await asyncio.sleep(0.002)
    while not over.is_set():
        await asyncio.sleep(1)
        for one in random.sample(spectators, int(len(places) * _LEAVING)):
            one.leave()
    for task in tasks:
        task.cancel()
    return Seen([one.times for one in spectators], sum(one.resumed for one in spectators), bool(places[0].guest))


class _Spectator:
    """Reads the stream, and resumes it after the last event that it has."""

    def __init__(self, place: Place) -> None:
        self.place, self.last = place, place.after
        self.times = dict[int, Came]()
        self.resumed, self.is_there, self._since = 0, False, 0.0
        self._writer: asyncio.StreamWriter | None = None

    def leave(self) -> None:
        if self._writer:
            self._writer.transport.abort()

    async def look(self, ready: Semaphore) -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._read(ready)
            self.resumed += 1
            await asyncio.sleep(random.uniform(0.2, 0.5))

    async def _read(self, ready: Semaphore) -> None:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self.place.port, limit=2**20)
        asked = f"GET {self.place.path} HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: {self.last}\r\n"
        asked += f"Guest-Token: {self.place.guest}\r\n\r\n" if self.place.guest else "\r\n"
        self._writer.write(asked.encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head:
            raise OSError(head[:40])
        self._since = monotonic()
        while True:
            line = await reader.readuntil(b"\n")
            if line.startswith(b"event: beat") and not self.is_there:
                self.is_there = True
                ready.release()
            if line.startswith(b"data: {"):
                self._note(json.loads(line[6:]), monotonic())

    def _note(self, body: dict[str, int], at: float) -> None:
        if number := body.get("number"):
            self.last = number
            self.times.setdefault(number, Came(at, self._since))


if __name__ == "__main__":
    main()
