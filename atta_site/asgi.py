"""The ASGI application that the web server loads: Django in threads, and what stands before them."""

import os

import django
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")

django.setup()

from django.conf import settings  # noqa: E402 - the settings come first

from atta_site import statics  # noqa: E402 - the same
from atta_site.front.server import Front  # noqa: E402 - the same

statics.ensure_or_say()  # before the application is made, which looks for them once
application = Front(get_wsgi_application(), settings.SPOOL_DIR, settings.SPOOL_MAX)
