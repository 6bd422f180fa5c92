"""Measures how many pages visitors get a second, and how soon, on a whole site with the sample games.

The mix has every page that the routes of the site name and that strangers see, with and without a session. Then
viewers open one game within some seconds, and single pages are asked for as fast as they come, also beside clients
that send slowly. Each connection is a visitor with an address of its own, over the site's own web server.
"""

import argparse
import asyncio
import multiprocessing
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from statistics import quantiles
from time import perf_counter
from typing import NamedTuple

from bench.__main__ import machine, show
from bench.site import Site, site
from bench.visitor import Visitor
from bench.watch import cpu

_PATIENCE = 60
_CONNECTIONS = 32
_FIRST, _SEVERAL = 8, 10
_CHANCE = 1
_OK = 200
_READERS, _SLOW = 4, (0, 24, 400)


class Wanted(NamedTuple):
    """A request: the page's name in the table, its address, and the session's cookie."""

    page: str
    path: str
    cookie: str = ""


class Got(NamedTuple):
    """An answer: to what, after how many seconds, and with which status."""

    page: str
    seconds: float
    status: int


Measure = Callable[[float], list[Got]]
"""Has visitors ask for so many seconds."""


def main() -> None:
    """Measure, and print tables."""
    options = argparse.ArgumentParser(prog="make bench OF=visitors", description=__doc__)
    options.add_argument("--seconds", type=float, default=10, help="for each measurement")
    options.add_argument("--viewers", type=int, default=1000, help="who open one game within so many seconds")
    options.add_argument("--only", choices=tuple(PARTS), action="append", help="parts of it")
    chosen = options.parse_args()
    os.environ |= {"NUM_PROXIES": "1", **{f"THROTTLE_{name}": "1000000/minute" for name in ("ANON", "USER", "PICTURE")}}
    show(f"{machine()}, load {os.getloadavg()[0]:.1f}")
    with site() as running:
        _load_samples(running)
        _measure(running, chosen)
    show(f"load {os.getloadavg()[0]:.1f}")


def _measure(running: Site, chosen: argparse.Namespace) -> None:
    games, cookie = _games(), _session()
    for part in chosen.only or PARTS:
        PARTS[part](running, chosen, games, cookie)


def _measure_mix(running: Site, chosen: argparse.Namespace, games: Sequence[str], cookie: str) -> None:
    mix = _seen(running, list(_mix(games)))
    both = mix + [one._replace(page=f"{one.page}, signed in", cookie=cookie) for one in mix]
    _say(running, "the mix", partial(_hurry, running, both), chosen.seconds, by_page=True)


def _measure_viewers(running: Site, chosen: argparse.Namespace, games: Sequence[str], _: str) -> None:
    opened = [Wanted("the game", games[0]), Wanted("its frames", f"/api/v1{games[0]}frames")]
    name = f"{chosen.viewers:,} viewers open one game within {chosen.seconds:g} s"
    _say(running, name, partial(_arrive, running, opened, chosen.viewers), chosen.seconds, by_page=True)


def _measure_home(running: Site, chosen: argparse.Namespace, _: Sequence[str], cookie: str) -> None:
    _measure_pages(running, "home", ["/"], cookie, chosen.seconds)


def _measure_replays(running: Site, chosen: argparse.Namespace, games: Sequence[str], cookie: str) -> None:
    _measure_pages(running, "one replay", games[:1], cookie, chosen.seconds)
    several = [f"{game}?ply={ply}" for game in games[:_SEVERAL] for ply in range(4)]
    _measure_pages(running, f"{len(several)} replay pages", several, cookie, chosen.seconds)


def _measure_pages(running: Site, name: str, paths: Sequence[str], cookie: str, seconds: float) -> None:
    """Measure pages that every web process has made before, for readers without and with an account."""
    for who, theirs in {"": "", ", signed in": cookie}.items():
        wanted = [Wanted(name, path, theirs) for path in paths]
        _beside(_each_once, _port(running), wanted)
        _say(running, name + who, partial(_hurry, running, wanted), seconds)


