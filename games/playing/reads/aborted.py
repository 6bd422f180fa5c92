"""How often an account aborts rated games: who has seen the deal must not choose among deals."""

from datetime import datetime, timedelta

from games.models import Table, TableSeat

LAST, MOST = 10, 3
"""Of so many rated games, the newest, the last abort that is one too many."""
_REST = timedelta(days=1)
_PATIENCE = timedelta(minutes=5)
"""For the first move of a game, after which to abort it is nobody's choice of a deal."""


def counts(table: Table, seat: TableSeat, *, now: datetime) -> bool:
    """Return whether a seat that aborts its game, in which nobody has moved, is one that chooses among deals.

    It is not where it has waited for the other's first move long enough.
    """
    has_waited = seat.letter != table.turn and table.begun_at is not None and now - table.begun_at >= _PATIENCE
    return table.rated and seat.account_id is not None and not has_waited


def is_too_many(seat: TableSeat) -> bool:
    """Return whether the next game that a seat's account aborts would be its third of its last ten: it is lost."""
    return seat.account_id is not None and len(_moments(seat.account_id)) >= MOST - 1


def unrated_until(account: int, *, now: datetime) -> datetime | None:
    """Return until when an account plays training games only, because it aborted too often; None if it does not."""
    moments = _moments(account)
    until = max(moments) + _REST if len(moments) >= MOST else now
    return until if until > now else None


def _moments(account: int) -> list[datetime]:
    """Return when an account aborted those of its last rated games that it did."""
    rated = TableSeat.objects.filter(account=account, table__rated=True, table__begun_at__isnull=False)
    last = rated.order_by("-table__begun_at", "-pk").values_list("aborted_at", flat=True)[:LAST]
    return [moment for moment in last if moment]
