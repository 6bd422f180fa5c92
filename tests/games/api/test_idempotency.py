"""Repeated requests."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from games.models import Answer, Upload
from games.platform import idempotency
from games.platform.idempotency import Kept
from tests.factories import duels, record

pytestmark = pytest.mark.django_db
Call = Callable[..., APIClient]
UPLOADS = "/api/v1/uploads"


def post(client: APIClient, data: bytes = record(), *, key: str = "k", query: str = "") -> Any:
    return client.post(UPLOADS + query, data, content_type="text/plain", headers={"Idempotency-Key": key})


def test_repeated_request_gets_the_same_response_and_is_stored_once(call: Call, alice: User) -> None:
    first, again = (post(call(alice), key='"8e03978e-40d5"') for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert first.headers["Location"] == again.headers["Location"]
    assert [answer.headers.get("Idempotency-Replayed") for answer in (first, again)] == [None, "true"]
    assert Upload.objects.count() == 1


@pytest.mark.parametrize("query", ["", "?scored=false"])
def test_another_request_with_the_same_key_is_refused(call: Call, alice: User, query: str) -> None:
    post(call(alice))
    other = post(call(alice), record() if query else record(names=("Eve", "Bruno")), query=query)
    error = other.json()["error"]
    assert (other.status_code, error["code"]) == (422, "key_used")
    assert error["message"] == "This Idempotency-Key was used for another request."
    assert Upload.objects.count() == 1


def test_multipart_requests_are_compared_by_content_and_file_name(call: Call, alice: User) -> None:
    def form(name: str) -> Any:
        file = SimpleUploadedFile(name, record())
        return call(alice).post(UPLOADS, {"file": file}, format="multipart", headers={"Idempotency-Key": "k"})

    assert [form(name).status_code for name in ("one.agn", "one.agn", "two.agn")] == [202, 202, 422]


@pytest.mark.parametrize("form", [False, True])
def test_large_files_differing_in_the_last_byte_are_different_requests(
    call: Call, alice: User, form: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.uploads.source.MAX_BYTES", 100)

    def send(data: bytes) -> Any:
        if not form:
            return post(call(alice), data)
        file = SimpleUploadedFile("evening.agn", data)
        return call(alice).post(UPLOADS, {"file": file}, format="multipart", headers={"Idempotency-Key": "k"})

    answers = [send(data) for data in (record() + b"\n", record() + b"\n", record() + b"\r")]
    assert [answer.status_code for answer in answers] == [202, 202, 422]
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, "true", None]
    assert Upload.objects.count() == 1


def test_rejected_request_may_be_retried_with_its_key(call: Call, alice: User) -> None:
    assert post(call(alice), b"").status_code == 400
    assert post(call(alice)).status_code == 202
    assert post(call(alice)).headers["Idempotency-Replayed"] == "true"


def test_idempotency_keys_belong_to_one_account(call: Call, alice: User, bob: User) -> None:
    assert [post(call(who)).status_code for who in (alice, bob)] == [202, 202]
    assert Upload.objects.count() == 2


def test_idempotency_key_expires_after_a_day(call: Call, alice: User) -> None:
    post(call(alice))
    Answer.objects.update(made_at=timezone.now() - timedelta(hours=25))
    assert post(call(alice), record(names=("Eve", "Bruno"))).status_code == 202
    assert idempotency.forget_old(now=timezone.now() + timedelta(hours=25)) == 1


@pytest.mark.parametrize("key", ["", '""', "x" * 256])
def test_invalid_idempotency_key_is_rejected(call: Call, alice: User, key: str) -> None:
    error = post(call(alice), key=key).json()["error"]
    assert (error["code"], error["message"]) == (
        "bad_key",
        "An Idempotency-Key must have 1 to 255 printable characters.",
    )


def test_without_an_account_a_key_does_not_help(call: Call) -> None:
    assert post(call()).status_code == 401


def test_resumable_upload_is_created_once_per_key(call: Call, alice: User) -> None:
    def begin(length: int) -> Any:
        headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(length), "Idempotency-Key": "k"}
        return call(alice).post("/api/v1/files", headers=headers)

    first, again, other = begin(10), begin(10), begin(11)
    assert [answer.status_code for answer in (first, again, other)] == [201, 201, 422]
    assert first.headers["Location"] == again.headers["Location"]
    assert Upload.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_requests_with_one_key_store_one_upload(call: Call, alice: User) -> None:
    hands, rounds = 4, 10
    barrier = Barrier(hands)
    files = list(duels(rounds))
    clients = [call(alice) for _ in range(hands)]

    def act(client: APIClient) -> list[tuple[int, str]]:
        try:
            return [_at_once(client, file, str(at)) for at, file in enumerate(files)]
        finally:
            connection.close()

    def _at_once(client: APIClient, file: bytes, key: str) -> tuple[int, str]:
        barrier.wait()
        answer = post(client, file, key=key)
        return answer.status_code, answer.json().get("id", answer.json().get("error", {}).get("code"))

    with ThreadPoolExecutor(hands) as pool:
        answers = list(pool.map(act, clients))
    for of_one in zip(*answers, strict=True):
        assert {status for status, _ in of_one} <= {202, 409}
        assert len({pk for status, pk in of_one if status == 202}) == 1
        assert {code for status, code in of_one if status == 409} <= {"under_way"}
    assert Upload.objects.count() == rounds


@pytest.mark.django_db(transaction=True)
def test_request_still_in_progress_is_not_started_again(alice: User) -> None:
    now = timezone.now()

    def meanwhile() -> str:
        try:
            with pytest.raises(idempotency.OnceError) as refused:
                idempotency.once(alice, "k", str, lambda: Kept(202, {}), now=now)
            return refused.value.code
        finally:
            connection.close()

    def act() -> Kept:
        with ThreadPoolExecutor(1) as pool:
            return Kept(202, {"meanwhile": pool.submit(meanwhile).result()})

    assert idempotency.once(alice, "k", str, act, now=now).body == {"meanwhile": "under_way"}
