"""The time by the database's clock: this process's own, corrected by the difference found at the last heartbeat."""

from datetime import UTC, datetime, timedelta

_ahead = timedelta()


def learn(ahead: float) -> None:
    """Note by how many seconds this process's clock is ahead of the database's."""
    global _ahead  # noqa: PLW0603 - a process has one clock
    _ahead = timedelta(seconds=ahead)


def now() -> datetime:
    """Return the time by the database's clock."""
    return datetime.now(UTC) - _ahead
