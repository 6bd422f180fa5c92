"""Which errors count as a database outage (503) and which as a server error."""

from collections.abc import Callable

import pytest
from django.db import OperationalError, connection
from django.test import RequestFactory
from structlog.testing import capture_logs

from atta_site.errors import failed

TOO_MANY_COLUMNS = "SELECT " + ", ".join(["1"] * 1700)
TOO_LONG = "SET LOCAL statement_timeout = 50; SELECT pg_sleep(10)"
GONE = OperationalError("the connection is closed")


def status_after(act: Callable[[], None]) -> int:
    """Return the status of the response when something fails in a request."""
    try:
        act()
    except (OperationalError, LookupError):
        return failed(RequestFactory().get("/api/v1/games")).status_code
    return 200


def raise_outage() -> None:
    raise GONE


def raise_error_from_outage() -> None:
    try:
        raise_outage()
    except OperationalError as outage:
        raise LookupError from outage


def fail_while_handling_outage() -> None:
    try:
        raise_outage()
    except OperationalError:
        [0].pop(1)


def raise_error_instead_of_outage() -> None:
    try:
        raise_outage()
    except OperationalError:
        raise LookupError from None


@pytest.mark.parametrize("act", [raise_outage, raise_error_from_outage, fail_while_handling_outage])
def test_outage_is_recognized_behind_the_errors_it_caused(act: Callable[[], None]) -> None:
    assert status_after(act) == 503


def test_error_raised_instead_of_an_outage_returns_500() -> None:
    assert status_after(raise_error_instead_of_outage) == 500


@pytest.mark.parametrize("statement", [TOO_MANY_COLUMNS, TOO_LONG])
def test_statement_beyond_a_database_limit_returns_500(db: None, statement: str) -> None:
    with connection.cursor() as cursor:
        assert status_after(lambda: cursor.execute(statement) and None) == 500


def test_outage_is_logged_with_its_traceback() -> None:
    with capture_logs() as logged:
        status_after(raise_outage)
    assert [(line["event"], line["exc_info"]) for line in logged] == [("database unavailable", GONE)]
