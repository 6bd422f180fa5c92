"""What is refused at the gate."""

import json

import pytest
from django.test import Client

from atta_site.gate import utf_8_only

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "hex", "idna", "nope"])
def test_a_foreign_charset_never_reaches_the_site(charset: str) -> None:
    answers: list[str] = []
    environ = {"CONTENT_TYPE": f'multipart/form-data; boundary=a; charset="{charset}"'}

    body = b"".join(utf_8_only(_fail)(environ, lambda status, *_: answers.append(status)))  # type: ignore[arg-type]

    assert answers == ["415 Unsupported Media Type"]
    assert json.loads(body)["error"]["message"] == "Only UTF-8 is read here."


def test_the_gate_speaks_german_too() -> None:
    environ = {"CONTENT_TYPE": "text/plain; charset=utf-7", "HTTP_ACCEPT_LANGUAGE": "de"}
    body = b"".join(utf_8_only(_fail)(environ, lambda *_: None))  # type: ignore[arg-type]
    answer = Client(headers={"accept-language": "de"}).generic("POST", "/", HTTP_TRANSFER_ENCODING="chunked")

    assert json.loads(body)["error"]["message"] == "Hier wird nur UTF-8 gelesen."
    said = "Der Inhalt ist mit seiner Content-Length zu senden, nicht in Stücken."
    assert (answer.json()["error"]["message"], answer["Content-Language"]) == (said, "de")


def _fail(*_: object) -> list[bytes]:
    raise AssertionError("it was let through")


def test_a_body_in_chunks_is_told_to_say_its_length() -> None:
    answer = Client().generic("POST", "/api/v1/uploads", HTTP_TRANSFER_ENCODING="chunked")

    assert (answer.status_code, answer.json()["error"]["code"]) == (411, "length_required")


def test_a_body_too_large_is_not_read_wherever_it_is_sent() -> None:
    answer = Client().post("/theme/", b"", content_type="text/plain", CONTENT_LENGTH=str(120 * 2**20))

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize("path", ["/", "/api/v1/games"])
def test_a_forged_session_key_is_forgotten(path: str) -> None:
    answer = Client().get(path, HTTP_COOKIE='sessionid="\\000aaaaaaaaa"')

    assert answer.status_code == 200


def test_pages_vary_by_what_they_are_made_of() -> None:
    vary = Client().get("/").headers["Vary"]

    assert "Cookie" in vary
    assert "HX-Request" in vary
