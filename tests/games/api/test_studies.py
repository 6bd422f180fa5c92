"""Studies in the API."""

from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.throttling import ScopedRateThrottle

from engine.studying import Tree
from games.models import Game, Study, Upload
from games.studies import writing
from tests.factories import SETUP, duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

TAGS = {"Game": "Atta Ants", "Rules": "online", "Seats": "R Y", "Setup": SETUP}
STUDIES = "/api/v1/studies"


@pytest.fixture
def game(alice: User, now: datetime) -> Game:
    upload_file(next(duels(1)), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    return Game.objects.get()


@pytest.fixture
def author(alice: User, client: Client) -> Client:
    client.force_login(alice)
    return client


def reader(bob: User) -> Client:
    other = Client()
    other.force_login(bob)
    return other


def create(author: Client, game: Game, play: list[str], visibility: str = "public") -> Any:
    branch = {"ply": 1, "play": play, "comments": {"0": "better"}}
    chapters = [{"title": "The duel", "game": game.key, "branches": [branch]}]
    body = {"title": "A duel", "visibility": visibility, "chapters": chapters}
    return author.post(STUDIES, body, content_type="application/json")


def test_study_is_created_from_a_game_with_its_branches(author: Client, game: Game) -> None:
    made = create(author, game, ["R2:N"])

    assert (made.status_code, made["Location"]) == (201, made.json()["url"])
    chapter = author.get(made.json()["chapters"][0]["url"]).json()
    assert (chapter["game"], chapter["names"]) == (game.key, {"R": "Ada", "Y": "Bruno"})
    assert chapter["nodes"][3] == {"token": "R2:N", "parent": 0, "comment": "better"}
    assert chapter["head"].startswith('[Game "Atta Ants"]\n')


def test_chapter_is_not_emptied_by_leaving_its_actions_out(author: Client, game: Game) -> None:
    address = create(author, game, ["R2:N"]).json()["chapters"][0]["url"]

    refused = author.put(address, {"title": "New", "version": 1}, content_type="application/json")

    assert (refused.status_code, refused.json()["error"]["place"]) == (400, {"parameter": "nodes"})
    assert len(author.get(address).json()["nodes"]) == 4


def test_comment_at_no_place_is_left_out(author: Client, game: Game) -> None:
    branch = {"ply": 1, "play": ["R2:N"], "comments": {"9" * 5000: "nowhere", "x": "nowhere"}}
    body = {"title": "A duel", "chapters": [{"game": game.key, "branches": [branch]}]}

    made = author.post(STUDIES, body, content_type="application/json")

    assert "nowhere" not in author.get(made.json()["chapters"][0]["url"]).content.decode()


def test_study_without_chapters_and_too_many_branches_are_refused(author: Client, game: Game) -> None:
    branches = [{"ply": 0, "play": []}] * 101
    for chapters in ([], [{"game": game.key, "branches": branches}]):
        refused = author.post(STUDIES, {"title": "A duel", "chapters": chapters}, content_type="application/json")
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid")
    assert not Study.objects.exists()


def test_illegal_variation_is_refused_with_its_rule_and_place(author: Client, game: Game) -> None:
    refused = create(author, game, ["R1:N", "R1:N"])

    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (400, "illegal")
    assert error["place"] == {"rule": "ATTA-MOVE-1", "node": 3, "token": "R1:N", "line": None, "column": None}
    assert error["message"].startswith("Ant R1 ")


def test_late_tab_gets_both_versions(author: Client, game: Game) -> None:
    url = create(author, game, ["R2:N"]).json()["chapters"][0]["url"]
    chapter = author.get(url).json()
    first = {"title": "First", "version": 1, "nodes": chapter["nodes"][:1]}
    second = {"title": "Second", "version": 1, "nodes": chapter["nodes"][:2]}

    assert author.put(url, first, content_type="application/json").json()["version"] == 2
    refused = author.put(url, second, content_type="application/json")

    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "changed_meanwhile")
    assert (refused.json()["current"]["title"], refused.json()["sent"]["title"]) == ("First", "Second")


