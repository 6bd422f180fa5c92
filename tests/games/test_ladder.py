"""A ladder, from files uploaded over HTTP to every cell of the table."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from games.models import Upload
from games.uploads.reads.progress import progress_of
from tests.conftest import Worker
from tests.games.judging import count_all
from tests.games.test_worker import wait

LADDER = Path(__file__).parents[2] / "fixtures" / "ladder"

CELLS = ("rank", "name", "rating", "games", "wins", "draws", "losses", "places", "share", "mu", "sigma")
# Ratings by the paper's formulas, computed without the library (tests/engine/test_rating.py).
TABLE = [
    (1, "Bruno", 159, 2, 1, 0, 1, [1, 1, 0, 0], 0.75, 1299.926802, 380.232105),
    (2, "Dora", 144, 1, 1, 0, 0, [1, 0, 0, 0], 1.0, 1334.172128, 396.651446),
    (3, "Cleo", 7, 1, 0, 0, 1, [0, 1, 0, 0], 0.5, 1185.091986, 392.621663),
    (4, "Ada", 0, 2, 0, 0, 2, [0, 1, 0, 1], 0.0, 980.809084, 380.232105),
]


@pytest.mark.django_db(transaction=True)
def test_every_cell_of_a_ladder_is_correct(
    now: datetime, worker: Worker, call: Callable[..., APIClient], browse: Callable[..., Client]
) -> None:
    """Dora wins ahead of Bruno and Cleo, who share a place, and Ada; then Bruno beats Ada, who lost more ants."""
    client = call(User.objects.create_user("club"))
    for name in ("shared-second.agn", "eaten-decides.agn"):
        answer = client.post("/api/v1/uploads", (LADDER / name).read_bytes(), content_type="text/plain")
        assert answer.status_code == 202
        upload = Upload.objects.get(pk=answer.json()["id"])
        wait(lambda upload=upload: progress_of(upload).verified == 1)  # type: ignore[misc]
    count_all(now)

    rows = client.get("/api/v1/leaderboards/atta-ants-online").json()["rows"]

    found = [tuple(({**row, "name": row["player"]["name"]})[cell] for cell in CELLS) for row in rows]
    assert found == TABLE
    assert client.get("/api/v1/leaderboards/atta-ants-2003").json()["rows"] == []
