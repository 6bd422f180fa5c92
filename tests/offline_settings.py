"""Production settings for tools that only read the code (types, migrations, deploy check), without servers."""

import os
import secrets

os.environ |= {
    "SECRET_KEY": secrets.token_urlsafe(50),
    "ALLOWED_HOSTS": "atta.example",
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
    "DATABASE_KEEP": "0",
    "CELERY_BROKER_URL": "redis://127.0.0.1:1",
}

from atta_site.settings import *  # noqa: F403 - the environment must come first, and all of it is wanted
