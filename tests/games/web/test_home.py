"""The home page."""

import json
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from engine.registry import RULESETS
from engine.scene import union
from games.records.reads import showcase as shelf
from games.records.reads.showcase import SHOWCASES, Showcase
from games.web.live import messages
from tests.factories import BROKEN, duels, record
from tests.games.playing.seating import guests, play, seated
from tests.games.web.conftest import Read, UploadRecords

EACH = pytest.mark.parametrize("showcase", SHOWCASES, ids=lambda showcase: showcase.name)
TRAILS = "/?game=ant-trails"


@EACH
def test_every_showcase_is_a_verified_game(showcase: Showcase) -> None:
    assert shelf.verdict_with(showcase, shelf.played(showcase)).verdict == "verified"


@EACH
def test_every_prepared_mistake_is_rejected_at_its_place_for_a_different_reason(
    showcase: Showcase,
) -> None:
    faults = [shelf.verdict_with(showcase, token).fault for token in showcase.mistakes]
    assert [(fault.ply, fault.token) for fault in faults if fault] == [(showcase.ply, one) for one in showcase.mistakes]
    assert len({fault.template for fault in faults if fault}) == len(showcase.mistakes) == 3


@EACH
def test_each_mistake_is_marked_on_the_board(showcase: Showcase) -> None:
    for token in showcase.mistakes:
        scene = shelf.scene_with(showcase, token)
        marks = {piece.symbol for piece in scene.pieces if "mark" in piece.classes}
        assert {"refused-ring", "refused-stop"} <= marks, token
        assert set(union([scene]).symbols) <= set(shelf.stage_of(showcase).symbols)


@EACH
def test_a_showcase_has_a_picture_with_pieces_on_it(showcase: Showcase) -> None:
    scene = shelf.picture_of(showcase)
    assert scene.box == showcase.crop
    assert any(piece.layer for piece in scene.pieces)


@pytest.mark.django_db
def test_the_front_page_shows_a_broken_game_with_the_engines_verdict(read: Read) -> None:
    words = read(f"{TRAILS}&break=1")
    assert "Ada played i5. With i6 in its place, the game is rejected." in words
    assert "Rejected line 24, column 5 i6 is next to the ant on j7, which is not an end of its trail." in words
    assert "TRAILS-PLACE-2 Trails grow at their ends Legal here i5 c2 e3 e8 g9 i4" in words


@pytest.mark.django_db
def test_another_mistake_leads_through_all_mistakes_and_back_to_the_first(client: Client) -> None:
    for number, following in ((1, 2), (2, 3), (3, 1)):
        html = client.get(f"/?break={number}").content.decode()
        assert f'break={following}" data-showcase>Another mistake</a>' in html


@pytest.mark.django_db
def test_a_legal_replacement_is_played_and_the_rest_of_the_game_is_judged(read: Read) -> None:
    words = read(f"{TRAILS}&play=e8")
    assert "Legal line 24, column 5" in words
    assert "Legal here, but it changes the game: line 25 is then rejected. There is already an ant on e8." in words
    assert "With it, the whole game is legal." in read(f"{TRAILS}&play=i5")


@pytest.mark.django_db
def test_the_restored_game_shows_no_mistake(read: Read) -> None:
    words = read(f"{TRAILS}&ply=92")
    assert "Rejected" not in words
    assert "Break this move" in words
    assert "Put it back" not in words


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["ply=99999999999", "ply=-1", "break=x", "play=zz", "game=chess", "part=x"])
def test_invalid_queries_still_return_the_front_page(client: Client, query: str) -> None:
    assert client.get(f"/?{query}").status_code == 200


@pytest.mark.django_db
def test_the_script_receives_the_changed_parts_and_all_frames(client: Client) -> None:
    showcase = client.get(f"{TRAILS}&break=2&part=showcase").json()
    assert showcase["frame"]["whole"] is True
    assert "There is already an ant on i10." in showcase["sheet"]
    del showcase["sheet"]
    assert client.get(f"{TRAILS}&break=2&part=showcase&sheet=0").json() == showcase
    assert len(client.get(f"{TRAILS}&part=frames").json()["frames"]) == 138
    begin = client.get(f"{TRAILS}&part=frames&lead=1").json()["frames"]
    assert [(frame["ply"], frame.get("whole", False)) for frame in begin] == [
        (87, True),
        *((ply, False) for ply in range(88, 92)),
    ]


