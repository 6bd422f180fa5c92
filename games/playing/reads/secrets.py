"""Reading a table's secret, once it may be known."""

from games.models import Table
from games.platform.sealing import unseal

PURPOSE = b"table"


def published_secret(table: Table) -> str | None:
    """Return the secret of a table that is over; none before."""
    if table.state in (Table.State.OPEN, Table.State.PLAYING):
        return None
    return unseal(bytes(table.sealed_secret), PURPOSE)
