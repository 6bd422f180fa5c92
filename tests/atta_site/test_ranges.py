"""A range request gets the requested part of a static file, or the whole file."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

Browse = Callable[..., Client]
PATH = "/static/games/mark.svg"


@pytest.fixture(scope="module")
def whole(static_files: None) -> bytes:
    return bytes((settings.STATIC_ROOT / "games/mark.svg").read_bytes())


def asked(browse: Browse, method: str = "get", **headers: str) -> tuple[int, bytes, Any]:
    """Return the status, the bytes and the content range of a response."""
    answer = getattr(browse(), method)(PATH, headers={name.replace("_", "-"): text for name, text in headers.items()})
    return answer.status_code, answer.getvalue(), answer.get("Content-Range")


@pytest.mark.parametrize(
    ("wanted", "start", "end"),
    [("0-0", 0, 1), ("-1", -1, None), ("5-5", 5, 6), ("0-", 0, None), ("3-9", 3, 10), ("7-999999", 7, None)],
)
def test_a_range_is_answered_with_its_bytes(
    browse: Browse, whole: bytes, wanted: str, start: int, end: int | None
) -> None:
    first, part = start % len(whole), whole[start:end]

    header = f"bytes {first}-{first + len(part) - 1}/{len(whole)}"
    assert asked(browse, range=f"bytes={wanted}") == (206, part, header)


def test_suffix_range_longer_than_the_file_returns_the_whole_file(browse: Browse, whole: bytes) -> None:
    assert asked(browse, range="bytes=-999999")[:2] == (206, whole)


@pytest.mark.parametrize("wanted", ["999999-", "999999-1000000", "-0"])
def test_range_beyond_the_end_returns_416(browse: Browse, whole: bytes, wanted: str) -> None:
    assert asked(browse, range=f"bytes={wanted}") == (416, b"", f"bytes */{len(whole)}")


@pytest.mark.parametrize(
    "wanted", ["bytes=5-2", "bytes=0-0,2-3", "bytes=a-b", "bytes=--5", "bytes=-", "lines=0-0", "bytes=" + "9" * 5000]
)
def test_unsupported_range_is_ignored(browse: Browse, whole: bytes, wanted: str) -> None:
    assert asked(browse, range=wanted) == (200, whole, None)


def test_range_of_another_version_returns_the_whole_file(browse: Browse, whole: bytes) -> None:
    mark = browse().head(PATH)["ETag"]

    assert asked(browse, range="bytes=0-0", if_range='"other"') == (200, whole, None)
    assert asked(browse, range="bytes=0-0", if_range=mark)[0] == 206


def test_head_request_ignores_the_range(browse: Browse) -> None:
    assert asked(browse, "head", range="bytes=0-0") == (200, b"", None)
