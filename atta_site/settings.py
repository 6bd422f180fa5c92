"""The settings: every value comes from the environment; defaults are safe for production.

`.env.example` lists all variables. With a bad value nothing starts, and the error names the variable.
Longer than 400 lines, so that everything that can be set is found in one place.
"""

import os
import sys
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from celery.schedules import crontab
from csp.constants import NONE, SELF

from atta_site import env, logs
from engine.registry import RULESETS

ROOT = Path(__file__).resolve().parent.parent

# --- hosts, cookies and HTTPS -----------------------------------------------------------------------------------------

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", expected="at least 50 random characters", at_least=50)
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS", "")

# Only for http://localhost: without TLS a browser never sends a secure cookie back.
PLAIN_HTTP = env.flag("PLAIN_HTTP", default=False)
SECURE_SSL_REDIRECT = not PLAIN_HTTP
SECURE_REDIRECT_EXEMPT = [r"^health(/live|/ready)?$", r"^metrics$"]  # asked by load balancers, inside the network
SESSION_COOKIE_SECURE = not PLAIN_HTTP
CSRF_COOKIE_SECURE = not PLAIN_HTTP
# With this prefix a browser accepts the cookie only from this host, over TLS.
SESSION_COOKIE_NAME = "sessionid" if PLAIN_HTTP else "__Host-sessionid"
CSRF_COOKIE_NAME = "csrftoken" if PLAIN_HTTP else "__Host-csrftoken"
SECURE_HSTS_SECONDS = 0 if PLAIN_HTTP else env.number("HSTS_SECONDS", 365 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS", default=True)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS

# The site's address: used in mails, in answers of the API and in redirects to HTTPS.
SITE_URL = env.site("SITE_URL", f"{'http' if PLAIN_HTTP else 'https'}://{ALLOWED_HOSTS[0].lstrip('.*')}")

SECURE_SSL_HOST = urlsplit(SITE_URL).netloc

# Proxy headers are trusted only if the settings name proxies.
NUM_PROXIES = env.number("NUM_PROXIES", 0)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if NUM_PROXIES else None

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "media-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}

# --- apps and middleware ----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "games",
    "atta_site",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "rest_framework",
    "knox",
    "drf_spectacular",
]
MIDDLEWARE = [
    "atta_site.addresses.OneSite",
    "atta_site.logs.RequestLog",
    "atta_site.traces.Traces",
    "atta_site.metrics.middleware.RequestCount",
    "csp.middleware.CSPMiddleware",  # before the static files: an SVG opened on its own must not run scripts either
    "atta_site.gate.Gate",
    "django.middleware.security.SecurityMiddleware",
    "atta_site.ranges.StaticFiles",
    "atta_site.caching.Caching",  # after the static files, which are the same for everybody
    "atta_site.compression.Compression",
    "atta_site.validators.Validators",  # digests pages before they are compressed
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "atta_site.marking.Marking",  # makes pages longer; the line above sets Content-Length
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "atta_site.outage.Outage",
    "atta_site.deleted_accounts.DeletedAccounts",
]
ROOT_URLCONF = "atta_site.urls"
WSGI_APPLICATION = "atta_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.accounts.values.mail",
            ],
        },
    },
]

# --- accounts ---------------------------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "account"
# Not in the session: then pages for visitors without an account need no session from the database.
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

MAIL = env.mail("EMAIL_URL")
MAIL_IS_ON = "dummy" not in MAIL.backend
EMAIL_BACKEND = MAIL.backend
EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.starttls, MAIL.tls
EMAIL_FILE_PATH = MAIL.folder or None
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", None if MAIL.host else "Atta <atta@localhost>", expected="Name <address>")
EMAIL_SUBJECT_PREFIX = ACCOUNT_EMAIL_SUBJECT_PREFIX = ""

# The key for notifications in browsers; without it nobody can turn them on.
VAPID_KEY = env.vapid_key("VAPID_KEY")

ACCOUNT_ADAPTER = "games.web.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "games.web.accounts.forms.LoginForm",
    "signup": "games.web.accounts.forms.SignupForm",
    "reset_password": "games.web.accounts.forms.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# Without mail nobody can confirm or use an address.
