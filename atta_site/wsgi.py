"""The WSGI application: Django alone, for tests and for other servers. The site itself runs `atta_site.asgi`."""

import os

import django
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")

django.setup()

from atta_site import statics, traces  # noqa: E402 - the settings come first
from atta_site.gate import guarded  # noqa: E402 - the same

traces.start()
statics.ensure_or_say()  # before the application is made, which looks for them once
application = guarded(get_wsgi_application())
