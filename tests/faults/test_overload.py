"""One account, and visitors of several addresses, ask for the most that is allowed: the site goes on answering.

`make bench OF=overload` measures the same on a quiet machine.
"""

from collections.abc import Iterator

import pytest

from tests.faults.overloading import LOADS, Watch, site_with_the_longest_games
from tests.faults.site import Site

pytestmark = pytest.mark.full
MEMORY = 300_000_000
"""Bytes that one web process stays below."""
LATE = {"/health": 0.5, "/": 1.0}
"""Seconds of computing of the web processes within which these are answered, each time, however busy the machine is."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_with_the_longest_games(tmp_path_factory.mktemp("overload") / "site") as site:
        yield site


@pytest.mark.parametrize("load", LOADS)
def test_the_most_that_is_allowed_keeps_nobody_waiting(site: Site, load: str) -> None:
    (send, allowed), watch = LOADS[load], Watch(site)
    with watch.watching():
        statuses = send(site)
    assert {*statuses} <= allowed
    assert watch.memory < MEMORY
    assert not [(path, one) for path, each in watch.computed.items() for one in each if one >= LATE[path]]
    assert all(watch.computed.values())
