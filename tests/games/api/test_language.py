"""Errors and verdicts in the language of the request, with templates and parameters."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from games.models import Upload
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

Call = Callable[..., APIClient]
GERMAN = {"accept-language": "de"}


def test_german_error_includes_code_and_english_template(call: Call, alice: User) -> None:
    answer = call(alice).post("/api/v1/uploads", b"", content_type="text/plain", headers=GERMAN)

    assert (answer.status_code, answer["Content-Language"]) == (400, "de")
    assert answer.json()["error"] == {
        "code": "empty",
        "message": "Dieser Upload enthält keine Partie.",
        "template": "This upload contains no game.",
        "params": {},
        "place": None,
    }


def test_invalid_page_mark_is_rejected_in_german(client: Client) -> None:
    error = client.get("/api/v1/games?before=x", headers=GERMAN).json()["error"]

    assert error["message"] == "„x“ ist keine Seite dieser Liste."
    assert (error["code"], error["template"], error["params"]) == (
        "bad_mark",
        "{mark!r} is not a page of this list.",
        {"mark": "x"},
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [("de", "Unter dieser Adresse ist nichts."), ("fr", "There is nothing at this address.")],
)
def test_not_found_error_is_translated_or_falls_back_to_english(client: Client, asked: str, said: str) -> None:
    answer = client.get("/api/v1/nothing", headers={"accept-language": asked})

    assert answer.json()["error"]["message"] == said


def test_framework_errors_are_translated_into_german(client: Client) -> None:
    error = client.get("/api/v1/games?verdict=pink", headers=GERMAN).json()["error"]

    assert (error["code"], error["template"]) == ("invalid", None)
    assert error["message"] == '"pink" ist keine gültige Option.'


def test_german_verdict_includes_english_template_and_parameters(client: Client, now: datetime) -> None:
    upload = upload_file(record("NS@0,2 R1:NN R2:EE / *"), via=Upload.Via.API, now=now)
    judge_all(now)

    (result,) = client.get(f"/api/v1/uploads/{upload.pk}", headers=GERMAN).json()["results"]

    verdict = result["verdict"]
    assert verdict["message"] == "Die Ameise R2 kann nicht nach Osten gehen: Dort liegt keine Karte."
    assert verdict["template"] == "Ant {ant} cannot step {side}: there is no card."
    assert verdict["params"] == {"ant": "R2", "side": {"template": "east", "params": {}}}


def test_plain_log_has_no_content_language(client: Client, now: datetime) -> None:
    upload = upload_file(record(), via=Upload.Via.API, now=now)

    answer = client.get(f"/api/v1/uploads/{upload.pk}/logs/1", headers=GERMAN)

    assert "Content-Language" not in answer