def _measure_slow(running: Site, chosen: argparse.Namespace, _: Sequence[str], __: str) -> None:
    """Measure a page beside clients that send a byte of a form a second."""
    wanted = [Wanted("privacy", "/privacy/")]
    for clients in _SLOW:
        beside = multiprocessing.get_context("spawn").Process(target=_trickle, args=(_port(running), clients))
        beside.start()
        running.pause(2)
        name = f"/privacy/, {_READERS} readers, {clients} slow clients"
        _say(running, name, partial(_hurry, running, wanted, connections=_READERS), chosen.seconds)
        beside.terminate()
        beside.join()


PARTS = {
    "mix": _measure_mix,
    "viewers": _measure_viewers,
    "home": _measure_home,
    "replays": _measure_replays,
    "slow": _measure_slow,
}
"""What is measured, by name."""


# What is asked for


def _load_samples(running: Site) -> None:
    from django.core.management import call_command  # noqa: PLC0415 (the environment comes first)

    from games.models import Acceptance  # noqa: PLC0415

    call_command("load_samples", verbosity=0)
    for _ in range(_PATIENCE):
        if Acceptance.objects.filter(ladder__club__isnull=False).exists():
            return
        running.pause(1)


def _games() -> list[str]:
    """Return the addresses of the pages of verified games, those with most actions first."""
    from games.models import Game  # noqa: PLC0415

    return [game.get_absolute_url() for game in Game.objects.filter(verdict="verified").order_by("-plies", "pk")]


def _session() -> str:
    """Return the cookie of an account that is signed in."""
    from importlib import import_module  # noqa: PLC0415

    from django.conf import settings  # noqa: PLC0415
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: PLC0415
    from django.contrib.auth.models import User  # noqa: PLC0415

    user = User.objects.create_user("visitor")
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    backend = settings.AUTHENTICATION_BACKENDS[0]
    session.update(
        {SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: user.get_session_auth_hash()}
    )
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def _mix(games: Sequence[str]) -> Iterator[Wanted]:
    """Yield every page of the routes that strangers see; of those with parameters the pages of some samples."""
    from django.urls import reverse  # noqa: PLC0415

    from games.models import Club, Game, Ladder, Player  # noqa: PLC0415
    from games.web.urls import urlpatterns  # noqa: PLC0415

    found: Mapping[str, Sequence[object]] = {
        "key": list(Game.objects.filter(verdict="verified").values_list("key", flat=True)[:5]),
        "pk": list(Player.objects.order_by("pk").values_list("pk", flat=True)[:5]),
        "slug": [Club.objects.values_list("slug", flat=True)[0]],
        "ruleset": list(Ladder.objects.filter(club=None).values_list("ruleset", flat=True)),
    }
    parameters = {
        **dict.fromkeys(("game", "game-print", "game-embed", "game-dealing"), "key"),
        "player": "pk",
        "club": "slug",
        "leaderboard": "ruleset",
    }
    for pattern in urlpatterns:
        name = getattr(pattern, "name", None) or ""
        if name in parameters:
            yield from (Wanted(name, reverse(name, args=[one])) for one in found[parameters[name]])
        elif name and "<" not in str(pattern.pattern):
            yield Wanted(name, reverse(name))
    yield from (Wanted("frames", f"/api/v1{game}frames") for game in games[:5])


def _seen(running: Site, wanted: Sequence[Wanted]) -> list[Wanted]:
    """Return what strangers get."""

    async def look() -> list[Wanted]:
        visitor = await Visitor.connect(_port(running), 0)
        found = [one for one in wanted if (await visitor.ask(one.path)).status == _OK]
        visitor.leave()
        return found

    return asyncio.run(look())


# How it is asked for


def _hurry(running: Site, wanted: Sequence[Wanted], seconds: float, connections: int = _CONNECTIONS) -> list[Got]:
    """Have visitors ask for pages in any order, each for the next one as soon as it has one."""
    return _beside(_as_fast_as_it_goes, _port(running), wanted, seconds, connections)


def _arrive(running: Site, opened: Sequence[Wanted], viewers: int, seconds: float) -> list[Got]:
    """Have viewers come at any moment, each of whom opens some pages one after another."""
    return _beside(_one_by_one, _port(running), opened, viewers, seconds)


