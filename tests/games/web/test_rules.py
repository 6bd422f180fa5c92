"""The rules and their addresses."""

import re
from collections import Counter

import pytest
from django.test import Client
from django.utils.translation import override

from engine.grammar import json_schema
from engine.verify import verify_bytes
from games.records.reads.quick_guides import find_guide
from games.records.reads.rulebook import Document, documents, rule_link, rule_url
from tests.games.web.conftest import Read

RECORDED = [document for document in documents() if document.slug != "dealing"]
"""Documents with a grammar: the record format and every game."""

pytestmark = pytest.mark.django_db  # the middleware looks for a session


def test_the_index_names_every_document(read: Read) -> None:
    words = read("/rules/")
    assert "The record format AGN 19 rules" in words
    assert "Dealing that can be checked 5 rules" in words
    assert "Atta Ants 46 rules" in words


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.slug)
def test_every_rule_has_one_anchor_and_a_line_in_the_contents(client: Client, document: object) -> None:
    (found,) = (one for one in documents() if one is document)
    html = client.get(f"/rules/{found.slug}/").content.decode()
    for rule in found.rules:
        assert html.count(f'id="{rule.id}"') == 1
        assert f'<a href="#{rule.id}" title="{rule.id}">' in html


def test_a_rule_is_addressed_by_its_id() -> None:
    assert rule_url("ATTA-MOVE-3") == "/rules/atta-ants/#ATTA-MOVE-3"
    assert rule_url("AGN-TAG-2") == "/rules/agn/#AGN-TAG-2"
    assert rule_link("ATTA-LEAF-2").title == "+ picks up a leaf"


def test_unknown_rule_id_has_no_url() -> None:
    link = rule_link("ATTA-GONE-1")
    assert (link.title, link.url) == ("", None)


def test_references_between_rules_are_linked(client: Client) -> None:
    html = client.get("/rules/atta-ants/").content.decode()
    assert re.search(r'is not new \(<a href="/rules/atta-ants/#ATTA-NEST-3" class="rule-link">ATTA-NEST-3</a>\)', html)


def test_readings_are_marked(client: Client) -> None:
    html = client.get("/rules/atta-ants/").content.decode()
    assert '<blockquote class="reading"><p><strong class="reading-mark">Reading</strong> ' in html
    assert "Reading:" not in html


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.slug)
def test_every_board_is_drawn_with_a_caption_and_its_record(client: Client, document: Document) -> None:
    html = client.get(f"/rules/{document.slug}/").content.decode()
    boards = sum(token.info == "board" for block in document.blocks for token in block)
    assert (
        len(re.findall(r'<figure class="diagram"><svg .*?</svg><figcaption>.+?</figcaption>', html, re.DOTALL))
        == boards
    )
    assert html.count("<summary>Notation</summary>") == boards
    assert "[Setup " in html or not boards


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.slug)
def test_ids_on_a_page_of_rules_are_unique(client: Client, document: Document) -> None:
    ids = re.findall(r' id="([^"]+)"', client.get(f"/rules/{document.slug}/").content.decode())
    assert [name for name, times in Counter(ids).items() if times > 1] == []


def test_a_question_on_a_board_is_answered_by_the_engine(client: Client) -> None:
    html = client.get("/rules/ant-trails/").content.decode()
    answers = re.findall(r'data-id="tried:(\w+)".*?href="#board-\w+-(allowed|refused)"', html)
    assert {cell for cell, answer in answers if answer == "allowed"} == {"c3", "d4", "h3"}
    assert {cell for cell, answer in answers if answer == "refused"} == {"c2", "g5"}


def test_rules_of_an_unknown_game_are_not_found(read: Read) -> None:
    assert "Page not found" in read("/rules/chess/", status=404)


def test_api_guide_begins_with_curl_and_links_to_the_documentation(client: Client) -> None:
    html = client.get("/api/").content.decode()
    assert "curl -s http://testserver/api/v1/games" in html
    assert 'href="/api/v1/docs/"' in html
    assert '<th scope="row">Suggestions</th><td>120/minute</td>' in html


# Grammar and schema


@pytest.mark.parametrize("document", RECORDED, ids=lambda document: document.slug)
def test_format_and_games_link_to_their_grammars(client: Client, document: Document) -> None:
    assert f'href="/rules/{document.slug}.ebnf"' in client.get(f"/rules/{document.slug}/").content.decode()

    answer = client.get(f"/rules/{document.slug}.ebnf")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "record          ::= tags blank-line movetext" in answer.content.decode()


def test_one_schema_covers_all_games(client: Client) -> None:
    for page in ("/rules/agn/", "/api/"):
        assert 'href="/rules/agn.schema.json"' in client.get(page).content.decode()

    answer = client.get("/rules/agn.schema.json")
    assert answer.headers["Content-Type"] == "application/schema+json"
    assert answer.json() == json_schema()


def test_unknown_document_has_no_grammar(client: Client) -> None:
    assert client.get("/rules/chess.ebnf").status_code == 404


def test_api_guide_links_to_every_grammar(client: Client) -> None:
    html = client.get("/api/").content.decode()

    for document in RECORDED:
        assert f'href="/rules/{document.slug}.ebnf"' in html


@pytest.mark.parametrize("slug", ["atta-ants", "ant-trails", "army-ants"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_quick_guide_of_every_game_shows_legal_boards(client: Client, slug: str, language: str) -> None:
    with override(language):
        guide = find_guide(slug)
    boards = [step.record for step in guide.steps if step.record]

    html = client.get(f"/rules/{slug}/quick/", headers={"accept-language": language}).content.decode()

    assert guide.language == language
    assert html.count('class="board"') == len(boards) + 1 > 5, "one more to act on"
    assert [verify_bytes(board.encode())[0].fault for board in boards] == [None] * len(boards)


def test_the_record_format_has_no_guide(client: Client) -> None:
    assert client.get("/rules/agn/quick/").status_code == 404
    assert 'href="/rules/agn/quick/"' not in client.get("/rules/agn/").content.decode()
    assert 'href="/rules/atta-ants/quick/"' in client.get("/rules/atta-ants/").content.decode()


@pytest.mark.django_db
def test_a_search_within_the_rules_shows_those_with_all_its_words(client: Client) -> None:
    html = client.get("/rules/ant-trails/?q=carried+BORDER").content.decode()
    shown = re.findall(r'<section class="rule" id="([A-Z0-9-]+)"', html)
    assert "TRAILS-TILE-2" in shown
    assert "TRAILS-PASS-1" not in shown
    assert 'href="/rules/ant-trails/#TRAILS-PASS-1"' in html


@pytest.mark.django_db
def test_a_search_that_finds_no_rule_says_so(client: Client) -> None:
    assert "No rule contains “&lt;chess&gt;”." in client.get("/rules/ant-trails/?q=<chess>").content.decode()


@pytest.mark.django_db
def test_boards_and_readings_stand_beside_what_a_rule_says(client: Client) -> None:
    html = client.get("/rules/ant-trails/").content.decode()
    for said in re.findall(r'<div class="says">(.*?)</div>\n<div class="beside">', html, re.DOTALL):
        assert '<figure class="diagram">' not in said
        assert '<blockquote class="reading">' not in said
    assert html.count('<div class="beside">') > 5
