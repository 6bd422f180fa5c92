"""The WSGI application that the web server loads."""

import os

from django.core.wsgi import get_wsgi_application

from atta_site.gate import utf_8_only

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atta_site.settings")

application = utf_8_only(get_wsgi_application())
