"""How many files one has to open to see how a page is made and how an upload gets its verdict."""

import pytest
from django.test import Client

from games import tasks
from tests.factories import record
from tests.games.following import follow
from tests.games.web.conftest import HandIn

SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"

pytestmark = pytest.mark.django_db


def test_a_game_page_is_made_in_few_files(hand_in: HandIn, client: Client) -> None:
    (game,) = hand_in(record(SHORT))
    way = follow(lambda: client.get(f"/games/{game.key}/"))
    assert len(way.files) <= 25, way
    assert len(way.doors) <= 44, way


def test_an_upload_gets_its_verdict_in_few_files(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "wake_workers", lambda: None)  # no worker has to run beside this
    way = follow(lambda: client.post("/upload/", {"text": record(SHORT).decode()}))
    way += follow(tasks._judge_waiting)
    assert len(way.files) < 25, way
    assert len(way.doors) <= 30, way
