"""Reading rows as they are asked for, however many there are."""

from collections.abc import Generator
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import QuerySet

T = TypeVar("T")


def in_chunks(rows: "QuerySet[Any, T]", chunk: int) -> Generator[T]:
    """Yield rows, so many fetched at once, in a transaction of their own.

    Only in a transaction does the server keep a cursor where a pooler shares connections.
    """
    with transaction.atomic():
        yield from rows.iterator(chunk)
