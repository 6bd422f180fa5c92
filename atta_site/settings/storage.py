"""Where data is kept: the database, the cache, files."""

from pathlib import Path
from typing import Any

import dj_database_url

from atta_site import env
from atta_site.settings.site import ROOT

DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(
        env.url("DATABASE_URL", ["postgresql", "postgres"]),
        # Each thread keeps its connection for an hour at most, and checks it before use.
        conn_max_age=3600 if env.flag("DATABASE_KEEP", default=True) else 0,
        conn_health_checks=True,
    ),
}
DATABASES["default"]["ENGINE"] = "atta_site.database"
# Two seconds: while the database is down, requests fail soon instead of piling up.
DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 2)

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Counts failed sign-ins and the like for all processes. In the database and not in the broker, because some brokers
# cannot serve as a cache. It has room for many addresses, so that they do not push out each other's counts.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
}

# Bytes of public pages that each web process keeps in memory, each as long as what it shows has not changed; 0: none.
PAGES_KEPT = env.number("PAGES_KEPT", 64 * 1024**2, at_least=0)

# Written by workers and served by the web server: the same folder for both.
DUMPS_DIR = Path(env.text("DUMPS_DIR", str(ROOT / "var" / "dumps")))
# The URL at which another server serves that folder. If it is empty, the site serves the files, one at a time.
DUMPS_URL = env.text("DUMPS_URL", "").rstrip("/")
DUMPS_LICENCE = env.text("DUMPS_LICENCE", "CC0-1.0")

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(ROOT / "var" / "static")))
STORAGES = {"staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}
