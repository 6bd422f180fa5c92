"""The names of this site itself: those under which accounts play here."""

from urllib.parse import urlsplit

from django.conf import settings


def home_source() -> str:
    """Return the `Site` tag of games played here: the source of their players' names."""
    return urlsplit(settings.SITE_URL).netloc
