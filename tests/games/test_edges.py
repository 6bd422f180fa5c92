"""Every parameter of every address at its limits: no server errors, and every error is explained.

A page's parameters are found by watching what it reads, so new parameters are tested automatically.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import cache
from typing import Any
from zlib import crc32

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client
from pytest_django import DjangoDbBlocker

from games.models import Club
from tests.conftest import NOW
from tests.games.evenings import play, season
from tests.games.test_access import ROUTES, ROWS, Cast, World, address
from tests.gated import GatedClient
from tests.tiers import by_tier, share

pytestmark = pytest.mark.django_db

TELLING = (
    *("", "0", "-1", "9" * 30, "9223372036854775808", "0001", "0001-01", "9999-12-31", "0001-01-01"),
    *("99999999999999999-999999999999999999", "#" + "9" * 30, "%00", "%ED%A0%80", "%", "x" * 5000),
)
"""As written in a URL."""
MORE = (
    *("1.5", "1e9", "00", "9223372036854775807", "-9223372036854775809", "0000", "1999-12", "9999", "9999-12"),
    *("0000-00-00", "2026-02-30", "0-0", "1-9223372036854775808", "#-1", "a%00b", "%FF%FE", "%zz", "%0D%0AX-Bad:%201"),
    *("%F0%9F%90%9C", "%D9%A1%D9%A2", "%C2%B2", "null", "[]", "{}", "%27%22%3C", "..%2F..%2Fetc", "=", "nest"),
)
EDGES = by_tier(quick=TELLING, long=(*TELLING, *MORE))
STEPS = ("0", "-1", "9" * 30, "9223372036854775808", "%00", "%ED%A0%80", "x" * 300, *by_tier(quick=(), long=EDGES))
"""As written in a path."""
CROWDS = ("&".join(f"n{number}=1" for number in range(1001)), "a" * 20_000, "=", "&&&", ";", "[]=1&[]=2", "%", "?" * 50)
"""Whole queries."""
TAILS = ("/", "%00", "%0A", "%FF", "?/")
"""What is added to a path."""
FORMATS = ("format=json", "format=html", "format=%00", "format=xml")
SHARE = by_tier(quick=108, full=18, long=1)
"""Each address is tried with one in this many of all edge values, and its neighbour with others."""
READS = ("get", "getlist", "__getitem__", "__contains__", "setdefault", "pop")
WHOLE = ("dict", "items", "lists", "values", "__iter__", "urlencode")
READ = {row.name for row in ROWS if row.method == "GET"}
FOR_MONITORS = {"schema", "health", "live-health"}
INTERFACE = sorted(name for name in READ if name.startswith("api-") and not name.startswith(("api-guide", "api-docs")))
PAGES = sorted(READ - FOR_MONITORS - set(INTERFACE))
"""Everything a person may open, including the guide and the reference of the API."""
SEGMENTED = sorted(READ - {"health", "live-health", "schema", "api-docs"})


@pytest.fixture(scope="module")
def standing_worlds(
    standing_worlds: tuple[Cast, tuple[World, World]], django_db_blocker: DjangoDbBlocker
) -> tuple[Cast, tuple[World, World]]:
    """The worlds, with leaderboards that have games."""
    with django_db_blocker.unblock():
        for club in (None, Club.objects.get()):
            play(season(5, ("Ada", "Bruno", "Cleo")), NOW - timedelta(days=1), club=club)
    return standing_worlds


@pytest.fixture
def asking(cast: dict[str, User], worlds: tuple[World, World], unthrottled: None) -> Client:
    """A moderator, who may open nearly everything, without throttling."""
    client = GatedClient(raise_request_exception=False)
    client.force_login(cast["moderator"])
    return client


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names read from queries; `*` if one is read completely."""
    names: set[str] = set()

    def watched(method: str) -> Any:
        real = getattr(QueryDict, method)

        def read(self: QueryDict, *args: Any, **kwargs: Any) -> Any:
            # The framework asks for None where no parameter names a format.
            names.update((one for one in args[:1] if one is not None) if method in READS else "*")
            return real(self, *args, **kwargs)

        return read

    for method in (*READS, *WHOLE):
        monkeypatch.setattr(QueryDict, method, watched(method))
    return names


@cache
def described() -> dict[str, set[str]]:
    """Return the parameters named in the API description, by address."""
    paths = Client().get("/api/v1/schema/?format=json").json()["paths"]
    return {
        path: {one["name"] for one in operation["get"].get("parameters", ()) if one["in"] == "query"}
        for path, operation in paths.items()
        if "get" in operation
    }


def fault(answer: Any, *, interface: bool) -> str:
    """Return what is wrong with a response; empty when nothing is."""
    kind = answer.headers.get("Content-Type", "")
    if answer.status_code >= 500:
        return str(answer.status_code)
    if answer.status_code < 400:
        return ""
    if interface:
        return "" if "json" in kind and json.loads(answer.content)["error"]["message"] else f"no JSON: {kind}"
    designed = kind.startswith("text/html") and b"<main" in answer.content and b"</html>" in answer.content
    return "" if designed or kind.startswith("application/json") else f"{answer.status_code} without a page"