ACCOUNT_SIGNUP_FIELDS = ["username*", *(["email*"] if MAIL_IS_ON else []), "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL_IS_ON else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = MAIL_IS_ON
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # only in the browser in which the account was just made
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_USERNAME_VALIDATORS = "games.web.accounts.names.VALIDATORS"
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if PLAIN_HTTP else "https"
ALLAUTH_TRUSTED_PROXY_COUNT = NUM_PROXIES
MFA_ADAPTER = "games.web.accounts.mfa.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = PLAIN_HTTP
MFA_TOTP_ISSUER = "Atta"
MFA_TOTP_TOLERANCE = 1  # a phone's clock may be half a minute off

# --- languages and time -----------------------------------------------------------------------------------------------

# The browser's language, or the visitor's choice; pages have the same address in all languages.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
# The sentences of each game are translated in its own folder.
LOCALE_PATHS = [ROOT / "games" / "locale", *dict.fromkeys(ruleset.rules.parent / "locale" for ruleset in RULESETS)]
FORMAT_MODULE_PATH = "atta_site.formats"
TIME_ZONE = "UTC"
USE_TZ = True

# --- storage ----------------------------------------------------------------------------------------------------------

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
# The database for the live server's notifications: PostgreSQL itself, because a pooler shares connections.
LIVE_DATABASE_URL = env.url("LIVE_DATABASE_URL", ["postgresql", "postgres"], required=False) or env.url(
    "DATABASE_URL", ["postgresql", "postgres"]
)
# The live server's address. Empty: pages poll every few seconds.
LIVE_ADDRESS = env.place("LIVE_ADDRESS")
# Streams that one live process holds open, in all and for each address; further readers poll.
LIVE_STREAMS = env.number("LIVE_STREAMS", 4096, at_least=1)
LIVE_STREAMS_EACH = env.number("LIVE_STREAMS_EACH", 256, at_least=1)
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

# Request bodies are kept there until they have arrived completely, and long answers until they are read, as unnamed
# files: at most so many bytes of each kind for each web process, and half as many for one address.
SPOOL_DIR = Path(env.text("SPOOL_DIR", str(ROOT / "var" / "spool")))
SPOOL_MAX = env.number("SPOOL_MAX", 4 * 1024**3, at_least=1)

# Bytes of public pages that each web process keeps in memory, each as long as what it shows has not changed; 0: none.
PAGES_KEPT = env.number("PAGES_KEPT", 64 * 1024**2, at_least=0)

# A pasted text may be as long as a file (games/uploads/submit.py), plus the form's other fields.
DATA_UPLOAD_MAX_MEMORY_SIZE = 9 * 1024 * 1024

# Written by workers and served by the web server: the same folder for both.
DUMPS_DIR = Path(env.text("DUMPS_DIR", str(ROOT / "var" / "dumps")))
# The URL at which another server serves that folder. If it is empty, the site serves the files, one at a time.
DUMPS_URL = env.text("DUMPS_URL", "").rstrip("/")
DUMPS_LICENCE = env.text("DUMPS_LICENCE", "CC0-1.0")

# Who runs the site, for its pages "About", "Privacy" and "Contact".
OPERATOR_NAME = env.text("OPERATOR_NAME", "")
OPERATOR_MAIL = env.text("OPERATOR_MAIL", "")
OPERATOR_ADDRESS = env.text("OPERATOR_ADDRESS", "")
ABOUT_NOTE = env.text("ABOUT_NOTE", "")
PRIVACY_NOTE = env.text("PRIVACY_NOTE", "")

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(ROOT / "var" / "static")))
STORAGES = {"staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}

# --- the API ----------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.accounts.authentication.Tokens",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_PARSER_CLASSES": [
        "games.api.parsers.Json",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_RENDERER_CLASSES": [
        "rest_framework.renderers.JSONRenderer",
        "games.api.readable.PageRenderer",
    ],
    "DEFAULT_THROTTLE_CLASSES": [
        "atta_site.rate_limits.VisitorThrottle",
        "atta_site.rate_limits.AccountThrottle",
        "atta_site.rate_limits.ScopeThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.rate("THROTTLE_ANON", "120/minute"),
        "user": env.rate("THROTTLE_USER", "600/minute"),
        "upload": env.rate("THROTTLE_UPLOAD", "60/minute"),
        "export": env.rate("THROTTLE_EXPORT", "60/hour"),
        "dispute": env.rate("THROTTLE_DISPUTE", "30/hour"),
        "claim": env.rate("THROTTLE_CLAIM", "30/hour"),
        "invite": env.rate("THROTTLE_INVITE", "60/hour"),
        "club": env.rate("THROTTLE_CLUB", "300/hour"),
        "study": env.rate("THROTTLE_STUDY", "600/hour"),
        "position": env.rate("THROTTLE_POSITION", "600/minute"),
        "suggestions": env.rate("THROTTLE_SUGGESTIONS", "120/minute"),
        "picture": env.rate("THROTTLE_PICTURE", "30/minute"),
        "thumbnail": env.rate("THROTTLE_THUMBNAIL", "600/minute"),
        "film": env.rate("THROTTLE_FILM", "30/hour"),
        "board": env.rate("THROTTLE_BOARD", "60/hour"),
    },
    "NUM_PROXIES": NUM_PROXIES,
    "DEFAULT_SCHEMA_CLASS": "games.api.descriptions.Description",
    "EXCEPTION_HANDLER": "games.api.errors.handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_PREFIX": "atta_",  # lets scanners for leaked secrets find it
    "TOKEN_TTL": timedelta(days=env.number("TOKEN_DAYS", 365, at_least=1)),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Atta",
    "DESCRIPTION": "Game records of ant games: upload a log, see it verified, replay it, rank its players.",
    "VERSION": version("atta"),
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "RENDERER_WHITELIST": ["rest_framework.renderers.JSONRenderer"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "games.api.descriptions.say_too_many",
        "games.api.descriptions.drop_empty_defaults",
    ],
    # Several objects have a `state`; those that occur in more than one answer are named here.
    "ENUM_NAME_OVERRIDES": {
        "ClubRole": "games.models.clubs.ClubMember.Role",
        "ClubWebhookForm": "games.models.webhooks.ClubWebhook.Form",
        "DumpForm": "games.api.dumps.FORMS",
        "FilmForm": "games.models.films.Film.Form",
        "FilmState": "games.models.films.Film.State",
        "ScheduleKind": "games.clubs.scheduling.KINDS",
        "StudyVisibility": "games.models.studies.Study.Visibility",
        "UploadState": "games.api.serializers.UPLOAD_STATES",
        "TableState": "games.models.playing.Table.State",
        "TableTime": "games.models.playing.Table.Time",
        "VisibilityEnum": "games.models.playing.Table.Visibility",  # of a table: named so before studies had one
    },
}

