"""Uploaded and judged games, and what a visitor reads."""

import re
from collections.abc import Callable
from datetime import datetime
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Game, Upload
from tests.games.judging import count_all
from tests.games.uploading import upload_file

UploadRecords = Callable[..., list[Game]]
Read = Callable[..., str]


def words_of(html: str) -> str:
    """Return the text of a page, without tags and in single spaces."""
    words = " ".join(unescape(re.sub(r"<[^>]+>", " ", html.replace("<wbr>", ""))).split())
    return re.sub(r" (?=[,.:;])", "", words)


@pytest.fixture
def upload_records(db: None, now: datetime) -> UploadRecords:
    """Upload records and judge them as the worker does; return their games in file order."""

    def games_of(*records: bytes, at: datetime = now, uploader: User | None = None) -> list[Game]:
        upload = upload_file(b"\n".join(records), via=Upload.Via.WEB, now=at, uploader=uploader, filename="evening.agn")
        count_all(at)
        return [log.game for log in upload.logs.order_by("number") if log.game]

    return games_of


@pytest.fixture
def read(client: Client) -> Read:
    """Open a page; return its text."""

    def words(address: str, *, status: int = 200) -> str:
        answer = client.get(address)
        assert answer.status_code == status, answer.content.decode()[:400]
        return words_of(answer.content.decode())

    return words
