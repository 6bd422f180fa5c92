"""Every upload option in every way to upload: forgetting one would publish games unintentionally."""

import gzip
import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from rest_framework.test import APIClient

from games.clubs import organising
from games.models import Club, Game, Player, Upload
from games.uploads.origin import UploadOptions
from games.web.forms import UploadForm
from games.webhooks import deliveries
from tests.factories import record
from tests.games.judging import judge_all

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]
PACKED = gzip.compress(record())
CHOSEN: dict[str, Any] = {
    "scored": False,
    "private": True,
    "club": "nest",
    "webhook": "https://hooks.example.org/",
    "dry_run": True,
}
"""For each option a value that is not its default."""
WORDS = {
    "scored": ["--training"],
    "private": ["--private"],
    "club": ["--club", "nest"],
    "webhook": ["--webhook", "https://hooks.example.org/"],
    "dry_run": ["--check"],
}
"""The names of the options in both command lines."""


@pytest.fixture
def account(alice: User, now: datetime) -> User:
    """An account that may choose every option."""
    return let_choose(alice, now)


def let_choose(alice: User, now: datetime) -> User:
    """Give an account what the options need: a club and a webhook secret."""
    organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    deliveries.make_secret(alice, now=now)
    return alice


def sent(name: str) -> dict[str, str]:
    """Return an option as written in a form, a URL or a header."""
    return {name: str(CHOSEN[name]).lower() if isinstance(CHOSEN[name], bool) else str(CHOSEN[name])}


def wished(*names: str) -> UploadOptions:
    """Return the expected options when these are chosen."""
    values: dict[str, Any] = {name: Club.objects.get(slug="nest") if name == "club" else CHOSEN[name] for name in names}
    return UploadOptions(**values)


def by_form(client: APIClient, options: Mapping[str, str], data: bytes) -> object:
    return client.post("/upload/", {"file": SimpleUploadedFile("evening.agn", data), **options}, format="multipart")


def by_query(client: APIClient, options: Mapping[str, str], data: bytes) -> object:
    return client.post("/api/v1/uploads", data, content_type="text/plain", query_params=options)


def by_fields(client: APIClient, options: Mapping[str, str], data: bytes) -> object:
    file = SimpleUploadedFile("evening.agn", data)
    return client.post("/api/v1/uploads", {"file": file, **options}, format="multipart")


def by_json(client: APIClient, options: Mapping[str, str], _: bytes) -> object:
    body = json.dumps({"format": "agn/1", "tags": {"Game": "Atta Ants"}, "actions": [], "result": "*"})
    return client.post("/api/v1/uploads", body, content_type="application/json", query_params=options)


def in_pieces(client: APIClient, options: Mapping[str, str], data: bytes) -> object:
    pairs = ",".join(f"{name} {b64encode(value.encode()).decode()}" for name, value in options.items())
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(len(data)), "Upload-Metadata": pairs}
    return client.post("/api/v1/files", data, content_type="application/offset+octet-stream", headers=headers)


def by_fields_in_capitals(client: APIClient, options: Mapping[str, str], _: bytes) -> object:
    kind = "Multipart/Form-Data; boundary=x"
    return client.generic("POST", "/api/v1/uploads", multipart(*options.items()), kind)  # type: ignore[arg-type] # bytes


def in_pieces_by_query(client: APIClient, options: Mapping[str, str], data: bytes) -> object:
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(len(data))}
    return client.post("/api/v1/files", data, content_type=TUS_TYPE, headers=headers, query_params=options)


ROADS = (by_form, by_query, by_fields, by_fields_in_capitals, by_json, in_pieces, in_pieces_by_query)


def test_tests_cover_every_upload_option() -> None:
    options = {field.name for field in fields(UploadOptions)}
    assert set(CHOSEN) == set(WORDS) == options