def _beside(measure: Callable[..., list[Got]], *given: object) -> list[Got]:
    """Run visitors in a process of their own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, given)


def _as_fast_as_it_goes(port: int, wanted: Sequence[Wanted], seconds: float, connections: int) -> list[Got]:
    return asyncio.run(_together(port, wanted, seconds, connections))


async def _together(port: int, wanted: Sequence[Wanted], seconds: float, connections: int) -> list[Got]:
    got, chance, until = list[Got](), random.Random(_CHANCE), perf_counter() + seconds

    async def visit(number: int) -> None:
        visitor = await Visitor.connect(port, number)
        while perf_counter() < until:
            got.append(await _ask(visitor, chance.choice(wanted)))
        visitor.leave()

    await asyncio.gather(*map(visit, range(connections)))
    return got


def _trickle(port: int, clients: int) -> None:
    """Send forms that never end, a byte a second; a client that is refused comes again."""

    async def send(number: int) -> None:
        while True:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            address = f"10.9.{number >> 8}.{number & 255}"
            lines = ("POST /upload/ HTTP/1.1", "Host: localhost", f"X-Forwarded-For: {address}", "Content-Length: 9999")
            with suppress(OSError):
                writer.write("".join(f"{line}\r\n" for line in (*lines, "")).encode())
                while not writer.is_closing():
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(1)

    async def send_all() -> None:
        await asyncio.gather(*map(send, range(clients)))

    asyncio.run(send_all())


def _each_once(port: int, wanted: Sequence[Wanted]) -> list[Got]:
    return asyncio.run(_before(port, wanted))


async def _before(port: int, wanted: Sequence[Wanted]) -> list[Got]:
    """Have some visitors ask for every page once: their connections reach all web processes."""

    async def visit(number: int) -> list[Got]:
        visitor = await Visitor.connect(port, number)
        got = [await _ask(visitor, one) for one in wanted]
        visitor.leave()
        return got

    return [got for each in await asyncio.gather(*map(visit, range(_FIRST))) for got in each]


def _one_by_one(port: int, opened: Sequence[Wanted], viewers: int, seconds: float) -> list[Got]:
    return asyncio.run(_coming(port, opened, viewers, seconds))


async def _coming(port: int, opened: Sequence[Wanted], viewers: int, seconds: float) -> list[Got]:
    got, chance = list[Got](), random.Random(_CHANCE)

    async def come(number: int) -> None:
        await asyncio.sleep(chance.uniform(0, seconds))
        visitor = await Visitor.connect(port, number)
        for one in opened:
            got.append(await _ask(visitor, one))
        visitor.leave()

    await asyncio.gather(*map(come, range(viewers)))
    return got


async def _ask(visitor: Visitor, wanted: Wanted) -> Got:
    reply = await visitor.ask(wanted.path, wanted.cookie)
    return Got(wanted.page, reply.seconds, reply.status)


def _port(running: Site) -> int:
    return int(running.address.rpartition(":")[2])


# The results


def _say(running: Site, name: str, measure: Measure, seconds: float, *, by_page: bool = False) -> None:
    """Measure, and print answers a second, percentiles, and what an answer cost the web server."""
    busy = cpu(running.web.pid)
    got = measure(seconds)
    spent = cpu(running.web.pid) - busy
    wrong = sum(one.status != _OK for one in got)
    show(
        f"{name}: {len(got) / seconds:,.0f} a second, CPU {1000 * spent / len(got):.1f} ms each; {wrong} other than 200"
    )
    if not by_page:
        show(f"    {_percentiles([one.seconds for one in got])}")
        return
    pages = defaultdict[str, list[float]](list)
    for one in got:
        pages[one.page].append(one.seconds)
    for page, times in sorted(pages.items()):
        show(f"    {page:<36}{len(times):>7,}   {_percentiles(times)}")


def _percentiles(times: Sequence[float]) -> str:
    cuts = quantiles(times, n=100) if len(times) > 1 else [*times] * 99
    return f"p50 {1000 * cuts[49]:7.1f} ms   p99 {1000 * cuts[98]:7.1f} ms"


if __name__ == "__main__":
    main()