# --- the worker -------------------------------------------------------------------------------------------------------
# PostgreSQL is the queue, and the broker only wakes the workers: messages carry ids or nothing, are acknowledged before
# the work, and the sweep finds the work of lost messages. So the broker may be down or slow, or lose messages.

CELERY_BROKER_URL = env.url("CELERY_BROKER_URL", ["redis", "rediss", "amqp", "amqps"])
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker forever
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Without these two a publisher waits forever for a broker that accepts but never answers.
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
    # Longer than the hard time limit, including a prefetched task; by default messages are restored only after an hour.
    "visibility_timeout": 60,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "confirm_publish": True,  # RabbitMQ may otherwise drop messages silently
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_TASK_DEFAULT_QUEUE = "atta"
# Bots and films have their own queues and workers, so that they never delay verification.
CELERY_TASK_ROUTES = {
    "games.tasks.play_bots": {"queue": "bots"},
    "games.tasks.exhibit": {"queue": "bots"},
    "games.tasks.make_films": {"queue": "films"},
}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 20
CELERY_TASK_TIME_LIMIT = 25
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Celery would close the connection before and after each task; `celery.py` closes only old or broken ones.
CELERY_DB_REUSE_MAX = sys.maxsize
CELERY_TIMEZONE = "UTC"
# Number of games that built-in bots play against each other, one action per sweep.
BOT_EXHIBITIONS = env.number("BOT_EXHIBITIONS", 0, at_least=0)
# Seconds between two sweeps, which find work whose message was lost.
SWEEP_EVERY = env.number("SWEEP_EVERY", 5, at_least=1)
CELERY_BEAT_SCHEDULE = {
    # A sweep that no worker took in time expires, so that sweeps do not pile up.
    "sweep": {"task": "games.tasks.sweep", "schedule": SWEEP_EVERY, "options": {"expires": SWEEP_EVERY}},
    # Every night, so that hidden games and deleted accounts are gone from all dumps by the morning; on the first of a
    # month it also makes the dump of the month before.
    "dumps": {"task": "games.tasks.make_dumps", "schedule": crontab(hour=3, minute=10), "options": {"expires": 3600}},
    # Every hour: it chooses once a day, so that a run that was missed is made up for.
    "game-of-the-day": {
        "task": "games.tasks.choose_game_of_the_day",
        "schedule": crontab(minute=5),
        "options": {"expires": 600},
    },
    "tidy": {"task": "games.tasks.tidy", "schedule": 3600.0, "options": {"expires": 600}},
}

