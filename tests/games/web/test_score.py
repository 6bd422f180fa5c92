"""The score sheet page as rendered by the server."""

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.registry import RULESETS
from games.models import Upload
from tests.factories import record
from tests.games.test_upload_options import let_choose
from tests.games.web.conftest import words_of

pytestmark = pytest.mark.django_db


def data(html: str, name: str) -> Any:
    found = re.search(rf'<script id="score-{name}" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_score_page_offers_every_ruleset_and_seating(client: Client) -> None:
    rulesets = data(client.get("/score/").content.decode(), "rulesets")
    assert [one["slug"] for one in rulesets] == [ruleset.slug for ruleset in RULESETS]
    assert rulesets[0]["seatings"][:2] == [["R", "Y"], ["R", "O"]]
    assert {tuple(line) for line in rulesets[0]["seatings"]} == RULESETS[0].seatings
    assert rulesets[-1]["seats"][0] == {"letter": "R", "tag": "Red", "colour": "red", "label": "Red"}


def test_score_page_names_every_rule_in_the_readers_language(client: Client) -> None:
    rules = data(client.get("/score/", headers={"Accept-Language": "de"}).content.decode(), "rules")
    assert rules["ATTA-PLACE-2"]["url"] == "/rules/atta-ants/#ATTA-PLACE-2"
    assert rules["ATTA-PLACE-2"]["title"] == "Pfad trifft auf Pfad, Gras auf Gras"


def test_score_page_texts_are_in_the_readers_language(client: Client) -> None:
    texts = data(client.get("/score/", headers={"Accept-Language": "de"}).content.decode(), "texts")
    assert texts["actions"] == ["{n} Aktion", "{n} Aktionen"]


def test_anonymous_user_gets_only_basic_upload_options(client: Client) -> None:
    html = client.get("/score/").content.decode()
    assert set(re.findall(r'name="(\w+)"', html)) >= {"text", "scored", "dry_run"}
    assert not {"private", "club", "webhook"} & set(re.findall(r'name="(\w+)"', html))


def test_organiser_gets_every_upload_option(browse: Callable[..., Client], alice: User, now: datetime) -> None:
    let_choose(alice, now)
    html = browse(alice).get("/score/").content.decode()
    assert set(re.findall(r'name="(\w+)"', html)) >= {"text", "scored", "dry_run", "private", "club", "webhook"}


def test_page_without_javascript_refers_to_the_upload_form(client: Client) -> None:
    words = words_of(client.get("/score/").content.decode())
    assert "Without it, write the game down in a text file and upload it." in words


def test_score_page_makes_no_queries(client: Client, django_assert_num_queries: Callable[..., Any]) -> None:
    with django_assert_num_queries(0):
        client.get("/score/")


def test_a_visitors_upload_that_is_sent_again_with_its_key_is_stored_once(client: Client) -> None:
    form, key = {"text": record("*").decode()}, {"Idempotency-Key": "0b6f2c1e-58f5-4c39-9a55-1a5b8d7f4a60"}
    first, again = (client.post("/upload/", form, headers=key) for _ in range(2))
    assert first.status_code == again.status_code == 303
    assert first["Location"] == again["Location"]
    assert Upload.objects.count() == 1


def test_visitors_need_keys_that_nobody_guesses(client: Client) -> None:
    answer = client.post("/upload/", {"text": record("*").decode()}, headers={"Idempotency-Key": "1"})
    assert answer.status_code == 422
    assert "Without an account, an Idempotency-Key must be a random UUID." in words_of(answer.content.decode())
    assert not Upload.objects.exists()


def test_the_score_sheet_can_be_installed(client: Client) -> None:
    assert '<link rel="manifest" href="/score/app.webmanifest">' in client.get("/score/").content.decode()
    manifest = client.get("/score/app.webmanifest", headers={"Accept-Language": "de"}).json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/score/", "/score/", "standalone")
    assert [icon["sizes"] for icon in manifest["icons"]] == ["192x192", "512x512", "512x512"]
