"""Bodies are received before a thread is assigned."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from atta_site.serving import handler
from atta_site.serving.bodies import IN_MEMORY
from tests.atta_site.serving.asking import Answer, Client, Echo, ask, run, site_of

TUS = "application/offset+octet-stream"
FILE = "/api/v1/files/1"
UPLOADS = "/api/v1/uploads"


def answer_of(application: Any, folder: Path, client: Client, *asked: str, room: int = 2**30, **headers: str) -> Answer:
    """Return the response that a client receives."""
    run(ask(site_of(application, folder, room), client, *asked, **headers))
    return client.answer


def code(answer: Answer) -> tuple[int, str]:
    """Return the status and the code of an error."""
    return answer.status, json.loads(answer.body)["error"]["code"]


@pytest.mark.parametrize("size", [1, IN_MEMORY, IN_MEMORY + 1, 5 * IN_MEMORY])
def test_body_reaches_the_application_unchanged(tmp_path: Path, size: int) -> None:
    sent = bytes(i % 251 for i in range(size))
    echo, pieces = Echo(), [sent[i : i + 50_000] for i in range(0, size, 50_000)]

    answer = answer_of(echo, tmp_path, Client(pieces), "POST", "/upload/")

    assert (answer.status, answer.body, answer.is_whole, echo.bodies) == (200, str(size).encode(), True, [sent])
    assert list(tmp_path.iterdir()) == []


def test_missing_body_is_rejected_without_occupying_a_thread(tmp_path: Path) -> None:
    echo = Echo()

    async def asked() -> Answer:
        site, silent = site_of(echo, tmp_path), [Client(length=10) for _ in range(20)]
        waiting = [asyncio.ensure_future(ask(site, client, "POST", UPLOADS)) for client in silent]
        await asyncio.sleep(0)
        await ask(site, other := Client())
        assert other.answer.status == 200
        await asyncio.gather(*waiting)
        return silent[0].answer

    assert code(run(asked())) == (408, "too_slow")
    assert len(echo.asked) == 1


def test_slow_body_error_is_translated_into_german(tmp_path: Path) -> None:
    answer = answer_of(Echo(), tmp_path, Client(length=10), "POST", UPLOADS, accept_language="de")

    assert json.loads(answer.body)["error"]["message"] == "Der Inhalt der Anfrage kam zu langsam an."


def test_slow_form_body_gets_an_html_error_page(tmp_path: Path) -> None:
    answer = answer_of(Echo(), tmp_path, Client(length=10), "POST", "/upload/")

    assert (answer.status, answer.headers["content-type"]) == (408, "text/html; charset=utf-8")
    assert "The body of the request arrived too slowly." in answer.body.decode()


def test_a_body_that_drips_is_refused(tmp_path: Path) -> None:
    client = Client([b"x"] * 50, length=1000)
    quick, dripping = client.receive, 0.02

    async def receive() -> Any:
        await asyncio.sleep(dripping)
        return await quick()

    client.receive = receive  # type: ignore[method-assign]

    assert code(answer_of(Echo(), tmp_path, client, "POST", UPLOADS)) == (408, "too_slow")
    assert len(client.pieces) > 25


def test_client_that_disconnects_mid_body_is_discarded(tmp_path: Path) -> None:
    echo, client = Echo(), Client([b"x"], length=1000, then="goes")

    run(ask(site_of(echo, tmp_path), client, "POST"))

    assert (client.sent, echo.asked) == ([], [])


def test_one_address_may_use_half_of_the_body_buffer(tmp_path: Path) -> None:
    echo = Echo()
    assert answer_of(echo, tmp_path, Client([b"x" * 1000]), "POST", room=2000).status == 200

    answer = answer_of(echo, tmp_path, Client([b"x" * 1001]), "POST", UPLOADS, room=2000)

    assert (code(answer), answer.headers["retry-after"]) == ((503, "busy"), "30")
    assert len(echo.asked) == 1


def test_body_buffer_space_is_released(tmp_path: Path) -> None:
    site = site_of(Echo(), tmp_path, 2000)

    async def asked() -> None:
        for length, then in [(1000, "waits"), (1200, "goes"), (1200, "waits")] * 5:
            await ask(site, Client([b"x" * 1000], length=length, then=then), "POST")

    run(asked())

    assert (site._spool._shares._total, site._spool._shares._taken) == (0, {})


def test_full_disk_answers_503_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Path) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("atta_site.serving.bodies.file_in", full)

    assert code(answer_of(Echo(), tmp_path, Client([b"x" * 70_000] * 2), "POST", UPLOADS)) == (503, "busy")


@pytest.mark.parametrize("then", ["goes", "waits"])
def test_partial_tus_chunk_is_passed_on(tmp_path: Path, then: str) -> None:
    echo, client = Echo(204), Client([b"hello"], length=1000, then=then)

    answer_of(echo, tmp_path, client, "PATCH", FILE, content_type=TUS, upload_offset="3")

    asked = echo.asked[0].META
    assert (echo.bodies, asked["CONTENT_LENGTH"], asked["HTTP_UPLOAD_OFFSET"]) == ([b"hello"], "5", "3")


@pytest.mark.parametrize(("name", "value"), [("upload_checksum", "sha1 x"), ("content_type", "text/plain")])
def test_partial_body_is_not_passed_on_when_it_is_only_valid_whole(tmp_path: Path, name: str, value: str) -> None:
    echo, client = Echo(), Client([b"hello"], length=1000)

    headers = {"content_type": TUS, "upload_offset": "3", name: value}
    run(ask(site_of(echo, tmp_path), client, "PATCH", FILE, **headers))

    assert (code(client.answer), echo.asked) == ((408, "too_slow"), [])


def test_long_tus_chunk_is_passed_on_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "PIECE", 400)
    echo = Echo(204)

    answer = answer_of(echo, tmp_path, Client([b"x" * 300] * 3), "PATCH", FILE, content_type=TUS, upload_offset="7")

    offsets = [asked.META["HTTP_UPLOAD_OFFSET"] for asked in echo.asked]
    assert (answer.status, list(map(len, echo.bodies)), offsets) == (204, [400, 400, 100], ["7", "407", "807"])


def test_no_more_pieces_are_passed_on_after_a_rejected_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "PIECE", 400)
    echo = Echo(409)

    answer = answer_of(echo, tmp_path, Client([b"x" * 300] * 3), "PATCH", FILE, content_type=TUS, upload_offset="7")

    assert (answer.status, len(echo.asked)) == (409, 1)


def test_headers_with_underscores_are_ignored(tmp_path: Path) -> None:
    echo, client = Echo(), Client()

    async def asked() -> None:
        scope = {
            "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": "/ü%",
            "raw_path": b"/%c3%bc%25%ff", "query_string": b"a=%ff\xfc\xf6", "server": None, "client": None,
            "headers": [(b"x-forwarded-for", b"a"), (b"x_forwarded_for", b"b"), (b"x-forwarded-for", b"c"),
                        (b"cookie", b"a=1"), (b"cookie", b"b=2")],
        }  # fmt: skip
        await site_of(echo, tmp_path)(scope, client.receive, client.send)

    run(asked())

    (seen,) = echo.asked
    assert (seen.META["HTTP_X_FORWARDED_FOR"], seen.META["HTTP_COOKIE"]) == ("a,c", "a=1; b=2")
    assert (seen.path_info, seen.META["QUERY_STRING"]) == ("/ü%%FF", "a=%ff%FC%F6")
    assert (seen.path, seen.GET["a"]) == (seen.path_info, "\ufffd" * 3)
