"""Halves of pairs and NUL, in every text of a request: a refusal that says where, never an error of the site."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.games.test_access import FORM, ROUTES, ROWS, World, address
from tests.gated import GatedClient

pytestmark = pytest.mark.django_db
HALF, NUL = "\ud800", "\0"
WRITING = [row for row in ROWS if row.method != "GET"]
GENERAL: tuple[Any, ...] = ({HALF: 1}, [HALF], HALF, {"x": {"y": [1, {HALF: NUL}]}}, {"tags": {"Game": NUL}})


@pytest.fixture
def asking(cast: dict[str, User], unthrottled: None) -> Client:
    """The uploader, to whom most belongs."""
    client = GatedClient(raise_request_exception=False)
    client.force_login(cast["uploader"])
    return client


@cache
def described() -> dict[tuple[str, str], dict[str, Any]]:
    """Return the properties of bodies that the API describes, by address without its names, and method."""
    schema = Client().get("/api/v1/schema/?format=json").json()
    shapes = schema["components"]["schemas"]
    found = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            shape = shapes.get(body.get("$ref", "").rpartition("/")[2], body)
            found[re.sub(r"{.*?}", "{}", path), method.upper()] = shape.get("properties", {})
    return found


def bodies(name: str, method: str) -> Iterator[Any]:
    """Yield bodies, each with one text that is none: in every field that is described, and in some that are not."""
    written = re.sub(r"<.*?>", "{}", "/" + ROUTES[name])
    fields = described().get((written, method), {})
    for field in fields:
        yield from ({field: HALF}, {field: [{HALF: NUL}]})
    yield from GENERAL


@pytest.mark.full
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_no_field_of_any_operation_fails_on_what_is_not_text(
    asking: Client, worlds: tuple[World, World], method: str
) -> None:
    wrong = []
    for row in (row for row in WRITING if row.method == method and row.name.startswith("api-")):
        for body in bodies(row.name, method):
            path = address(row.name, worlds[0])
            answer = asking.generic(method, path, json.dumps(body), content_type="application/json")
            if answer.status_code >= 500:
                wrong.append((row.name, body, answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("sent", [HALF, f"a{HALF}b", NUL])
@pytest.mark.parametrize("path", ["/api/v1/tables", "/api/v1/studies"])
def test_a_choice_that_is_not_text_is_refused_with_its_field_and_character(
    asking: Client, path: str, sent: str
) -> None:
    answer = asking.post(path, json.dumps({"visibility": sent}), content_type="application/json")
    error = answer.json()["error"]
    assert (answer.status_code, error["place"]) == (400, {"parameter": "visibility"})
    assert f"“visibility” contains {'U+0000' if sent == NUL else 'U+D800'}" in error["message"]


def test_a_key_that_is_not_text_is_named_without_it(asking: Client) -> None:
    answer = asking.post("/api/v1/positions", json.dumps({"tags": {HALF: "x"}}), content_type="application/json")
    assert answer.json()["error"]["place"] == {"parameter": "tags.U+D800"}


@pytest.mark.parametrize("headers", [{"Accept-Language": "de"}, {}])
def test_forms_of_pages_with_what_is_not_text_are_refused_with_a_page(
    asking: Client, worlds: tuple[World, World], headers: dict[str, str]
) -> None:
    pages = [row for row in WRITING if row.method == "POST" and not row.name.startswith(("api-", "live-"))]
    answers = {row.name: asking.post(address(row.name, worlds[0]), "x=a%00b", FORM, headers=headers) for row in pages}
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 400} == {}
    assert all("U+0000" in answer.content.decode() and b"<main" in answer.content for answer in answers.values())


@pytest.mark.parametrize("path", ["/api/v1/uploads", "/upload/"])
@pytest.mark.parametrize("named", ["file; filename*={}", "a; name*={}", "a; name*={}; filename=b"])
def test_names_of_fields_and_files_may_be_forged(asking: Client, path: str, named: str) -> None:
    said = f"form-data; name={named}".format("unicode_escape''%5Cud800")
    part = f"--b\r\nContent-Disposition: {said}\r\n\r\nx\r\n--b--\r\n"
    answer = asking.post(path, part.encode(), content_type="multipart/form-data; boundary=b")
    assert answer.status_code < 500


@pytest.mark.parametrize("path", ["/", "/games/", "/api/v1/games", "/players/x%00y/", "/api/v1/games/%00"])
def test_addresses_and_headers_that_are_not_text_are_refused(asking: Client, path: str) -> None:
    asked = path if "%00" in path else f"{path}?player=%00"
    answers = [asking.get(asked), *(asking.get("/", headers={name: sent}) for name in ("Idempotency-Key", "User-Agent",
               "X-Guest", "Accept-Language") for sent in (NUL, f"a{HALF}"))]  # fmt: skip
    assert [answer.status_code for answer in answers] == [400] * len(answers)


@pytest.mark.parametrize("said", ["a%ED%A0%80b", "%FF%FE", "%C0%80"])
def test_bytes_that_are_not_utf_8_are_read_as_signs_of_replacement(asking: Client, said: str) -> None:
    assert asking.get(f"/api/v1/games?player={said}").status_code == 200
    assert asking.post("/account/collections/", f"name={said}", FORM).status_code in (303, 422)
