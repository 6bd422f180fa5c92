"""What is read from the database, one topic a file. Nothing in here writes."""

from games.selectors.queue import anything_waits, logs_wait, oldest_waiting_seconds

__all__ = ["anything_waits", "logs_wait", "oldest_waiting_seconds"]
