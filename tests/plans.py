"""The queries of some work, and their plans."""

import re
from collections.abc import Callable
from typing import NamedTuple

from django.db import connection
from django.test.utils import CaptureQueriesContext

LARGE = re.compile(r"Seq Scan on (games_(?:ratingevent|acceptance|seating|standing|game|movelog|player|verdict))\b")


class Plan(NamedTuple):
    """A query and its plan."""

    sql: str
    text: str


def plans(work: Callable[[], object]) -> list[Plan]:
    """Return the query plans of some work."""
    with CaptureQueriesContext(connection) as asked:
        work()
    assert asked.captured_queries
    statements = [query["sql"] for query in asked if re.match(r"\s*(SELECT|UPDATE|MERGE|WITH|INSERT)", query["sql"])]
    return [Plan(sql, _explained(sql)) for sql in statements]


def plans_of(work: Callable[[], object]) -> list[str]:
    """Return the large tables that some work scans completely."""
    return [table for plan in plans(work) for table in LARGE.findall(plan.text)]


def read_whole(sql: str) -> list[str]:
    return LARGE.findall(_explained(sql))


def _explained(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql.replace('%', '%%')}", [])
        return "\n".join(row[0] for row in cursor.fetchall())
