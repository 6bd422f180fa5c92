"""The page of dumps, and their files, completely or from an offset."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.records import dump_files
from games.records.reads.dumps import Dump, Month
from tests.factories import duels
from tests.games.web.conftest import Read, UploadRecords

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.DUMPS_DIR = tmp_path
    return tmp_path


@pytest.fixture
def dump(upload_records: UploadRecords) -> Dump:
    upload_records(*duels(3))
    return dump_files.make(Month(2026, 3), now=datetime(2026, 4, 2, 3, 10, tzinfo=UTC))


def address(dump: Dump) -> str:
    return f"/dumps/2026-03/{dump.parts[0].files[0].name}"


def content(answer: Any) -> bytes:
    """Return the content of a file or a part of it."""
    return b"".join(answer)


def test_without_dumps_the_page_says_when_there_will_be_one(read: Read) -> None:
    assert "The games of a month appear here from the first night of the next month." in read("/dumps/")


def test_dump_lists_its_games_files_and_checksums(dump: Dump, client: Client, read: Read) -> None:
    words = read("/dumps/")
    file = dump.parts[0].files[0]
    assert "March 2026" in words
    assert "Atta Ants, online rules 3 agn" in words
    assert "Created 2026-04-02 03:10 UTC, verdicts by engine" in words
    assert "sha256sum --check" in words
    html = client.get("/dumps/").content.decode()
    assert file.sha256 in html
    assert f'href="{address(dump)}"' in html


def test_api_returns_the_same_list_of_dumps(dump: Dump, client: Client) -> None:
    (month,) = client.get("/api/v1/dumps").json()
    file = month["rulesets"][0]["files"][0]
    assert (month["month"], month["rulesets"][0]["games"]) == ("2026-03", 3)
    assert sha256(content(client.get(file["url"]))).hexdigest() == file["sha256"]
    assert json.loads(content(client.get(month["manifest"])))["month"] == "2026-03"
    assert file["sha256"] in content(client.get(month["sums"])).decode()


@pytest.mark.parametrize(
    ("wanted", "first", "last"),
    [("bytes=0-9", 0, 10), ("bytes=100-", 100, None), ("bytes=-7", -7, None), ("bytes=20-99999999", 20, None)],
)
def test_range_request_returns_part_of_a_dump(
    dump: Dump, client: Client, wanted: str, first: int, last: int | None
) -> None:
    whole = content(client.get(address(dump)))

    answer = client.get(address(dump), headers={"range": wanted})

    part = content(answer)
    assert (answer.status_code, part) == (206, whole[first:last])
    begin = first % len(whole)
    assert answer["Content-Range"] == f"bytes {begin}-{begin + len(part) - 1}/{len(whole)}"


@pytest.mark.parametrize("wanted", ["bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes=x-"])
def test_unsupported_range_returns_the_whole_dump(dump: Dump, client: Client, wanted: str) -> None:
    whole = client.get(address(dump), headers={"range": wanted})
    assert (whole.status_code, whole["Accept-Ranges"]) == (200, "bytes")
    assert len(content(whole)) == dump.parts[0].files[0].bytes


@pytest.mark.parametrize("wanted", ["bytes=99999999-", "bytes=9-3", "bytes=-0"])
def test_range_beyond_the_dump_is_rejected(dump: Dump, client: Client, wanted: str) -> None:
    refused = client.get(address(dump), headers={"range": wanted})
    size = dump.parts[0].files[0].bytes
    assert (refused.status_code, refused["Content-Range"]) == (416, f"bytes */{size}")


def test_dump_redirects_to_the_configured_file_server(dump: Dump, client: Client, settings: Any) -> None:
    settings.DUMPS_URL = "https://files.example/dumps"
    answer = client.get(address(dump))
    assert (answer.status_code, answer["Location"]) == (302, f"https://files.example{address(dump)}")


@pytest.mark.parametrize("path", ["2026-03/nothing.zst", "2026-02/manifest.json", "2026-03/.lock", "../secret-key",
                                  "2026-03/..%2f..%2fsecret", ".lock/x"])  # fmt: skip
def test_other_files_in_the_dump_folder_are_not_served(dump: Dump, client: Client, folder: Path, path: str) -> None:
    (folder / ".lock").touch()
    assert client.get(f"/dumps/{path}").status_code == 404


@pytest.mark.full
def test_dumps_are_linked_on_the_developers_page(client: Client) -> None:
    assert 'href="/dumps/"' in client.get("/api/").content.decode()