# Seconds after which the sweep claims a log again. Longer than a task's hard time limit.
VERIFICATION_LEASE = env.number("VERIFICATION_LEASE", 30, at_least=1)
# Logs that a worker verifies in one batch; fewer if they are long.
VERIFICATION_BATCH = env.number("VERIFICATION_BATCH", 1000, at_least=1)

# --- archives ---------------------------------------------------------------------------------------------------------

# For one file: bytes as sent, bytes when unpacked, and games.
UPLOAD_MAX_BYTES = env.number("UPLOAD_MAX_BYTES", 2 * 1024**3, at_least=1)
UPLOAD_MAX_UNPACKED = env.number("UPLOAD_MAX_UNPACKED", 8 * 1024**3, at_least=1)
UPLOAD_MAX_GAMES = env.number("UPLOAD_MAX_GAMES", 2_000_000, at_least=1)
# For one account: files that are not split yet, and their bytes.
UPLOAD_MAX_OPEN = env.number("UPLOAD_MAX_OPEN", 5, at_least=1)
UPLOAD_MAX_STORED = env.number("UPLOAD_MAX_STORED", 4 * 1024**3, at_least=1)
# Games of a file that are split in one batch; up to eight batches wait for verification.
SPLITTING_BATCH = env.number("SPLITTING_BATCH", 1000, at_least=1)
# Hours after the last received byte until an incomplete file is deleted.
UPLOAD_PATIENCE = env.number("UPLOAD_PATIENCE", 48, at_least=1)
# Bytes of a form with a file, sent without a script, and of one piece of a file that is sent in pieces.
UPLOAD_MAX_FORM = 64 * 1024**2
BODY_LIMIT = 64 * 1024
BODY_LIMITS = {
    "/theme/": 4 * 1024,
    "/language/": 4 * 1024,
    "/upload/": UPLOAD_MAX_FORM + 64 * 1024,
    "/api/v1/uploads": UPLOAD_MAX_FORM + 64 * 1024,
    "/api/v1/files": UPLOAD_MAX_BYTES,
    "/api/v1/positions": 256 * 1024,
    # A study's file has at most 4 MiB; a chapter of 5,000 actions in JSON about half of one.
    "/studies/": 4 * 1024**2 + 64 * 1024,
    "/api/v1/studies/import": 4 * 1024**2 + 64 * 1024,
    "/api/v1/studies": 1024**2,
}

# host:port, separated by commas: hosts outside the public internet to which webhooks may go, also over http.
WEBHOOK_ALLOWED = frozenset(env.names("WEBHOOK_ALLOWED", ""))

# The bearer token for /metrics; without it there is no such page. The processes of a machine add up their counts in the
# folder, which nothing else may use.
# Where spans of requests and tasks are sent, as OTLP over HTTP; empty: nowhere.
TRACES_ENDPOINT = env.url("OTEL_EXPORTER_OTLP_ENDPOINT", ["http", "https"], required=False)
METRICS_TOKEN = env.optional_secret("METRICS_TOKEN", expected="at least 20 characters", at_least=20)
METRICS_DIR = Path(env.text("METRICS_DIR", str(ROOT / "var" / "metrics")))
if METRICS_TOKEN:
    METRICS_DIR.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)

# Seconds between two heartbeats of a process; 0: no heartbeats.
HEARTBEAT_EVERY = env.number("HEARTBEAT_EVERY", 15)

# --- logging ----------------------------------------------------------------------------------------------------------

LOGGING = logs.configure(
    env.choice("LOG_FORMAT", ("json", "console"), "console" if sys.stderr.isatty() else "json"),
    env.choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO"),
)
