"""Every operation does what its description says: it takes what is in accord with it, refuses the rest, and answers so.

The site has a game with everything attached to it, so that operations find what they are about.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core import signals
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from knox.models import AuthToken
from schemathesis import checks
from schemathesis.core.failures import AcceptedNegativeData, Failure, FailureGroup
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode
from schemathesis.openapi.checks import RejectedPositiveData

from games.clubs import running
from games.collections import keeping
from games.films.asking import ask_for
from games.films.options import FilmOptions
from games.invitations.reads.tokens import token_of
from games.models import Club, ClubWebhook
from games.moderation import moderators
from tests.conftest import NOW
from tests.games.test_access import ROUTES, World, address
from tests.tiers import Note, by_tier

pytestmark = pytest.mark.django_db
CHECKS = [
    checks.not_a_server_error, checks.status_code_conformance, checks.content_type_conformance,
    checks.response_schema_conformance, checks.negative_data_rejection, checks.positive_data_acceptance,
    checks.missing_required_header, checks.unsupported_method,
]  # fmt: skip
EACH = settings(
    max_examples=by_tier(quick=3, full=6, long=50), deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck), phases=(Phase.generate,),
)  # fmt: skip
"""For each operation, once in accord with its description and once against it."""
BARRED = {401, 403, 404}
"""What is answered where there is nothing to be done, or somebody else has to do it."""
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
Case = Any
"""A request, made from the description."""


@pytest.fixture
def account(cast: dict[str, User], worlds: tuple[World, World]) -> User:
    """An account that may do nearly everything: it uploaded the game, runs the club and moderates."""
    account = cast["uploader"]
    moderators.make_moderator(account, now=NOW)
    return account


@pytest.fixture
def headers(account: User) -> dict[str, str]:
    _, token = AuthToken.objects.create(account)
    return {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}  # the transport decompresses nothing


@pytest.fixture
def described(unthrottled: None) -> Iterator[schemathesis.schemas.BaseSchema]:
    """The description of a site that answers within the test's transaction."""
    ends = (signals.request_started, signals.request_finished)
    for end in ends:
        end.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", get_wsgi_application())
    for end in ends:
        end.connect(close_old_connections)


@pytest.fixture
def places(account: User, worlds: tuple[World, World]) -> "Places":
    """What the names in the addresses of operations stand for."""
    game = worlds[0].game
    collection = keeping.make(account, "Best", public=True, now=NOW)
    keeping.add(collection, game, now=NOW)
    film = ask_for(game, FilmOptions(size=120, last=3), plies=3, by="x", now=NOW)
    club = Club.objects.get()
    ClubWebhook.objects.create(
        club=club, by=account, url="https://ants.example/", form="json", language="en", made_at=NOW
    )
    link = running.make_link(club, by=account, now=timezone.now())
    return Places(
        worlds[0], {"collection": collection.key, "film": str(film.pk), "token": str(token_of(link.nonce, link.digest))}
    )


class Places:
    """Values for the names in addresses, by the first address of the site that is of the same form."""

    def __init__(self, world: World, named: dict[str, str]) -> None:
        self._addresses = {name: address(name, world) for name in ROUTES if name.startswith("api-")}
        self._named = named

    def of(self, path: str) -> dict[str, str]:
        """Return the value of each name in a path of the description."""
        form, names = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)), path.count("{")
        found = (re.fullmatch(form, one) for name, one in self._addresses.items() if ROUTES[name].count("<") == names)
        values: dict[str, str] = next(filter(None, found)).groupdict()
        values |= {name: value for name, value in self._named.items() if name in values}
        if "/collections/{key}" in path:
            values["key"] = self._named["collection"]
        if "/films/{id}" in path:
            values["id"] = self._named["film"]
        return values


@pytest.mark.full
def test_every_operation_does_as_it_is_described(
    described: schemathesis.schemas.BaseSchema, headers: dict[str, str], places: Places, record_property: Note
) -> None:
    statuses, faults = defaultdict[str, Counter[int]](Counter), dict[tuple[str, str, str], str]()
    operations = [found.ok() for found in described.get_all_operations()]  # type: ignore[union-attr] # all are readable
    for operation in operations:
        for mode in GenerationMode:
            for case, answer in _asked(operation, mode, places.of(operation.path), headers):
                statuses[operation.label][answer.status_code] += 1
                for fault in _faults(case, answer):
                    at = operation.label, str(mode), fault.title
                    faults.setdefault(at, f"{case.path_parameters} {case.query} {case.body!r:.300} {answer.text:.300}")
    record_property("requests made from the description", sum(map(Counter.total, statuses.values())))
    assert not faults, "\n".join(f"{at}: {what}" for at, what in faults.items())
    barred = [label for label, seen in statuses.items() if seen.keys() <= BARRED]
    assert len(operations) > 150
    assert len(barred) < len(operations) / 10, barred


def _asked(
    operation: Any, mode: GenerationMode, values: dict[str, str], headers: dict[str, str]
) -> list[tuple[Case, Any]]:
    """Return requests to an operation and their answers; the site is the same for each."""
    done: list[tuple[Case, Any]] = []

    @EACH
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Case) -> None:
        if any(isinstance(value, float) and value.is_integer() for value in case.query.values()):
            return  # 14.0 in an address is the integer 14, though it counts here as something else
        path = case.meta.components.get(ParameterLocation.PATH)
        if values and (path is None or path.mode == GenerationMode.POSITIVE):
            case.path_parameters = dict(values)
        with transaction.atomic():
            done.append((case, case.call(headers=headers)))
            transaction.set_rollback(True)

    try:
        ask()
    except Unsatisfiable:  # nothing can be wrong about an address without parameters
        assert mode is GenerationMode.NEGATIVE
    return done


def _faults(case: Case, answer: Any) -> list[Failure]:
    try:
        case.validate_response(answer, checks=CHECKS)
    except FailureGroup as group:
        return [one for one in group.exceptions if not _is_in_order(one, answer)]
    return []


def _is_in_order(fault: Failure, answer: Any) -> bool:
    """Return whether a refusal is right though the checks find fault with it.

    It may be the site's own, of what no description can say, as of parameters that exclude each other; and what is
    against the description may be refused with any status, as tus has 412 for another version.
    """
    is_refused = answer.status_code >= 400
    if isinstance(fault, RejectedPositiveData):
        return is_refused and answer.json()["error"]["template"] is not None
    return is_refused and isinstance(fault, AcceptedNegativeData)
