"""The API compared with its own description."""

from collections import Counter
from datetime import datetime
from typing import Any

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.test import Client
from hypothesis import HealthCheck, Phase, settings
from knox.models import AuthToken
from schemathesis import checks

from games.api.subjects import SUBJECTS
from games.models import Upload
from tests.factories import record
from tests.games.judging import count_all
from tests.games.uploading import upload_file
from tests.tiers import LONG, Note, by_tier

pytest_plugins = ["schemathesis.pytest.plugin"]
pytestmark = pytest.mark.django_db(transaction=True)
UNEXPECTED = {"DELETE", "PATCH", "POST", "PUT", "OPTIONS", "TRACE", "QUERY"}
"""Methods that are tried where an address is described for others, in the long tier."""
DESCRIBED = [
    checks.not_a_server_error, checks.status_code_conformance, checks.content_type_conformance,
    checks.response_schema_conformance,
]  # fmt: skip
"""What is checked of every answer."""
WALKS = by_tier(quick=30, long=600)
ONE_WALK = settings(
    max_examples=2, stateful_step_count=10, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck), phases=(Phase.generate,),
)  # fmt: skip
"""Of two examples the first is always the simplest. Each walk finds another site, so that no two can be compared."""
MANY = by_tier(quick=30, long=100)
"""Of how many operations a walk is seen."""
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")


@pytest.fixture
def described(unthrottled: None) -> schemathesis.schemas.BaseSchema:
    """The description of a site without throttling, so that all requests get through."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", get_wsgi_application())
    schema.config.phases.coverage.enabled = LONG  # every parameter at its edges: `test_edges` does as much sooner
    schema.config.phases.coverage.unexpected_methods = UNEXPECTED
    return schema


@pytest.fixture
def authorised(transactional_db: None) -> dict[str, str]:
    _, token = AuthToken.objects.create(User.objects.create_user("anyone"))
    return {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}  # the transport decompresses nothing


def test_schema_documents_rate_limits_for_every_operation(client: Client) -> None:
    schema = client.get("/api/v1/schema/?format=json").json()
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    assert len(operations) > 50
    for operation in operations:
        answer = operation["responses"]["429"]
        assert "Retry-After" in answer["headers"]
        assert {"$ref": "#/components/schemas/ErrorShape"} in [kind["schema"] for kind in answer["content"].values()]


def test_every_operation_says_what_any_request_may_be_refused_with(client: Client) -> None:
    schema = client.get("/api/v1/schema/?format=json").json()
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            assert {"401", "403", "429", "503"} <= operation["responses"].keys()
            assert "{" not in path or "404" in operation["responses"]
            assert "requestBody" not in operation or {"400", "413"} <= operation["responses"].keys()
            assert [*operation["responses"]] == sorted(operation["responses"])


def test_links_lead_from_what_is_named_to_what_takes_the_name(client: Client) -> None:
    schema = client.get("/api/v1/schema/?format=json").json()
    assert _link(schema, "/games", "get", "200", "get_game_record") == {"key": "$response.body#/games/0/key"}
    assert _link(schema, "/account/collections", "post", "201", "put_collection") == {"key": "$response.body#/key"}
    assert _link(schema, "/clubs/{club}/seasons", "get", "200", "post_club_season_closing") == {
        "club": "$request.path.club",
        "id": "$response.body#/0/id",
    }


def _link(schema: dict[str, Any], path: str, method: str, status: str, name: str) -> dict[str, str]:
    links: dict[str, Any] = schema["paths"][f"/api/v1{path}"][method]["responses"][status]["links"]
    parameters: dict[str, str] = links[name]["parameters"]
    return parameters


def test_description_says_of_every_subject_what_it_is_and_of_no_other(client: Client) -> None:
    schema = client.get("/api/v1/schema/?format=json&lang=de").json()
    named = {tag for methods in schema["paths"].values() for one in methods.values() for tag in one["tags"]}
    assert {tag["name"] for tag in schema["tags"]} == named == set(SUBJECTS)
    assert "Dateien mit allen" in {tag["name"]: tag["description"] for tag in schema["tags"]}["dumps"]


def test_operations_are_named_by_method_and_path(client: Client) -> None:
    schema = client.get("/api/v1/schema/?format=json").json()
    names = {
        (method, path): schema["paths"][path][method]["operationId"]
        for path in schema["paths"]
        for method in schema["paths"][path]
    }
    assert names["get", "/api/v1/games/{key}/canonical"] == "get_game_canonical"
    assert names["get", "/api/v1/games"] == "get_games"
    assert names["post", "/api/v1/uploads"] == "post_uploads"
    assert len(set(names.values())) == len(names)
    assert {name.partition("_")[0] for name in names.values()} == {method for method, _ in names}


def test_no_parameter_has_a_default_that_generators_refuse_or_send(client: Client) -> None:
    schema = client.get("/api/v1/schema/?format=json").json()
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    schemas = [parameter["schema"] for operation in operations for parameter in operation.get("parameters", ())]
    given = [one for one in schemas if "default" in one]
    assert given
    assert [
        one for one in given if one["default"] == "" or one["default"] not in one.get("enum", [one["default"]])
    ] == []


@pytest.mark.full
def test_requests_that_follow_links_are_answered_as_described(
    described: schemathesis.schemas.BaseSchema, authorised: dict[str, str], now: datetime, record_property: Note
) -> None:
    upload_file(record(), via=Upload.Via.API, now=now, uploader=User.objects.get())
    count_all(now)
    asked = Counter[str]()

    class Walk(described.as_state_machine()):  # type: ignore[misc] # made of the description
        def get_call_kwargs(self, case: "schemathesis.Case[Any]") -> dict[str, Any]:
            return {"headers": authorised}

        def validate_response(self, response: Any, case: "schemathesis.Case[Any]", **_: object) -> None:
            asked[case.operation.label] += 1
            case.validate_response(response, checks=DESCRIBED)

    for number in range(WALKS):
        Walk._hypothesis_internal_use_seed = number
        Walk.run(settings=ONE_WALK)
    record_property("requests that follow the description's links", asked.total())
    assert len(asked) > MANY
