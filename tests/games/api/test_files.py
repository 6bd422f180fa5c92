"""Sending a file in pieces with the tus protocol."""

import gzip
import json
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime
from hashlib import sha1, sha256
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from games.clubs import organising
from games.models import Chunk, Club, Upload
from games.uploads import splitting
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.uploads.unpacking.bombs import zstd_of
from tests.gated import GatedClient

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]
FILES = "/api/v1/files"
TUS = {"Tus-Resumable": "1.0.0"}
PIECE = "application/offset+octet-stream"
GAMES = zstd_of(b"\n".join(duels(40)))


def metadata(**pairs: str) -> str:
    return ",".join(f"{name} {b64encode(value.encode()).decode()}" for name, value in pairs.items())


# The type stubs accept only texts as bodies.


def begin(client: APIClient, length: int, body: bytes = b"", **pairs: str) -> Any:
    headers = {**TUS, "Upload-Length": str(length), **({"Upload-Metadata": metadata(**pairs)} if pairs else {})}
    return client.generic("POST", FILES, cast("str", body), content_type=PIECE if body else "", headers=headers)


def send(client: Client, where: str, offset: int, data: bytes, **more: str) -> Any:
    headers = {**TUS, "Upload-Offset": str(offset), **more}
    return client.generic("PATCH", where, cast("str", data), content_type=PIECE, headers=headers)


def offset_response(client: APIClient, where: str) -> Any:
    return client.head(where, headers=TUS)


def error(answer: HttpResponse) -> tuple[int, str]:
    return answer.status_code, json.loads(answer.content)["error"]["code"]


def split_all() -> None:
    while splitter := splitting.claim():
        list(splitting.split(splitter, clock=timezone.now, pulse=lambda: None))


def test_file_uploaded_in_pieces_gets_verdicts(call: Call, alice: User, now: datetime) -> None:
    client = call(alice)
    begun = begin(client, len(GAMES), filename="evening.agn.zst", scored="false")
    where = begun["Location"]
    assert (begun.status_code, begun["Tus-Resumable"], begun["Upload-Offset"]) == (201, "1.0.0", "0")
    assert (begun.json()["state"], begun.json()["filename"]) == ("receiving", "evening.agn.zst")

    for at in range(0, len(GAMES), 1000):
        answer = send(client, where, at, GAMES[at : at + 1000])
        assert (answer.status_code, answer["Upload-Offset"]) == (204, str(min(at + 1000, len(GAMES))))
    split_all()
    judge_all(now)

    result = client.get(begun.json()["url"]).json()
    assert (result["state"], result["progress"]["verified"]) == ("done", 40)
    assert result["file"] == {"length": len(GAMES), "received": len(GAMES), "read": len(GAMES)}
    assert (Upload.objects.get().scored, Upload.objects.get().via) == (False, "api")


@pytest.mark.full
def test_repeated_file_names_the_upload_it_duplicates(call: Call, alice: User, now: datetime) -> None:
    client = call(alice)
    first, again = (begin(client, len(GAMES), GAMES).json()["url"] for _ in range(2))
    split_all()
    judge_all(now)

    upload, progress = client.get(again).json(), client.get(f"{again}/progress").json()
    assert (upload["state"], upload["duplicate_of"], upload["progress"]["total"]) == ("done", first, 0)
    assert (progress["state"], progress["duplicate_of"]) == ("done", first)
    assert progress["message"] == "This file was uploaded before and is not stored again."
    report = [json.loads(line)["end"] for line in client.get(f"{again}/report").content.splitlines()]
    assert [(end["records"], end["done"], end["duplicate_of"]) for end in report] == [(0, True, first)]
    assert client.get(first).json()["duplicate_of"] is None


def test_page_of_a_repeated_file_links_to_the_original_upload(call: Call, alice: User, now: datetime) -> None:
    first, again = (begin(call(alice), len(GAMES), GAMES).json()["id"] for _ in range(2))
    split_all()
    html = Client().get(f"/uploads/{again}/").content.decode()
    assert f'was uploaded before and is not stored again. <a href="/uploads/{first}/">See its results' in html
    assert "hx-get" not in html


def test_interrupted_client_can_ask_for_the_received_offset(call: Call, alice: User) -> None:
    client = call(alice)
    where = begin(client, 10)["Location"]
    send(client, where, 0, b"hello")
    state = offset_response(client, where)
    assert (state.status_code, state["Upload-Offset"], state["Upload-Length"]) == (200, "5", "10")
    assert state["Cache-Control"] == "no-store, private"


def test_first_bytes_may_be_sent_with_the_creation_request(call: Call, alice: User) -> None:
    begun = begin(call(alice), 10, b"hello")
    assert (begun.status_code, begun["Upload-Offset"]) == (201, "5")


