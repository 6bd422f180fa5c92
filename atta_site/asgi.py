"""The ASGI application that the web server loads: Django in threads, behind the front."""

import os
import sys

import django
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")

django.setup()

from django.conf import settings  # noqa: E402 - the settings come first

from atta_site import heartbeat, readying, statics, traces  # noqa: E402 - the same
from atta_site.garbage import collect_less_often  # noqa: E402 - the same
from atta_site.memory import give_back_early  # noqa: E402 - the same
from atta_site.serving.kept import Kept  # noqa: E402 - the same
from atta_site.serving.relay import Relay  # noqa: E402 - the same
from atta_site.serving.server import Front  # noqa: E402 - the same
from games.web.game.version import versions_of  # noqa: E402 - the same

# A thread that waits for the interpreter gets it after a millisecond: with the default of five, a health check with
# forty queries took more than a second behind ten busy threads.
sys.setswitchinterval(0.001)
give_back_early()
traces.start()
statics.ensure_or_say()  # before the application is made, which looks for them once
readying.make_ready()  # now, and not while the first reader waits
application = Front(
    get_wsgi_application(),
    settings.SPOOL_DIR,
    settings.SPOOL_MAX,
    relay=Relay(*settings.LIVE_ADDRESS) if settings.LIVE_ADDRESS else None,
    kept=Kept(versions_of, settings.PAGES_KEPT) if settings.PAGES_KEPT else None,
)
collect_less_often()
heartbeat.start("web")