def share_of(all_of_them: Sequence[str], place: str) -> Sequence[str]:
    """Return a share of the edge values for a place."""
    return all_of_them[crc32(place.encode()) % SHARE :: SHARE]


def queries(names: set[str], page: str) -> Iterator[str]:
    for name in sorted(names - {"*"}):
        edges = (*(f"{name}={edge}" for edge in EDGES), f"{name}=1&{name}=2", f"{name}[]=1", f"{name}")
        yield from share_of(edges, f"{page}?{name}")
    yield from share_of(CROWDS, page)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", PAGES)
def test_pages_survive_arbitrary_queries(
    asking: Client, worlds: tuple[World, World], seen: set[str], name: str
) -> None:
    path = address(name, worlds[0])
    asking.get(path)
    for one in sorted(seen - {"*"}):  # some are read only if others are given
        asking.get(path, {one: "2"})
    if "*" in seen:
        kind = name.rpartition("-")[2]
        seen |= set().union(*(found for pattern, found in described().items() if kind in pattern))
    asked = queries(seen, name)
    wrong = {query: said for query in asked if (said := fault(asking.get(f"{path}?{query}"), interface=False))}
    assert wrong == {}


@pytest.mark.parametrize("name", INTERFACE)
def test_api_survives_arbitrary_queries_and_returns_errors_as_json(
    asking: Client, worlds: tuple[World, World], name: str
) -> None:
    path = address(name, worlds[0])
    names = described().get(pattern_of(path), set())
    asked = (*queries(names, name), *share(FORMATS, crc32(name.encode()), of=2))
    wrong = {query: said for query in asked if (said := fault(asking.get(f"{path}?{query}"), interface=True))}
    assert wrong == {}


def test_every_address_of_the_description_is_tried_with_its_own_parameters(worlds: tuple[World, World]) -> None:
    tried = {name: pattern_of(address(name, worlds[0])) for name in INTERFACE}
    assert set(tried.values()) - {""} == set(described())
    assert {name for name, pattern in tried.items() if not pattern} == {"api-leagues-moved"}
    assert len(set(tried.values())) == len(tried)


def pattern_of(path: str) -> str:
    """Return the pattern of the description that fits an address best; empty if none does."""
    matching = (pattern for pattern in described() if matches(pattern, path))
    return min(matching, key=lambda pattern: pattern.count("{"), default="")


def matches(pattern: str, path: str) -> bool:
    """Return whether an address matches a pattern of the description."""
    return re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(pattern)), path) is not None


@pytest.mark.parametrize("accept", ["", "*/*", "text/csv", "application/xml", ";;;", "a/b;q=x", "\x7f", "x" * 5000])
def test_api_errors_are_json_whatever_the_accept_header(asking: Client, accept: str) -> None:
    for path in (
        "games?since=x",
        "games/zzzzzzzz",
        "nothing",
        "leaderboards/atta-ants-online?period=0001",
        f"games?{CROWDS[0]}",
    ):
        answer = asking.get(f"/api/v1/{path}", HTTP_ACCEPT=accept)
        assert (path, answer.status_code // 100, fault(answer, interface=True)) == (path, 4, "")


def test_api_answers_as_json_whatever_would_change_something(asking: Client) -> None:
    """Some programs say by default that HTML is what they accept."""
    for path in ("games/zzzzzzzz/confirmation", "studies", "studies/zzzzzzzz/chapters", "nothing"):
        answer = asking.post(f"/api/v1/{path}", b"{", "application/json", headers={"accept": "text/html, */*;q=0.2"})
        assert (path, answer.status_code // 100, fault(answer, interface=True)) == (path, 4, "")


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", SEGMENTED)
def test_addresses_survive_arbitrary_path_segments(asking: Client, worlds: tuple[World, World], name: str) -> None:
    path = address(name, worlds[0])
    parts = [part for part in path.split("/") if part and part not in ROUTES[name]]
    steps = ((part, edge) for at, part in enumerate(parts) for edge in share_of(STEPS, f"{name}/{at}"))
    tried = {path.replace(f"/{part}", f"/{edge}", 1) for part, edge in steps}
    tried |= {f"{path}{more}" for more in share(TAILS, crc32(name.encode()), of=3)}
    interface = name in INTERFACE
    wrong = {one[:200]: said for one in sorted(tried) if (said := fault(asking.get(one), interface=interface))}
    assert wrong == {}


def test_unknown_host_is_rejected_in_the_requested_format(asking: Client) -> None:
    assert fault(asking.get("/api/v1/games", HTTP_HOST="evil.example"), interface=True) == ""
    assert fault(asking.get("/games/", HTTP_HOST="evil.example"), interface=False) == ""
    assert asking.get("/games/", HTTP_HOST="evil.example").status_code == 400
