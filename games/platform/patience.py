"""A limit on how long a request may keep the database searching."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import OperationalError, connection, transaction
from psycopg.errors import QueryCanceled

from engine.words import marked
from games.platform.errors import RefusedError

_TOO_WIDE: Final = marked("Finding these games takes too long. Narrow the filter, or download the dumps.")


class TooSlowError(RefusedError):
    """Games are not found in time: too many have to be searched for the few that match."""

    def __init__(self) -> None:
        super().__init__("too_wide", _TOO_WIDE)


@contextmanager
def patience(milliseconds: int) -> Iterator[None]:
    """Let no statement inside take longer than some time. :raises TooSlowError: when one does."""
    nested = connection.in_atomic_block
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {milliseconds}")
            yield
            if nested:  # else the limit would last until the end of the transaction outside
                cursor.execute("SET LOCAL statement_timeout TO DEFAULT")
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise TooSlowError from error
        raise


__all__ = ["TooSlowError", "patience"]
