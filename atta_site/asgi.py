"""The ASGI application that the web server loads: Django's own, with bounds, and the streams' connection."""

import asyncio
import os
import signal
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")

django.setup()

from django.conf import settings  # noqa: E402 - the settings come first
from django.core.cache import caches  # noqa: E402 - the same

from atta_site import heartbeat, readying, statics, traces  # noqa: E402 - the same
from atta_site.garbage import collect_less_often  # noqa: E402 - the same
from atta_site.memory import give_back_early  # noqa: E402 - the same
from atta_site.serving.answers import Send  # noqa: E402 - the same
from atta_site.serving.bodies import Receive  # noqa: E402 - the same
from atta_site.serving.handler import Handler  # noqa: E402 - the same
from atta_site.serving.kept import Kept  # noqa: E402 - the same
from atta_site.serving.scope import Scope  # noqa: E402 - the same
from games.records.reads.versions import versions_of  # noqa: E402 - the same
from games.web.live.holding import HOLDER  # noqa: E402 - the same

# A thread that waits for the interpreter gets it after a millisecond: with the default of five, a health check with
# forty queries took more than a second behind ten busy threads.
sys.setswitchinterval(0.001)
give_back_early()
traces.start()
statics.ensure_or_say()  # before the handler is made, which looks for them once
readying.make_ready()  # now, and not while the first reader waits
handler = Handler(
    settings.SPOOL_DIR,
    settings.SPOOL_MAX,
    kept=Kept(versions_of, caches["pages"], largest=settings.PAGES_LARGEST) if settings.PAGES_KEPT else None,
)
collect_less_often()
heartbeat.start("web")


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request; begin and end with the process."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    else:
        await handler(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    """Listen to events from the start of the process until its end."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            HOLDER.start()
            _end_streams_at_once()
        else:
            await HOLDER.stop()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def _end_streams_at_once() -> None:
    """End streams when the process is told to end: the server waits for all answers before it says so here.

    The server's own handlers are the event loop's, which hears of a signal whichever handler Python calls.
    """
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(HOLDER.end))
