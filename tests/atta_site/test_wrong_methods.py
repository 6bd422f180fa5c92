"""Addresses that take only forms: a page that says so."""

import pytest
from django.test import Client

from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_who_opens_the_address_of_a_form_gets_a_page(client: Client) -> None:
    answer = client.get("/studies/new/", headers=BROWSER)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This address shows no page It only receives forms." in words_of(answer.content.decode())


def test_a_form_sent_to_a_page_is_answered_alike(client: Client) -> None:
    answer = client.post("/rules/", headers=BROWSER)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert b"</html>" in answer.content


def test_programs_get_no_page(client: Client) -> None:
    answer = client.post("/health")
    assert (answer.status_code, answer.content) == (405, b"")
