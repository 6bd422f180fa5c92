"""Uploading in the API."""

import gzip
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient
from rest_framework.throttling import ScopedRateThrottle

from games.clubs import organising
from games.models import Club, Upload
from games.uploads.source import MAX_BYTES
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.gated import GatedClient

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]
UPLOADS = "/api/v1/uploads"


def post(client: APIClient, data: bytes, content_type: str = "text/plain") -> tuple[int, Any]:
    answer = client.post(UPLOADS, data, content_type=content_type)
    return answer.status_code, answer.json()


@pytest.mark.parametrize("content_type", ["text/plain", "application/json", "x/y", "application/x-www-form-urlencoded"])
def test_body_is_accepted_with_any_content_type(call: Call, alice: User, content_type: str) -> None:
    status, answer = post(call(alice), record(), content_type)

    assert (status, answer["games"]) == (202, 1)
    assert bytes(Upload.objects.get().logs.get().data) == record().removesuffix(b"\n")


def test_the_answer_says_where_the_result_will_be(call: Call, alice: User, now: datetime) -> None:
    client = call(alice)
    answer = client.post(UPLOADS, record() + b"\n" + BROKEN, content_type="text/plain")
    address = answer.headers["Location"]
    assert client.get(address).json()["progress"]["waiting"] == 2

    judge_all(now)

    result = client.get(address).json()
    counts = {"total": 2, "done": 2, "waiting": 0, "verified": 1, "unfinished": 0, "rejected": 1, "quarantined": 0,
              "cancelled": 0, "corrected": 0, "removed": 0}  # fmt: skip
    assert result["progress"] == counts
    first, second = (row["verdict"] for row in result["results"])
    assert (first["verdict"], first["plies"]) == ("verified", 1)
    assert (second["rule"], second["line"], second["column"], second["token"]) == ("ATTA-MOVE-1", 19, 18, "R1:E")
    assert second["message"] == "Ant R1 has already moved this turn."
    assert "/" in second["legal"] or second["legal"]
    assert client.get(result["results"][0]["url"]).status_code == 200


def test_multipart_file_is_accepted(call: Call, alice: User) -> None:
    file = SimpleUploadedFile("evening.agn", record())

    answer = call(alice).post(UPLOADS, {"file": file}, format="multipart")

    assert answer.status_code == 202
    assert Upload.objects.get().filename == "evening.agn"


def test_json_record_is_accepted(call: Call, alice: User, now: datetime) -> None:
    body = {
        "format": "agn/1",
        "tags": {"Game": "Atta Ants", "Rules": "online", "Seats": "R Y", "Red": "Ada", "Yellow": "Bruno",
                 "Setup": "E NESW* SW ESW* NESW* NE NESW NW", "Result": "2-1"},
        "actions": ["resign:R"],
        "result": "2-1",
    }  # fmt: skip
    client = call(alice)
    _, answer = post(client, json.dumps(body).encode(), "application/json")

    judge_all(now)

    assert client.get(answer["url"]).json()["progress"]["verified"] == 1


def test_anonymous_upload_is_rejected(call: Call) -> None:
    status, answer = post(call(), record())

    assert status == 401
    said = "Authentication credentials were not provided."
    assert answer == {
        "error": {"code": "not_authenticated", "message": said, "template": None, "params": {}, "place": None}
    }
    assert not Upload.objects.exists()


def test_an_empty_body_is_refused_with_the_reason(call: Call, alice: User) -> None:
    status, answer = post(call(alice), b"")

    said = "This upload contains no game."
    assert status == 400
    assert answer == {"error": {"code": "empty", "message": said, "template": said, "params": {}, "place": None}}


def test_oversized_body_is_rejected_with_the_limit() -> None:
    most = settings.UPLOAD_MAX_FORM + 64 * 1024
    answer = GatedClient().generic("POST", UPLOADS, "", content_type="text/plain", CONTENT_LENGTH=str(most + 1))

    assert answer.status_code == 413
    assert answer.json()["error"] == {
        "code": "too_large",
        "message": f"This request is too large: at most {most} bytes are allowed.",
        "template": "This request is too large: at most {most} bytes are allowed.",
        "params": {"most": most},
        "place": None,
    }


