"""Searches say when the index is built again, how far it is, and that games may be missing until then."""

from datetime import datetime

import pytest
from django.test import Client

from engine.positions import NUMBERING
from games.models import Game, GameEvents, PositionRebuild, PositionRun, Upload
from games.search import indexing
from games.search.events import find_events
from games.search.indexing import renumber
from games.search.reads.progress import index_progress
from tests.factories import duels
from tests.games.judging import judge_and_index
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db
SAYS = "The index for searches is being rebuilt ({share}% so far): until then some games may be missing here."


@pytest.fixture
def games(now: datetime) -> list[Game]:
    """Five games, indexed and with their events."""
    upload_file(b"\n\n".join(duels(5)), via=Upload.Via.API, now=now)
    judge_and_index(now)
    find_events(has_time=lambda: True)
    return list(Game.objects.order_by("pk"))


def searches(game: Game) -> list[tuple[str, str]]:
    """The pages of a game's position and opening, and the same in the API."""
    reached = f"?position={game.key}:1"
    return [
        (f"/games/{reached}", f"/api/v1/games{reached}"),
        (f"/games/{game.key}/?ply=1&closer", f"/api/v1/games/{game.key}/position/games?ply=1"),
        (f"/openings/{game.ruleset}/", f"/api/v1/openings/{game.ruleset}"),
    ]


def share_up_to(games: list[Game], number: int) -> int:
    """Return the share of the first games, in percent."""
    return 100 * (games[number].pk - games[0].pk) // (games[-1].pk - games[0].pk + 1)


def test_a_search_that_finds_nothing_says_that_not_all_games_are_searched_yet(
    games: list[Game], client: Client
) -> None:
    PositionRun.objects.update(numbering=NUMBERING - 1)
    page = client.get(f"/games/?position={games[0].key}:1&player=Nobody").content.decode()
    assert "No games found so far: not all games are searched yet." in page
    assert "No games match these filters." not in page


def test_searches_by_position_and_opening_say_how_far_renumbering_is(
    games: list[Game], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 2)
    PositionRun.objects.update(numbering=NUMBERING - 1)
    turns = iter((True, False))
    renumber(has_time=lambda: next(turns))
    share = share_up_to(games, 2)

    for page, answer in searches(games[0]):
        assert SAYS.format(share=share) in client.get(page).content.decode()
        assert client.get(answer).json()["index_progress"] == share
    export = f"/api/v1/games/export?position={games[0].key}:1"
    assert client.get(export).headers["Atta-Index-Progress"] == str(share)
    renumber(has_time=lambda: True)
    assert "Atta-Index-Progress" not in client.get(export).headers
    for page, answer in searches(games[0]):
        assert "being rebuilt" not in client.get(page).content.decode()
        assert client.get(answer).json()["index_progress"] is None


def test_renumbering_that_is_due_has_reached_nothing(games: list[Game]) -> None:
    PositionRun.objects.update(numbering=NUMBERING - 1)
    assert index_progress() == 0
    PositionRebuild.objects.create(positions_only=True, last=games[-1].pk)
    assert index_progress() == 99, "what was numbered otherwise is still there"


def test_rebuild_during_which_all_games_are_found_is_not_mentioned(games: list[Game], client: Client) -> None:
    PositionRebuild.objects.create(last=games[1].pk)
    assert index_progress() is None
    assert "being rebuilt" not in client.get(f"/games/?position={games[0].key}:1").content.decode()


def test_searches_for_events_say_how_many_games_have_theirs(games: list[Game], client: Client) -> None:
    GameEvents.objects.filter(game__gt=games[0].pk).update(codes=None)
    share = share_up_to(games, 1)
    assert SAYS.format(share=share) in client.get("/games/?event=born").content.decode()
    assert client.get("/api/v1/games?event=born").json()["index_progress"] == share
    assert client.get("/api/v1/games").json()["index_progress"] is None
    find_events(has_time=lambda: True)
    assert client.get("/api/v1/games?event=born").json()["index_progress"] is None
