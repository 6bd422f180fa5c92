"""Whether a connection leads to PostgreSQL itself, or to a pooler that gives its sessions to many clients in turn."""

from typing import Any

import psycopg


def is_pooled(connection: "psycopg.Connection[Any]") -> bool:
    """Return whether another process answers than the one that was named when the connection began."""
    ((answering,),) = connection.execute("SELECT pg_backend_pid()").fetchall()
    return bool(answering != connection.info.backend_pid)