@pytest.mark.django_db
def test_an_empty_site_explains_how_to_begin(read: Read) -> None:
    words = read("/")
    assert "Upload a game" in words
    assert "No games yet. Yours would be the first." in words
    assert words.count("The first verified game starts this ladder.") == len({ruleset.game for ruleset in RULESETS})


@pytest.mark.django_db
def test_a_tile_describes_its_game_and_links_to_ways_to_begin(client: Client) -> None:
    html = client.get("/").content.decode()
    assert "2–4 players · 30 min" in html
    for address in ("/?game=ant-trails&amp;ply=0", "/play/#now-ant-trails", "/rules/ant-trails/quick/"):
        assert f'href="{address}"' in html


@pytest.mark.django_db
def test_the_play_link_of_a_tile_preselects_its_game(client: Client) -> None:
    assert (
        '<option value="army-ants" data-places="2 " selected>'
        in client.get("/play/?ruleset=army-ants").content.decode()
    )


def test_home_page_shows_the_newest_games_and_best_players(upload_records: UploadRecords, read: Read) -> None:
    upload_records(record("NS@0,2 resign:R 2-1", names=("Ada", "Bruno")))
    words = read("/")
    assert "verified R Ada 2nd Y Bruno 1st" in words
    assert "1 Bruno 1 game 165 2 Ada 1 game 0" in words


@pytest.mark.django_db
def test_a_game_in_progress_is_shown_live(client: Client) -> None:
    people, now = guests(2), timezone.now()
    table = play(seated(people, now, "army-ants"), people, now, most=3)
    html = client.get("/").content.decode()
    assert f'data-watched="/live/tables/{table.key}?whole" data-after="{table.last_event}"' in html
    assert f'<a class="plate-board" href="/play/{table.key}/"><svg' in html
    assert "Being played now" in html


@pytest.mark.django_db
def test_a_board_that_comes_into_view_late_is_sent_whole_without_a_reload(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "MOST", 2)
    people, now = guests(2), timezone.now()
    table = play(seated(people, now, "army-ants"), people, now, most=6)
    assert _kinds(client, f"/live/tables/{table.key}?after=0") == ["missed"]
    assert _kinds(client, f"/live/tables/{table.key}?after=0&whole") == ["position", "act", "act"]


def _kinds(client: Client, path: str) -> list[str]:
    """Return of what kind the events of a stream are."""
    lines = client.get(path).content.decode().splitlines()
    bodies = [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]
    return [body["kind"] for body in bodies if isinstance(body, dict) and "kind" in body]


@pytest.mark.django_db
def test_unlisted_live_game_is_not_shown(client: Client) -> None:
    people, now = guests(2), timezone.now()
    play(seated(people, now, "army-ants", visibility="link"), people, now, most=3)
    assert "Being played now" not in client.get("/").content.decode()


@pytest.mark.django_db
def test_idle_live_game_is_not_shown(client: Client) -> None:
    people, now = guests(2), timezone.now() - timedelta(hours=1)
    play(seated(people, now, "army-ants"), people, now, most=3)
    assert "Being played now" not in client.get("/").content.decode()


def test_only_verified_games_are_listed(upload_records: UploadRecords, read: Read) -> None:
    upload_records(BROKEN, record("NS@0,2 *"))
    assert "No games yet." in read("/")


def test_home_page_uses_as_many_queries_for_ten_games_as_for_one(
    upload_records: UploadRecords, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    queries = 7 + len(RULESETS)
    upload_records(*duels(1))
    with django_assert_num_queries(queries):
        client.get("/")
    upload_records(*duels(10))
    with django_assert_num_queries(queries):
        client.get("/")


def test_showcases_alternate_from_day_to_day(now: datetime) -> None:
    days = [shelf.showcase_of((now + timedelta(days=day)).date()) for day in range(len(SHOWCASES))]
    assert set(days) == set(SHOWCASES)
