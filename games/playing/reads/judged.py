"""Reading which tables have a verdict on their record, but no link to its game yet."""

from typing import NamedTuple

from django.db.models import OuterRef, Subquery

from games.models import MoveLog, Table


class ToLink(NamedTuple):
    """A table and its record, by id."""

    table: int
    log: int


def next_to_link() -> ToLink | None:
    """Return the first table whose record was judged but is not linked; none if there is none.

    The search begins with the few tables that wait, and finds the record of each in an index. Searched for in the order
    of records, a database without any such table would read all of them, a second for a million, again and again.
    """
    judged = MoveLog.objects.filter(upload=OuterRef("upload"), game__isnull=False).order_by("upload", "number")
    waiting = Table.objects.filter(upload__isnull=False, game=None).annotate(log=Subquery(judged.values("pk")[:1]))
    found = waiting.filter(log__isnull=False).order_by("ended_at", "pk").values_list("pk", "log").first()
    return ToLink(*found) if found else None
