"""Locks on a table's rows: every change at a table holds its lock, so that changes follow each other."""

from games.models import Table


def locked(key: str) -> Table:
    """Return a table by its key, held until the end of the transaction.

    :raises Table.DoesNotExist: when there is none.
    """
    # Without the key: what only names the table, such as a notice, need not wait.
    return Table.objects.select_for_update(no_key=True, of=("self",)).get(key=key)
