"""What operators watch and allow: logs, metrics, heartbeats, addresses of webhooks, comments on games."""

import os
import sys
from pathlib import Path

from atta_site import env, logs
from atta_site.settings.site import ROOT

LOGGING = logs.configure(
    env.choice("LOG_FORMAT", ("json", "console"), "console" if sys.stderr.isatty() else "json"),
    env.choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO"),
)

# Clients' addresses in the line of each request: whole, shortened to their network, or none. The days are for the
# privacy page: how long the operator's system keeps log lines.
LOG_ADDRESSES = env.choice("LOG_ADDRESSES", ("full", "network", "none"), "full")
LOG_DAYS = env.number("LOG_DAYS", 30, at_least=1)

# The bearer token for /metrics; without it there is no such page. The processes of a machine add up their counts in the
# folder, which nothing else may use.
METRICS_TOKEN = env.optional_secret("METRICS_TOKEN", expected="at least 20 characters", at_least=20)
METRICS_DIR = Path(env.text("METRICS_DIR", str(ROOT / "var" / "metrics")))
if METRICS_TOKEN:
    env.make_folder("METRICS_DIR", METRICS_DIR)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)

# Seconds between two heartbeats of a process; 0: no heartbeats. A process not seen for a minute counts as ended, and is
# no longer called: one heartbeat may be missed.
HEARTBEAT_EVERY = env.number("HEARTBEAT_EVERY", 15, at_most=30)

# host:port, separated by commas: hosts outside the public internet to which webhooks may go, also over http.
WEBHOOK_ALLOWED = frozenset(env.names("WEBHOOK_ALLOWED", ""))

# Whether accounts can comment on games, and how many comments one can write; an account is new for seven days.
COMMENTS = env.flag("COMMENTS", default=True)
COMMENTS_AN_HOUR = env.number("COMMENTS_AN_HOUR", 20)
COMMENTS_A_DAY = env.number("COMMENTS_A_DAY", 60)
COMMENTS_OF_NEW_A_DAY = env.number("COMMENTS_OF_NEW_A_DAY", 10)
