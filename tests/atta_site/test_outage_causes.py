"""Which errors are an outage of the database, answered with 503, and which are a fault of ours."""

from collections.abc import Callable

import pytest
from django.db import OperationalError, connection
from django.test import RequestFactory
from structlog.testing import capture_logs

from atta_site.outage import failed

TOO_MANY_COLUMNS = "SELECT " + ", ".join(["1"] * 1700)
TOO_LONG = "SET LOCAL statement_timeout = 50; SELECT pg_sleep(10)"
GONE = OperationalError("the connection is closed")


def status_after(act: Callable[[], None]) -> int:
    """Return what is answered when something fails in a request."""
    try:
        act()
    except (OperationalError, LookupError):
        return failed(RequestFactory().get("/api/v1/games")).status_code
    return 200


def be_away() -> None:
    raise GONE


def lead_on() -> None:
    try:
        be_away()
    except OperationalError as outage:
        raise LookupError from outage


def fail_meanwhile() -> None:
    try:
        be_away()
    except OperationalError:
        [0].pop(1)


def fail_instead() -> None:
    try:
        be_away()
    except OperationalError:
        raise LookupError from None


@pytest.mark.parametrize("act", [be_away, lead_on, fail_meanwhile])
def test_an_outage_is_found_behind_what_it_led_to(act: Callable[[], None]) -> None:
    assert status_after(act) == 503


def test_an_error_that_is_raised_in_place_of_an_outage_is_a_fault() -> None:
    assert status_after(fail_instead) == 500


@pytest.mark.parametrize("statement", [TOO_MANY_COLUMNS, TOO_LONG])
def test_a_statement_beyond_a_limit_is_a_fault_and_no_outage(db: None, statement: str) -> None:
    with connection.cursor() as cursor:
        assert status_after(lambda: cursor.execute(statement) and None) == 500


def test_an_outage_is_logged_with_where_it_came_from() -> None:
    with capture_logs() as logged:
        status_after(be_away)
    assert [(line["event"], line["exc_info"]) for line in logged] == [("database away", GONE)]
