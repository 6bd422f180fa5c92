"""How a site handles Picnic. Run by `test_adding_a_game.py` in a copy of the project with this game."""

import subprocess
import sys
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
from tests.games.web.conftest import Read, UploadRecords
from tests.tiers import LONG

pytest_plugins = ["tests.games.web.conftest"]

PROJECT = Path(__file__).parents[2]
FIXTURES = PROJECT / "fixtures" / "picnic"
TIE, DUEL = FIXTURES / "games" / "three-share-places.agn", FIXTURES / "games" / "two-in-turns.agn"
GERMAN = {"accept-language": "de"}
BROKEN = FIXTURES / "broken" / "PICNIC-WALK-1-past-an-ant.agn"


@pytest.fixture
def played(upload_records: UploadRecords) -> str:
    """The address of a game with a tie, uploaded and judged."""
    (game,) = upload_records(TIE.read_bytes())
    return f"/games/{game.key}/"


@pytest.mark.skipif(not LONG, reason="a worker takes long to start, and does what the tests below do without one")
@pytest.mark.django_db(transaction=True)
def test_worker_verifies_an_uploaded_game_and_ranks_its_players(
    worker: Worker, call: Callable[..., APIClient], now: datetime
) -> None:
    client = call(User.objects.create_user("club"))
    answer = client.post("/api/v1/uploads", TIE.read_bytes(), content_type="text/plain")
    upload = Upload.objects.get(pk=answer.json()["id"])

    wait(lambda: progress_of(upload).verified == 1)
    count_all(now)

    rows = client.get("/api/v1/leaderboards/picnic-1").json()["rows"]
    found = [(row["rank"], row["player"]["name"], row["draws"], 100 * row["share"]) for row in rows]
    assert found == [(1, "Ada", 1, 75.0), (1, "Bruno", 1, 75.0), (3, "Cleo", 0, 0.0)]


def test_game_page_shows_captions_and_the_ending(played: str, read: Read) -> None:
    words = read(f"{played}?ply=8")

    assert "Red walks from b to a and eats one crumb." in words
    assert "share first place: No crumb is left that anybody could come to · PICNIC-END-1" in words


def test_frames_add_move_and_remove_its_pieces(played: str, client: Client) -> None:
    frames = client.get(f"/api/v1{played}frames").json()["frames"]

    ants = [piece["x"] for frame in frames for piece in frame["put"] if piece["id"] == "B2"]
    assert frames[0]["whole"]
    assert len(set(ants)) > 1
    assert "crumbs:a" in [gone for frame in frames for gone in frame["gone"]]


def test_rules_are_available_in_both_languages(client: Client, db: None) -> None:
    english = client.get("/rules/picnic/").content.decode()

    german = client.get("/rules/picnic/", headers=GERMAN).content.decode()

    for html, title in ((english, "To the nearest crumbs"), (german, "Zu den nächsten Krümeln")):
        assert title in html
        assert 'id="PICNIC-WALK-1"' in html


def test_captions_and_faults_are_translated_into_german(upload_records: UploadRecords, client: Client) -> None:
    tie, broken = upload_records(TIE.read_bytes(), BROKEN.read_bytes())

    played = client.get(f"/games/{tie.key}/?ply=8", headers=GERMAN).content.decode()
    assert "Rot läuft von b nach a und frisst einen Krümel." in played
    refused = client.get(f"/games/{broken.key}/", headers=GERMAN).content.decode()
    assert "an keiner anderen Ameise vorbei: nicht nach g." in refused


def test_rejected_game_links_to_the_broken_rule(upload_records: UploadRecords, client: Client, read: Read) -> None:
    (game,) = upload_records(BROKEN.read_bytes())
    html = client.get(f"/games/{game.key}/").content.decode()

    assert 'href="/rules/picnic/#PICNIC-WALK-1"' in html
    assert "past no other ant: not to g." in read(f"/games/{game.key}/")


def test_ladder_shows_players_with_shared_ranks(upload_records: UploadRecords, read: Read) -> None:
    upload_records(TIE.read_bytes())
    words = read("/leaderboards/picnic-1/")

    assert "Picnic" in read("/leaderboards/")
    assert "Rank Player Rating ± Games Won Drawn Lost 1st 2nd 3rd Beaten" in words
    assert words.index("1 Ada") < words.index("1 Bruno") < words.index("3 Cleo")


def test_games_can_be_filtered_by_the_new_game(upload_records: UploadRecords, read: Read) -> None:
    upload_records(DUEL.read_bytes())

    assert "Picnic 10 actions" in read("/games/?game=Picnic")
    assert "Picnic 10 actions" not in read("/games/?game=Ant+Trails")


def test_command_line_replays_the_new_game() -> None:
    command = [sys.executable, "-m", "engine", "replay", str(DUEL)]
    said = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout

    assert ". R R . . B B B R ." in said
    assert "Round 5, over: R 2, B 1." in said
