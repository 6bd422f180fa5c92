"""Where data is kept: the database, the cache, files."""

from pathlib import Path
from typing import Any

import dj_database_url

from atta_site import env
from atta_site.settings.site import ROOT

_SCHEMES = ["postgresql", "postgres"]
_CONNECTING = {
    # While the database is down, requests fail soon instead of piling up.
    "connect_timeout": 2,
    # A connection to a machine that is gone ends after some twenty seconds; by default after hours.
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}


def _database(address: str) -> dict[str, Any]:
    """Return the settings of a database; the query of its address goes before ours."""
    # Each thread keeps its connection for an hour at most, and checks it before use.
    kept = 3600 if env.flag("DATABASE_KEEP", default=True) else 0
    parsed: dict[str, Any] = {**dj_database_url.parse(address, conn_max_age=kept, conn_health_checks=True)}
    return parsed | {"ENGINE": "atta_site.database", "OPTIONS": {**_CONNECTING, **parsed.get("OPTIONS", {})}}


DATABASES: dict[str, Any] = {"default": _database(env.url("DATABASE_URL", _SCHEMES))}
# PostgreSQL itself where DATABASE_URL leads to a pooler: for notifications, and for programs that change their session.
DIRECT_DATABASE_URL = env.url("LIVE_DATABASE_URL", _SCHEMES, required=False)
if _replica := env.url("DATABASE_REPLICA_URL", _SCHEMES, required=False):
    DATABASES["replica"] = _database(_replica)
# Seconds by which the replica may lag before the primary is read instead.
DATABASE_REPLICA_LAG = env.number("DATABASE_REPLICA_LAG", 60, at_least=1)

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Bytes of public pages that each web process keeps in memory, each as long as what it shows has not changed; 0: none.
PAGES_KEPT = env.number("PAGES_KEPT", 32 * 1024**2, at_least=0)
# Bytes of the largest page that is kept: a page of 240 actions takes 22 KB, and 140 KB for clients that take it only
# uncompressed.
PAGES_LARGEST = 128 * 1024

# Counts failed sign-ins and the like for all processes. In the database and not in the broker, because some brokers
# cannot serve as a cache. It has room for many addresses, so that they do not push out each other's counts.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    # In the process itself: hundreds of kept pages are answered a second, each without another round trip.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "TIMEOUT": 600,
        "OPTIONS": {"MAX_ENTRIES": PAGES_KEPT // PAGES_LARGEST},
    },
}

# Written by workers and served by the web server: the same folder for both.
DUMPS_DIR = Path(env.text("DUMPS_DIR", str(ROOT / "var" / "dumps")))
# The URL at which another server serves that folder. If it is empty, the site serves the files, one at a time.
DUMPS_URL = env.text("DUMPS_URL", "").rstrip("/")
DUMPS_LICENCE = env.text("DUMPS_LICENCE", "CC0-1.0")

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(ROOT / "var" / "static")))
STORAGES = {"staticfiles": {"BACKEND": "atta_site.static_storage.LeanStaticFiles"}}
