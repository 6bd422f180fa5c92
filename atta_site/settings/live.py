"""Streams of events, which web processes hold open."""

from atta_site import env
from atta_site.settings.storage import DIRECT_DATABASE_URL

# The database for the streams' notifications: PostgreSQL itself, because a pooler shares connections.
LIVE_DATABASE_URL = DIRECT_DATABASE_URL or env.url("DATABASE_URL", ["postgresql", "postgres"])
# Streams that one web process holds open, in all and for each address; further readers poll.
LIVE_STREAMS = env.number("LIVE_STREAMS", 4096, at_least=1)
LIVE_STREAMS_EACH = env.number("LIVE_STREAMS_EACH", 256, at_least=1)
