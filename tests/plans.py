"""What a piece of work asks of the database, and how the database would go about it."""

import re
from collections.abc import Callable
from typing import NamedTuple

from django.db import connection
from django.test.utils import CaptureQueriesContext

LARGE = re.compile(r"Seq Scan on (games_(?:ratingevent|acceptance|seating|standing|game|movelog|player|verdict))\b")


class Plan(NamedTuple):
    """A question, and what the database would do."""

    sql: str
    text: str


def plans(work: Callable[[], object]) -> list[Plan]:
    """How the database would go about a piece of work."""
    with CaptureQueriesContext(connection) as asked:
        work()
    assert asked.captured_queries
    told = [query["sql"] for query in asked if re.match(r"\s*(SELECT|UPDATE|MERGE|WITH|INSERT)", query["sql"])]
    return [Plan(sql, _explained(sql)) for sql in told]


def plans_of(work: Callable[[], object]) -> list[str]:
    """The large tables that a piece of work reads from end to end."""
    return [table for plan in plans(work) for table in LARGE.findall(plan.text)]


def read_whole(sql: str) -> list[str]:
    return LARGE.findall(_explained(sql))


def _explained(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql.replace('%', '%%')}", [])
        return "\n".join(row[0] for row in cursor.fetchall())