def test_creation_with_more_bytes_than_announced_is_rejected(call: Call, alice: User) -> None:
    assert error(begin(call(alice), 4, b"hello")) == (409, "offset")
    assert not Upload.objects.exists()


@pytest.mark.parametrize("offset", [0, 4, 6, 100])
def test_piece_with_a_wrong_offset_is_a_conflict(call: Call, alice: User, offset: int) -> None:
    client = call(alice)
    where = begin(client, 10, b"hello")["Location"]
    answer = send(client, where, offset, b"x")
    assert (*error(answer), answer["Upload-Offset"]) == (409, "offset", "5")
    assert answer.json()["error"]["message"] == "The next bytes of this file begin at 5."
    assert offset_response(client, where)["Upload-Offset"] == "5"


def test_piece_exceeding_the_announced_length_is_a_conflict(call: Call, alice: User) -> None:
    client = call(alice)
    where = begin(client, 10, b"hello")["Location"]
    assert error(send(client, where, 5, b"123456")) == (409, "offset")
    assert send(client, where, 5, b"12345").status_code == 204
    assert error(send(client, where, 10, b"x")) == (409, "offset")
    assert send(client, where, 10, b"").status_code == 204


@pytest.mark.parametrize("kind", [sha1, sha256])
def test_piece_checksum_is_verified(call: Call, alice: User, kind: Callable[[bytes], Any]) -> None:
    client = call(alice)
    where = begin(client, 10)["Location"]
    checksum = f"{kind(b'hello').name} {b64encode(kind(b'hello').digest()).decode()}"
    answer = send(client, where, 0, b"hallo", **{"Upload-Checksum": checksum})
    assert error(answer) == (460, "checksum")
    assert Chunk.objects.count() == 0
    assert send(client, where, 0, b"hello", **{"Upload-Checksum": checksum}).status_code == 204
    assert error(send(client, where, 5, b"x", **{"Upload-Checksum": "md5 aGk="})) == (400, "invalid")


def test_oversized_file_is_rejected_when_announced(call: Call, alice: User) -> None:
    answer = begin(call(alice), 2**31 + 1)
    assert error(answer) == (413, "too_large")
    assert answer.json()["error"]["message"] == "A file may have at most 2147483648 bytes."


def test_oversized_piece_is_not_read(call: Call, alice: User, settings: Settings) -> None:
    settings.BODY_LIMITS = {"/api/v1/files": 10}
    client = call(alice)
    where = begin(client, 100)["Location"]
    assert error(send(GatedClient(), where, 0, b"x" * 11)) == (413, "too_large")
    assert send(client, where, 0, b"x" * 10).status_code == 204


def test_files_of_other_accounts_are_not_found(call: Call, alice: User, bob: User) -> None:
    where = begin(call(alice), 10)["Location"]
    client = call(bob)
    assert offset_response(client, where).status_code == 404
    assert error(send(client, where, 0, b"x")) == (404, "not_found")
    assert client.delete(where, headers=TUS).status_code == 404


def test_deleted_or_unknown_file_is_not_found(call: Call, alice: User) -> None:
    client = call(alice)
    where = begin(client, 10)["Location"]
    assert client.delete(where, headers=TUS).status_code == 204
    assert offset_response(client, where).status_code == 404
    assert offset_response(client, f"{FILES}/00000000-0000-0000-0000-000000000000").status_code == 404
    assert not Upload.objects.exists()


def test_a_file_that_waits_to_be_split_can_be_cancelled(call: Call, alice: User) -> None:
    client = call(alice)
    where = begin(client, len(GAMES), GAMES)["Location"]
    assert client.delete(where, headers=TUS).status_code == 204
    assert Upload.objects.get().state == "cancelled"
    assert offset_response(client, where).status_code == 404


def test_anonymous_client_cannot_start_a_file_upload(call: Call) -> None:
    assert error(begin(call(), 10)) == (401, "not_authenticated")


def test_unsupported_tus_version_is_rejected(call: Call, alice: User) -> None:
    answer = call(alice).generic("POST", FILES, headers={"Tus-Resumable": "0.2.1", "Upload-Length": "1"})
    assert (*error(answer), answer["Tus-Version"]) == (412, "version", "1.0.0")