@pytest.mark.parametrize("data", [gzip.compress(record()), record() + b"\n" * MAX_BYTES])
def test_compressed_or_large_file_is_accepted_for_splitting(call: Call, alice: User, data: bytes) -> None:
    client = call(alice)
    status, answer = post(client, data)
    assert (status, answer["games"], answer["state"]) == (202, None, "waiting")
    file = SimpleUploadedFile("evening.agn.gz", data)
    assert client.post(UPLOADS, {"file": file}, format="multipart").json()["file"]["received"] == len(data)


def test_a_form_without_a_file_is_refused(call: Call, alice: User) -> None:
    answer = call(alice).post(UPLOADS, {"scored": "true"}, format="multipart")

    assert answer.status_code == 400
    assert answer.json()["error"]["place"] == {"parameter": "file"}


def test_frequent_uploads_are_throttled(call: Call, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"upload": "2/hour"})
    client = call(alice)
    answers = [client.post(UPLOADS, one, content_type="text/plain") for one in duels(3)]

    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert answers[2].json()["error"]["code"] == "throttled"
    assert int(answers[2].headers["Retry-After"]) > 0


@pytest.mark.parametrize("data", [b"[" * 100_000, b"{" * 5_000, b'{"a":' * 50_000, b"\x00" * 1000, b"\xff\xfe" * 99])
def test_hostile_bodies_are_rejected_records_instead_of_errors(
    call: Call, alice: User, data: bytes, now: datetime
) -> None:
    client = call(alice)
    status, answer = post(client, data)
    assert status == 202

    judge_all(now)

    progress = client.get(answer["url"]).json()["progress"]
    assert progress["rejected"] == progress["total"] > 0


def test_an_unknown_upload_is_not_found(call: Call) -> None:
    answer = call().get(f"{UPLOADS}/00000000-0000-0000-0000-000000000000")

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


# Upload options


@pytest.fixture
def nest(alice: User, now: datetime) -> Club:
    return organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)


def wished(upload: Upload) -> tuple[bool, bool, str | None]:
    return upload.scored, upload.private, upload.club.slug if upload.club else None


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", (True, False, None)),
        ("?scored=false", (False, False, None)),
        ("?private=1", (True, True, None)),
        ("?club=nest", (True, False, "nest")),
    ],
)
def test_upload_options_are_read_from_the_query(
    call: Call, alice: User, nest: Club, query: str, options: tuple[bool, bool, str | None]
) -> None:
    answer = call(alice).post(UPLOADS + query, record(), content_type="text/plain")
    assert answer.status_code == 202
    assert wished(Upload.objects.get()) == options


def test_upload_options_are_read_from_form_fields(call: Call, alice: User, nest: Club) -> None:
    file = SimpleUploadedFile("evening.agn", record())
    call(alice).post(UPLOADS, {"file": file, "club": "nest", "private": "false"}, format="multipart")
    assert wished(Upload.objects.get()) == (True, False, "nest")


@pytest.mark.parametrize(
    ("query", "refusal"),
    [
        ("?scored=perhaps", (400, "invalid", "Must be a valid boolean.")),
        ("?club=hill", (400, "invalid", "There is no club at this address.")),
        ("?club=nest", (403, "not_organiser", "Only organisers of The Nest can upload its games.")),
    ],
)
def test_invalid_upload_options_are_rejected(
    call: Call, bob: User, nest: Club, query: str, refusal: tuple[int, str, str]
) -> None:
    answer = call(bob).post(UPLOADS + query, record(), content_type="text/plain")
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["message"]) == refusal
    assert not Upload.objects.exists()


def test_games_of_a_club_are_neither_private_nor_for_training(call: Call, alice: User, nest: Club) -> None:
    for query in ("?club=nest&private=true", "?club=nest&scored=false"):
        answer = call(alice).post(UPLOADS + query, record(), content_type="text/plain")
        said = "Games for a club cannot be private or training games."
        assert (answer.status_code, answer.json()["error"]["message"]) == (400, said)


def test_an_account_lists_its_own_uploads(call: Callable[..., APIClient], alice: User, bob: User) -> None:
    for account, text in ((alice, record()), (alice, record("NS@0,2 *")), (bob, record())):
        call(account).post("/api/v1/uploads?private=true", text, content_type="text/plain")

    page = call(alice).get("/api/v1/account/uploads").json()

    assert [(one["games"], one["private"]) for one in page["uploads"]] == [(1, True), (1, True)]
    assert page["next"] is None
    assert call(alice).get("/api/v1/account/uploads?start=1").json()["uploads"] == page["uploads"][1:]
