"""Event streams: what has happened at a table or to somebody's own games, as server-sent events."""