def test_options_request_lists_supported_tus_features(call: Call) -> None:
    answer = call().options(FILES)
    assert (answer.status_code, answer["Tus-Version"], answer["Tus-Max-Size"]) == (204, "1.0.0", str(2**31))
    assert answer["Tus-Extension"] == "creation,creation-with-upload,termination,checksum,expiration"


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, "The header Upload-Length must be a number of bytes."),
        ({"Upload-Length": "-1"}, "The header Upload-Length must be a number of bytes."),
        ({"Upload-Length": "٣"}, "The header Upload-Length must be a number of bytes."),
        ({"Upload-Length": "1", "Upload-Metadata": "filename %%"}, "Every value of Upload-Metadata must be UTF-8 in"),
        ({"Upload-Length": "1", "Upload-Metadata": metadata(scored="maybe")}, "Must be a valid boolean."),
        ({"Upload-Length": "0"}, "This upload contains no game."),
    ],
)
def test_invalid_tus_header_is_explained(call: Call, alice: User, headers: dict[str, str], said: str) -> None:
    answer = call(alice).generic("POST", FILES, headers={**TUS, **headers})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith(said)
    assert not Upload.objects.exists()


def test_a_piece_of_another_type_is_refused(call: Call, alice: User) -> None:
    client = call(alice)
    where = begin(client, 10)["Location"]
    answer = client.generic("PATCH", where, "x", content_type="text/plain", headers={**TUS, "Upload-Offset": "0"})
    assert error(answer) == (415, "unsupported_media_type")


def test_file_for_a_club_requires_its_organiser(call: Call, alice: User, bob: User, now: datetime) -> None:
    nest: Club = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    assert begin(call(alice), 10, club="nest").status_code == 201
    assert Upload.objects.get().club == nest
    assert error(begin(call(bob), 10, club="nest")) == (403, "not_organiser")


def test_site_pages_can_upload_with_session_and_csrf_token(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    headers = {**TUS, "Upload-Length": "5"}
    assert client.generic("POST", FILES, headers=headers).status_code == 403
    client.get("/upload/")
    token = {"X-CSRFToken": client.cookies["csrftoken"].value}
    begun = client.generic("POST", FILES, headers={**headers, **token})
    assert (begun.status_code, Upload.objects.get().via) == (201, "web")
    sent = client.generic(
        "PATCH", begun["Location"], b"hello", content_type=PIECE, headers={**TUS, **token, "Upload-Offset": "0"}
    )
    assert sent.status_code == 204


# Controls


def test_upload_can_be_paused_resumed_and_cancelled(call: Call, alice: User, now: datetime) -> None:
    client = call(alice)
    url = begin(client, len(GAMES), GAMES).json()["url"]
    assert client.post(f"{url}/pause").json()["paused"] is True
    split_all()
    assert client.get(url).json()["progress"]["total"] == 0
    assert client.post(f"{url}/resume").json()["paused"] is False
    split_all()
    cancelled = client.post(f"{url}/cancel").json()
    assert (cancelled["state"], client.get(url).json()["progress"]["cancelled"]) == ("cancelled", 40)
    assert error(client.post(f"{url}/cancel")) == (409, "over")


def test_only_the_uploader_can_control_an_upload(call: Call, alice: User, bob: User) -> None:
    url = begin(call(alice), len(GAMES), GAMES).json()["url"]
    for act in ("pause", "resume", "cancel", "retry"):
        assert error(call(bob).post(f"{url}/{act}")) == (403, "permission_denied")


def test_rejected_file_reports_the_reason(call: Call, alice: User) -> None:
    client = call(alice)
    url = begin(client, len(GAMES) - 20, GAMES[:-20]).json()["url"]
    split_all()
    upload = client.get(url).json()
    assert (upload["state"], upload["refusal"]["code"], upload["progress"]["total"]) == ("refused", "truncated", 0)
    assert upload["refusal"]["message"].startswith("The zstd data ends too early, after ")
    answer = client.post(f"{url}/retry")
    assert (*error(answer), answer.json()["error"]["message"]) == (
        409,
        "refused",
        "The file itself was refused. Trying again would change nothing.",
    )


def in_one_request(client: APIClient, data: bytes) -> str:
    answer = client.generic("POST", "/api/v1/uploads", cast("str", data), content_type="application/octet-stream")
    return str(answer.json()["url"])


def in_pieces(client: APIClient, data: bytes) -> str:
    return str(begin(client, len(data), data).json()["url"])


@pytest.mark.parametrize("upload_records", [in_one_request, in_pieces])
def test_file_with_almost_no_games_is_rejected_with_that_reason(
    call: Call, alice: User, browse: Callable[[User | None], Client], upload_records: Callable[[APIClient, bytes], str]
) -> None:
    client = call(alice)
    url = upload_records(client, gzip.compress(b"\n" * 1_100_000, 1))
    split_all()

    upload = client.get(url, HTTP_ACCEPT_LANGUAGE="de").json()
    assert (upload["state"], upload["refusal"]["code"]) == ("refused", "almost_no_games")
    assert upload["refusal"]["message"].startswith("Mehr als 1000000 Zeilen dieser Datei enthalten kaum Partien")
    page = browse(alice).get(urlsplit(upload["page"]).path).content.decode()
    assert "More than 1000000 lines of this file contain almost no games" in page
