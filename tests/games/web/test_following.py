"""How many files a reader has to open to understand how a page is made and an upload judged."""

import pytest
from django.test import Client

from games import tasks, time_slices
from tests.factories import record
from tests.games.following import follow
from tests.games.web.conftest import UploadRecords

SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"

pytestmark = pytest.mark.django_db


def test_game_page_uses_few_source_files(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(SHORT))
    way = follow(lambda: client.get(f"/games/{game.key}/"))
    assert len(way.files) <= 38, way
    assert len(way.calls) <= 69, way


def test_upload_and_verdict_use_few_source_files(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "wake_workers", lambda: None)  # no worker needs to run
    way = follow(lambda: client.post("/upload/", {"text": record(SHORT).decode()}))
    way += follow(lambda: time_slices.judge_waiting(call=tasks.wake_workers))
    assert len(way.files) <= 27, way
    assert len(way.calls) <= 35, way
