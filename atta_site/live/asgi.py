"""The ASGI application of the live server."""

import os
import sys

import django
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")

django.setup()

from django.conf import settings  # noqa: E402 - the settings come first
from django.urls import get_resolver  # noqa: E402 - the same

from atta_site import heartbeat, statics, traces  # noqa: E402 - the same
from atta_site.garbage import collect_less_often  # noqa: E402 - the same
from atta_site.live.server import Live  # noqa: E402 - the same
from games.platform.shares import Shares  # noqa: E402 - the same
from games.web.live.hub import Hub  # noqa: E402 - the same
from games.web.live.listener import Listener  # noqa: E402 - the same
from games.web.live.store import Rows  # noqa: E402 - the same

# As in `atta_site.asgi`: threads answer new readers, and a thousand others wait for the loop meanwhile.
sys.setswitchinterval(0.001)
traces.start()
statics.ensure_or_say()  # whatever is refused is said on a page, which names them
get_resolver().check()  # all pages are imported now, and not while the first reader waits
application = Live(
    get_wsgi_application(),
    Hub(Listener(settings.LIVE_DATABASE_URL), Rows()),
    Shares(settings.LIVE_STREAMS, settings.LIVE_STREAMS_EACH),
    settings.SPOOL_DIR,
)
collect_less_often()
heartbeat.start("live")
