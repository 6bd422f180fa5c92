"""The reference of the API: an index, and a page for each subject, operation and data type."""

import re
from functools import cache
from typing import Any

import pytest
from django.test import Client

from games.web.reference.schemas import kind_of
from games.web.reference.subjects import SUBJECTS
from tests.games.web.conftest import Read

pytestmark = pytest.mark.django_db
DOCS = "/api/v1/docs/"


@cache
def described() -> dict[str, Any]:
    """Return the OpenAPI description."""
    return Client().get("/api/v1/schema/?format=json").json()  # type: ignore[no-any-return]


def operations() -> list[tuple[str, str]]:
    """Return subjects and ids of all operations."""
    paths = described()["paths"].values()
    return [(one["tags"][0], one["operationId"]) for methods in paths for one in methods.values()]


def test_the_reference_has_a_title_for_every_subject_and_no_other() -> None:
    assert set(SUBJECTS) == {subject for subject, _ in operations()}


@pytest.mark.full
def test_every_anchor_of_the_reference_of_one_page_is_in_the_index_and_leads_to_a_page(client: Client) -> None:
    html = client.get(DOCS).content.decode()
    led = dict(re.findall(r'<li id="([\w-]+)" data-entry><a href="([^"]+)"', html))
    shapes = {f"shape-{name}": f"{DOCS}types/{name}/" for name in described()["components"]["schemas"]}
    assert led == {one: f"{DOCS}{subject}/{one}/" for subject, one in operations()} | shapes
    assert set(re.findall(r'<section class="[^"]*" id="(\w+)"', html)) == {*SUBJECTS, "shapes"}


@pytest.mark.full
def test_every_page_of_the_reference_answers(client: Client) -> None:
    names = [*described()["components"]["schemas"]]
    pages = [f"{subject}/{one}/" for subject, one in operations()] + [f"types/{name}/" for name in names]
    pages += [*(f"{subject}/" for subject in SUBJECTS), "types/"]
    assert {page: client.get(DOCS + page).status_code for page in pages} == dict.fromkeys(pages, 200)


@pytest.mark.parametrize("page", ["types/NoShape/", "no-subject/", "games/get_tables/", "games/none/"])
def test_what_the_reference_does_not_have_is_not_found(client: Client, page: str) -> None:
    assert client.get(DOCS + page).status_code == 404


def test_an_operation_shows_its_parameters_bodies_answers_and_samples(read: Read) -> None:
    words = read(f"{DOCS}tables/post_tables/")
    assert "POST /api/v1/tables" in words
    assert "ruleset required string places integer · otherwise 2 first drawn, opener, oldest" in words
    assert """-d '{"ruleset": "atta-ants-online"}'""" in words
    assert "201 Created TableShape key string" in words
    assert '"ruleset": "atta-ants-online"' in words.partition("Sample answer")[2]


def test_a_request_that_needs_a_token_has_one(read: Read) -> None:
    assert 'curl -X POST \\ "http' in read(f"{DOCS}claims/post_claim_contest/")
    assert '-H "Authorization: Bearer $TOKEN"' in read(f"{DOCS}claims/post_claim_contest/")
    assert "Authorization" not in read(f"{DOCS}games/get_game/")


def test_a_type_names_the_operations_and_types_that_have_it(read: Read) -> None:
    words = read(f"{DOCS}types/TableSeatShape/")
    assert "Part of TableShape" in words
    assert "Sent or answered by GET /api/v1/tables " in read(f"{DOCS}types/TableRowShape/")


def test_the_reference_is_searched_by_words_without_a_script(read: Read) -> None:
    words = read(f"{DOCS}?q=game+Favourite")
    assert "PUT /api/v1/games/{key}/favourite" in words
    assert "/api/v1/tables" not in words


def test_a_search_that_finds_nothing_says_so(client: Client) -> None:
    said = re.compile(r"data-nothing>Nothing in the reference has these words.")
    assert said.search(client.get(f"{DOCS}?q=aardvark").content.decode())
    assert not said.search(client.get(f"{DOCS}?q=favourite").content.decode())


def test_neighbours_lead_through_all_operations(client: Client) -> None:
    uploads = set(re.findall(rf'href="({DOCS}uploads/[^"]+)"', client.get(DOCS).content.decode()))
    seen: list[str] = []
    page = f"{DOCS}uploads/post_uploads/"
    while page and page not in seen and page.startswith(f"{DOCS}uploads/"):
        seen.append(page)
        page = "".join(re.findall(r'rel="next" href="([^"]+)"', client.get(page).content.decode()))
    assert set(seen) == uploads
    assert page == f"{DOCS}files/post_files/", "after the last upload's"


def test_an_enumeration_is_shown_by_its_values() -> None:
    assert kind_of({"enum": ["open", "", None]}) == ("open", "")
    assert kind_of({"type": "array", "items": {"$ref": "#/components/schemas/Seat"}}) == ("list of", "Seat")
