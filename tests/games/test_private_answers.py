"""Every address that can be read answers strangers as before once somebody has private games."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Upload
from games.search import events as search_events
from games.search.waiting import index_waiting
from games.uploads.origin import UploadOptions
from tests.factories import duels, record
from tests.games.judging import judge_all
from tests.games.test_access import ROWS, World, address
from tests.games.test_edges import FOR_MONITORS
from tests.games.uploading import upload_file
from tests.games.varying import without_varying_parts

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]
VIEWERS = ("nobody", "stranger")
"""Of the access matrix, those with no part in any game."""
ASKED = {
    "api-game-position": ("ply=1", "ply=2"),
    "api-game-position-games": ("ply=1", "ply=2"),
    "games": ("player=Ada", "player=Mnemosyne", "q=Mnemosyne", "termination=agreed", "ruleset=atta-ants-online"),
    "api-games": ("player=Ada", "player=Mnemosyne", "termination=agreed", "ruleset=atta-ants-online"),
    "api-games-export": ("form=agn", "form=ndjson", "form=annotated"),
    "api-players": ("name=Ada", "name=Mnem"),
    "players": ("q=Ada", "q=Mnem"),
}
"""What else is asked of some addresses than nothing."""


def every_road(world: World) -> Iterator[str]:
    """Yield every address that can be read, about a public game where it is about one."""
    for row in ROWS:
        if row.method == "GET" and row.name not in FOR_MONITORS:
            path = address(row.name, world)
            yield from (path, *(f"{path}?{query}" for query in ASKED.get(row.name, ())))


def index_all() -> None:
    """Do what the worker does later, so that searches find the games."""
    index_waiting(has_time=lambda: True)
    search_events.find_events(has_time=lambda: True)


@pytest.mark.full
@pytest.mark.usefixtures("unthrottled")
def test_no_address_answers_otherwise_once_somebody_has_private_games(
    cast: dict[str, User | None], worlds: tuple[World, World], alice: User, browse: Browse, now: datetime
) -> None:
    index_all()
    paths = list(every_road(worlds[0]))
    assert {name for name in ASKED if name not in {row.name for row in ROWS}} == set()

    def all_answers() -> dict[tuple[str, str], str]:
        clients = [(who, browse(cast[who])) for who in VIEWERS]
        return {(who, path): text_of(one, path) for who, one in clients for path in paths}

    all_answers()  # some things are made for their first readers
    before = all_answers()
    names = ("Ada", "Mnemosyne")
    for data in (*duels(1, names=names), record("draw 1-1", names=names)):  # the public game's moves, and others
        upload_file(data, via=Upload.Via.WEB, now=now, uploader=alice, options=UploadOptions(private=True))
    judge_all(now)
    index_all()
    after = all_answers()
    assert [place for place in before if before[place] != after[place]] == []
    assert not any("Mnemosyne" in text for (_, path), text in after.items() if "Mnem" not in path)


def text_of(client: Client, path: str) -> str:
    """Return an answer without what differs each time: form tokens, moments, pauses drawn at random, browsers."""
    answer = client.get(path)
    body = b"".join(answer) if answer.streaming else answer.content
    text = without_varying_parts(body.decode(errors="replace"))
    return f"{answer.status_code} {re.sub(r'retry: [0-9]+|DTSTAMP:[0-9TZ]+', '', text)}"