def test_only_the_author_changes_a_study_and_a_private_one_does_not_exist_for_others(
    author: Client, bob: User, game: Game
) -> None:
    for visibility, status in (("public", 403), ("private", 404)):
        made = create(author, game, ["R2:N"], visibility).json()
        body = {"title": "Mine", "visibility": "public", "version": 1}
        answers = [
            reader(bob).put(made["url"], body, content_type="application/json"),
            reader(bob).delete(made["url"]),
            reader(bob).delete(made["chapters"][0]["url"]),
        ]
        assert [answer.status_code for answer in answers] == [status] * 3


def test_study_is_renamed_moved_and_deleted(author: Client, game: Game) -> None:
    made = create(author, game, ["R2:N"]).json()
    added = author.post(f"{made['url']}/chapters", {"title": "Empty", "tags": TAGS}, content_type="application/json")
    moved = author.post(f"{added.json()['url']}/move", {"way": "up"}, content_type="application/json").json()
    body = {"title": "Duels", "visibility": "unlisted", "version": moved["version"]}

    assert [chapter["title"] for chapter in moved["chapters"]] == ["Empty", "The duel"]
    assert author.put(made["url"], body, content_type="application/json").json()["title"] == "Duels"
    assert author.put(made["url"], body, content_type="application/json").status_code == 409
    assert author.delete(added.json()["url"]).status_code == 204
    assert author.delete(made["chapters"][0]["url"]).json()["error"]["code"] == "last_chapter"
    assert (author.delete(made["url"]).status_code, Study.objects.count()) == (204, 0)


def test_public_studies_are_listed_and_others_fork_follow_and_report_them(
    author: Client, bob: User, game: Game
) -> None:
    made = create(author, game, ["R2:N"]).json()
    other = reader(bob)

    assert [one["key"] for one in other.get(f"{STUDIES}?title=duel&author=ali&game=Atta Ants").json()] == [made["key"]]
    assert other.get(f"{STUDIES}?author=bob").json() == []
    fork = other.post(f"{made['url']}/fork").json()
    assert (fork["author"], fork["forked_from"], fork["visibility"]) == (bob.username, made["url"], "private")
    followed = other.put(f"{made['url']}/following", {"following": True}, content_type="application/json")
    assert followed.json() == {"following": True}
    assert [one["key"] for one in other.get("/api/v1/account/studies/followed").json()] == [made["key"]]
    assert [one["key"] for one in other.get("/api/v1/account/studies").json()] == [fork["key"]]
    reported = other.post(f"{made['url']}/report", {"reason": "Insults"}, content_type="application/json")
    assert reported.status_code == 204


@pytest.mark.parametrize("form", ["agn", "json"])
def test_file_of_a_study_is_imported_again(author: Client, game: Game, form: str) -> None:
    made = create(author, game, ["R2:N"]).json()
    file = author.get(f"{made['url']}/file?format={form}").content

    back = author.post(f"{STUDIES}/import?visibility=public", file, content_type="application/octet-stream")

    assert (back.status_code, back.json()["title"]) == (201, "A duel")
    files = [author.get(f"{one['url']}/file?format=json").json()["chapters"][0] for one in (made, back.json())]
    assert sorted(node["token"] for node in files[0]["nodes"]) == sorted(node["token"] for node in files[1]["nodes"])


def test_fault_in_a_file_names_rule_line_and_column(author: Client, game: Game) -> None:
    made = create(author, game, ["R2:N"]).json()
    file = author.get(f"{made['url']}/file").content.replace(b"R2:N", b"R9:N")

    refused = author.post(f"{STUDIES}/import", file, content_type="application/octet-stream")

    place = refused.json()["error"]["place"]
    assert (refused.status_code, place["rule"], place["token"]) == (400, "AGN-MOVE-1", "R9:N")
    assert file.decode().splitlines()[place["line"] - 1][place["column"] - 1 :].startswith("R9:N")


def test_changes_of_studies_are_limited(author: Client, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "study", "1/hour")
    made = create(author, game, ["R2:N"])

    assert made.status_code == 201
    assert create(author, game, ["R2:N"]).status_code == 429
    assert author.get(made.json()["url"]).status_code == 200


def test_list_turns_pages(author: Client, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.api.studies.PAGE", 1)
    for title in ("One", "Two"):
        writing.create(writing.About(title, "public"), [writing.NewChapter("", Tree(TAGS))], by=alice, now=now)

    page = author.get(STUDIES)
    following = page["Link"].partition(">")[0].removeprefix("<")
    assert [page.json()[0]["title"], author.get(following).json()[0]["title"]] == ["Two", "One"]
