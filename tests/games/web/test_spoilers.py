"""Results that are hidden until a reader asks for them."""

import re
from html import unescape

import pytest
from django.test import Client

from games.models import Game, Player
from tests.factories import duels, record
from tests.games.web.conftest import UploadRecords

SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"
WON = "Ada won: Yellow resigned"


@pytest.fixture
def game(upload_records: UploadRecords) -> Game:
    """A verified game of six actions, which Ada won."""
    (game,) = upload_records(record(SHORT))
    return game


def body(client: Client, path: str) -> str:
    """Return what a reader sees of a page, without what its head says to other sites."""
    return client.get(path).content.decode().partition("<body")[2]


def test_a_game_shows_its_result_unless_the_reader_has_hidden_it(game: Game, client: Client) -> None:
    path = f"/games/{game.key}/"
    assert WON in body(client, path)
    answer = client.post("/results/", {"results": "hide", "next": path})
    assert (answer.status_code, answer["Location"]) == (303, path)
    hidden = body(client, path)
    assert WON not in hidden
    assert "1st" not in hidden
    assert 'data-ply="0"' in hidden
    assert "data-timeline" not in hidden
    assert "Show the result" in hidden
    folded = hidden.partition("Show the moves: the last ones give the result away</summary>")[2].partition(
        "</details>"
    )[0]
    assert hidden.count("resign:Y") == folded.count("resign:Y") == 1


def test_the_result_of_one_game_is_shown_on_request(game: Game, client: Client) -> None:
    client.cookies["results"] = "hide"
    shown = body(client, f"/games/{game.key}/?ply=2&result")
    assert WON in shown
    assert "data-timeline" in shown
    assert WON not in body(client, f"/games/{game.key}/?ply=2")


def test_a_result_that_was_asked_for_stays_at_the_next_step(game: Game, client: Client) -> None:
    client.cookies["results"] = "hide"
    shown = body(client, f"/games/{game.key}/?ply=2&result")
    steps = re.findall(r'href="(\?ply=[^"#]*)', shown)
    assert {"?ply=0&amp;result", "?ply=1&amp;result", "?ply=6&amp;result"} <= set(steps)
    assert [step for step in steps if "&amp;result" not in step] == []
    assert WON in body(client, f"/games/{game.key}/{unescape(steps[0])}")
    assert "&amp;result" not in body(client, f"/games/{game.key}/?ply=2").replace("?ply=2&amp;result", "")


def test_results_are_shown_again(game: Game, client: Client) -> None:
    client.cookies["results"] = "hide"
    assert "Show results of games again" in body(client, f"/games/{game.key}/")
    client.post("/results/", {"results": "show"})
    assert WON in body(client, f"/games/{game.key}/")
    client.post("/results/", {"results": "perhaps"})
    assert client.cookies["results"].value == "show"


def test_lists_show_no_places_while_results_are_hidden(game: Game, client: Client) -> None:
    assert "sitting-place" in body(client, "/games/")
    client.cookies["results"] = "hide"
    assert "sitting-place" not in body(client, "/games/")
    assert 'class="thumb"' not in body(client, "/games/")
    assert "Ada" in body(client, "/games/")


def test_a_printed_game_shows_its_result_on_request(game: Game, client: Client) -> None:
    path = f"/games/{game.key}/print/"
    assert "1st" in body(client, path)
    client.cookies["results"] = "hide"
    hidden = body(client, f"{path}?diagrams=10")
    assert "Ada won." not in hidden
    assert "1st" not in hidden
    assert 'href="?diagrams=10&amp;result"' in hidden
    assert "resign:Y" not in hidden
    assert "Ada won." in body(client, f"{path}?diagrams=10&result")


def test_form_and_career_are_hidden_until_they_are_asked_for(upload_records: UploadRecords, client: Client) -> None:
    upload_records(record(SHORT))
    player = Player.objects.get(name="Ada")
    path, career = f"/players/{player.pk}/", f"/players/{player.pk}/ladders/atta-ants-online/"
    assert "form-won" in body(client, path)
    assert "form-won" in body(client, "/players/")
    client.cookies["results"] = "hide"
    assert "form-won" not in body(client, "/players/")
    assert "form-won" not in body(client, path)
    assert "form-won" in body(client, f"{path}?result")
    assert "All rated games" not in body(client, career)
    assert "All rated games" in body(client, f"{career}?result")


def test_a_hidden_career_shows_all_that_its_address_asks_for_on_request(
    upload_records: UploadRecords, client: Client
) -> None:
    upload_records(*duels(2))
    career = f"/players/{Player.objects.get(name='Ada').pk}/ladders/atta-ants-online/"
    client.cookies["results"] = "hide"
    assert 'href="?by=played&amp;result=1"' in body(client, f"{career}?by=played")
    shown = body(client, f"{career}?result=1")
    assert f'href="{career}?by=played&amp;result"' in shown
    assert f'href="{career}?result"' in shown
