"""Counts the files and functions of ours that requests pass in a web process, from the server until their answers.

Each request has been made twice before, so that what is done once is not counted. An action at a table is counted with
what its player looks at before, until its answer.
"""

import argparse
import asyncio
import json
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from atta_site.processes import ROOT
from bench.__main__ import machine, show
from bench.site import database

_OURS = tuple(f"{ROOT / name}/" for name in ("atta_site", "games", "engine"))
_TWICE = 2
_GUESTS = ("token 0", "token 1")

Application = Callable[..., Awaitable[None]]
Passed = set[tuple[str, str]]


def main() -> None:
    """Count, and print a table."""
    argparse.ArgumentParser(prog="make bench OF=ways", description=__doc__).parse_args()
    show(machine())
    _Watch().begin()
    with database():
        paths, table = _prepared()
        asyncio.run(_count(paths, table))


def _prepared() -> tuple[dict[str, str], str]:
    """Return the pages to ask for, and the key of a table at which two guests play."""
    from django.utils import timezone  # noqa: PLC0415 (the environment comes first)

    from games.models import Game, Upload  # noqa: PLC0415
    from tests.factories import record  # noqa: PLC0415
    from tests.games.judging import judge_all  # noqa: PLC0415
    from tests.games.playing.seating import guests, lay_setup, seated  # noqa: PLC0415
    from tests.games.uploading import upload_file  # noqa: PLC0415

    upload_file(record(), via=Upload.Via.API, now=timezone.now())
    judge_all(timezone.now())
    people = guests(2)
    table = lay_setup(seated(people, timezone.now(), "ant-trails-2020"), people, timezone.now())
    return {"/privacy/": "/privacy/", "a game": Game.objects.get().get_absolute_url()}, table.key


async def _count(paths: dict[str, str], table: str) -> None:
    from atta_site.asgi import application  # noqa: PLC0415 (the environment comes first)

    show("| request | files | functions |")
    show("| --- | --- | --- |")
    for name, path in paths.items():
        for _ in range(_TWICE):
            await _ask(application, "GET", path)
        with _noted() as passed:
            await _ask(application, "GET", path)
        _say(name, passed)
    for _ in range(_TWICE):
        await _act(application, table)
    with _noted() as passed:
        await _act(application, table)
    _say("an action at a table", passed)


async def _act(application: Application, key: str) -> None:
    """Have the guest whose turn it is act; what they look at before is counted, too."""
    path = f"/api/v1/tables/{key}"
    for guest in _GUESTS:
        seen = json.loads(await _ask(application, "GET", path, guest_token=guest))
        if seen["your_turn"]:
            body = json.dumps({"ply": seen["ply"], "token": seen["legal"][0]}).encode()
            await _ask(application, "POST", f"{path}/actions", body, guest_token=guest, content_type="application/json")
            return


async def _ask(application: Application, method: str, path: str, body: bytes = b"", **named: str) -> bytes:
    """Ask as a server does; return the answer's body."""
    headers = {"host": "localhost", **{name.replace("_", "-"): value for name, value in named.items()}}
    headers |= {"content-length": str(len(body))} if body else {}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    sent, content, status = False, bytearray(), 0

    async def receive() -> MutableMapping[str, Any]:
        nonlocal sent
        if sent:
            await asyncio.Event().wait()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)
        content.extend(message.get("body", b""))

    await application(scope, receive, send)
    if status not in (200, 201):
        raise SystemExit(f"{method} {path}: {status} {bytes(content[:500])!r}")
    return bytes(content)


def _say(name: str, passed: Passed) -> None:
    show(f"| {name} | {len({file for file, _ in passed})} | {len(passed)} |")


@contextmanager
def _noted() -> Iterator[Passed]:
    """Note the functions of ours that are called meanwhile."""
    _Watch.passed = passed = Passed()
    try:
        yield passed
    finally:
        _Watch.passed = None


class _Watch:
    """Watches all threads from their beginning, for none can be watched later (before Python 3.12)."""

    passed: Passed | None = None

    def begin(self) -> None:
        """Watch this thread and all that begin from now on."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if self.passed is not None and event == "call" and code.co_filename.startswith(_OURS):
            self.passed.add((code.co_filename, code.co_qualname))


if __name__ == "__main__":
    main()