@pytest.mark.parametrize("data", [record(), PACKED], ids=["plain", "packed"])
@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("name", CHOSEN)
def test_every_way_to_upload_accepts_every_option(
    call: Call, account: User, name: str, road: Callable[..., object], data: bytes
) -> None:
    client = call(account)
    client.force_login(account)
    road(client, sent(name), data)
    assert UploadOptions.of(Upload.objects.get()) == wished(name)


@pytest.mark.parametrize("data", [record(), PACKED], ids=["plain", "packed"])
@pytest.mark.parametrize("name", CHOSEN)
def test_import_command_accepts_every_option(account: User, name: str, data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "evening.agn"
    file.write_bytes(data)
    with suppress(SystemExit):  # nothing is judged here, so the command exits with an error
        call_command("import", str(file), "--user", "alice", "--wait", "0", *WORDS[name])
    assert UploadOptions.of(Upload.objects.get()) == wished(name)


def test_the_page_shows_a_field_for_every_option(account: User) -> None:
    assert set(CHOSEN) <= set(UploadForm(viewer=account).fields)


@pytest.mark.parametrize("road", [by_query, by_fields, in_pieces])
def test_an_option_that_is_misspelt_is_refused(call: Call, account: User, road: Callable[..., object]) -> None:
    answer = road(call(account), {"dryrun": "true"}, record())
    message = answer.json()["error"]["message"]  # type: ignore[attr-defined] # an answer
    assert message.endswith("There is no parameter “dryrun” here. Did you mean “dry_run”?")
    assert not Upload.objects.exists()


# Dry runs


@pytest.mark.parametrize("road", ROADS)
def test_dry_run_is_visible_only_to_its_uploader(
    call: Call, account: User, bob: User, now: datetime, road: Callable[..., object]
) -> None:
    client = call(account)
    client.force_login(account)
    road(client, sent("dry_run"), record())
    judge_all(now)
    assert (Game.objects.count(), Player.objects.count()) == (0, 0)
    upload = Upload.objects.get()
    for path in (upload.get_absolute_url(), *(f"/api/v1/uploads/{upload.pk}{part}" for part in ("", "/report"))):
        assert [call(who).get(path).status_code for who in (None, bob, account)][:2] == [404, 404], path
        assert client.get(path).status_code == 200, path


# Options that must not be misread

FORM_BODY = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
FILE_PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.agn"\r\n\r\n{}\r\n'


def multipart(*parts: tuple[str, str]) -> bytes:
    """Return a multipart form with fields, and the same file several times."""
    body = "".join(FORM_BODY.format(*part) for part in parts) + FILE_PART.format(record().decode())
    return f"{body}--x--\r\n".encode()


JSON, LONG, DEEP = "application/json", b"x" * 9 * 2**20, b"[" * 100_000 + b"]" * 100_000
FORM_TYPE, TUS_TYPE = "multipart/form-data; boundary=x", "application/offset+octet-stream"
TRUE = b64encode(b"true").decode()
HOSTILE: dict[str, tuple[str, str, bytes, str]] = {
    "two fields": ("/api/v1/uploads", FORM_TYPE, multipart(("private", "true"), ("private", "false")), "private"),
    "two parameters": ("/api/v1/uploads?private=true&private=false", "text/plain", record(), "private"),
    "field and parameter": ("/api/v1/uploads?dry_run=false", FORM_TYPE, multipart(("dry_run", "true")), "dry_run"),
    "underscore field": ("/api/v1/uploads", FORM_TYPE, multipart(("_private", "true")), "_private"),
    "underscore parameter": ("/api/v1/uploads?_dry_run=true", "text/plain", record(), "_dry_run"),
    "capitals, misspelt": ("/api/v1/uploads", "Multipart/Form-Data; boundary=x", multipart(("dryrun", "1")), "dryrun"),
    "urlencoded": ("/api/v1/uploads", "application/x-www-form-urlencoded", b"dry_run=true&file=x", "Content-Type"),
    "JSON": ("/api/v1/uploads", "application/json", b'{"dry_run": true, "file": "x"}', "dry_run"),
    "JSON, file first": ("/api/v1/uploads", "application/json", b'{"games": "x", "private": true}', "private"),
    "JSON, escaped": ("/api/v1/uploads", "application/json", b'{"games": "x", "\\u0070rivate": true}', "private"),
    "JSON, a huge number first": ("/api/v1/uploads", JSON, b'{"n": %s, "private": true}' % (b"9" * 5_000), "private"),
    "JSON, nested without end": ("/api/v1/uploads", JSON, b'{"n": %s, "private": true}' % DEEP, "private"),
    "long JSON, file first": ("/api/v1/uploads", JSON, b'{"private": true, "games": "%s"}' % LONG, "private"),
    "long JSON, later": (
        "/api/v1/uploads",
        JSON,
        b'{"x": 1, "private": true, "games": "%s"}' % LONG,
        "private",
    ),
    "long JSON, last": ("/api/v1/uploads", JSON, b'{"games": "%s", "private": true}' % LONG, "file"),
    "tus, misspelt": ("/api/v1/files?dryrun=true", TUS_TYPE, record(), "dryrun"),
    "page, address": ("/upload/?private=true&dry_run=true", FORM_TYPE, multipart(), "dry_run"),
    "page, misspelt": ("/upload/", FORM_TYPE, multipart(("dryrun", "true")), "dryrun"),
    "page, underscore": ("/upload/", FORM_TYPE, multipart(("_private", "true")), "_private"),
    "page, twice": ("/upload/", FORM_TYPE, multipart(("private", "true"), ("private", "false")), "private"),
}
"""Requests whose options could be lost: path, type, body, and the name in the error."""


@pytest.mark.parametrize("case", HOSTILE)
def test_a_request_whose_option_could_be_lost_is_refused(call: Call, account: User, case: str) -> None:
    path, kind, body, name = HOSTILE[case]
    client = call(account)
    client.force_login(account)
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(len(body))}
    answer = client.generic("POST", path, body, content_type=kind, headers=headers)  # type: ignore[arg-type] # bytes
    assert answer.status_code == 400
    assert name in (answer.content.decode() if path.startswith("/upload") else answer.json()["error"]["place"].values())
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    ("metadata", "query", "name"),
    [
        (f"private {TRUE},private {b64encode(b'false').decode()}", "", "private"),
        (f"dry_run {TRUE}", "?dry_run=false", "dry_run"),
        (f"_private {TRUE}", "", "_private"),
    ],
)
def test_contradictory_metadata_is_rejected(call: Call, account: User, metadata: str, query: str, name: str) -> None:
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": "9", "Upload-Metadata": metadata}
    answer = call(account).post(f"/api/v1/files{query}", headers=headers)
    assert (answer.status_code, answer.json()["error"]["place"]) == (400, {"parameter": name})
    assert not Upload.objects.exists()


def test_form_body_starting_a_resumable_upload_is_rejected(call: Call, account: User) -> None:
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": "9"}
    body = multipart(("private", "true"))
    answer = call(account).generic("POST", "/api/v1/files", body, FORM_TYPE, headers=headers)  # type: ignore[arg-type] # bytes
    assert answer.status_code == 415
    assert not Upload.objects.exists()


def test_file_sent_by_curl_with_a_form_content_type_is_accepted(call: Call, account: User) -> None:
    kind = "application/x-www-form-urlencoded"
    call(account).generic("POST", "/api/v1/uploads?private=true", record(), kind)  # type: ignore[arg-type] # bytes
    assert UploadOptions.of(Upload.objects.get()) == wished("private")


@pytest.mark.parametrize("name", ["private", "club", "webhook"])
def test_options_that_need_an_account_are_rejected_after_the_session_ended(
    call: Call, account: User, name: str
) -> None:
    answer = call(None).post("/upload/", {"text": record().decode(), **sent(name)}, format="multipart")
    assert answer.status_code == 422
    assert "/login/?next=/upload/" in answer.content.decode()
    assert not Upload.objects.exists()
