"""The rules, and the way to each of them."""

import re

import pytest
from django.test import Client

from games.selectors.rules import documents
from games.web.pages.rulebook import rule_link, rule_url
from tests.games.web.conftest import Read

pytestmark = pytest.mark.django_db  # the middleware looks for a session


def test_the_index_names_every_document(read: Read) -> None:
    words = read("/rules/")
    assert "The record format AGN 19 rules" in words
    assert "Atta Ants 46 rules" in words


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.slug)
def test_every_rule_has_its_anchor_once_and_a_line_in_the_contents(client: Client, document: object) -> None:
    (found,) = (one for one in documents() if one is document)
    html = client.get(f"/rules/{found.slug}/").content.decode()
    for rule in found.rules:
        assert html.count(f'id="{rule.id}"') == 1
        assert f'<a href="#{rule.id}" title="{rule.id}">' in html


def test_a_rule_is_addressed_by_its_id() -> None:
    assert rule_url("ATTA-MOVE-3") == "/rules/atta-ants/#ATTA-MOVE-3"
    assert rule_url("AGN-TAG-2") == "/rules/agn/#AGN-TAG-2"
    assert rule_link("ATTA-LEAF-2").title == "+ picks up a leaf"


def test_an_id_that_is_none_has_no_address() -> None:
    link = rule_link("ATTA-GONE-1")
    assert (link.title, link.url) == ("", None)


def test_rules_that_name_each_other_are_linked(client: Client) -> None:
    html = client.get("/rules/atta-ants/").content.decode()
    assert re.search(r'is not new \(<a href="/rules/atta-ants/#ATTA-NEST-3" class="rule-link">ATTA-NEST-3</a>\)', html)


def test_readings_are_marked(client: Client) -> None:
    html = client.get("/rules/atta-ants/").content.decode()
    assert '<blockquote class="reading"><p><strong class="reading-mark">Reading</strong> ' in html
    assert "Reading:" not in html


def test_rules_of_nothing_are_not_found(read: Read) -> None:
    assert "Nothing lies here" in read("/rules/chess/", status=404)


def test_the_page_for_programs_begins_with_curl_and_leads_to_the_documentation(client: Client) -> None:
    html = client.get("/api/").content.decode()
    assert "curl -X POST http://testserver/api/v1/uploads" in html
    assert 'href="/api/v1/docs/"' in html
