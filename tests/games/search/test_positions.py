"""A position in other games: who reached it, how that ended, and what was played; for pages and programs."""

from collections.abc import Callable, Sequence
from datetime import datetime
from html import unescape
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.agn.canonical import format_tags
from games.models import Game, Player, Upload
from games.records.reads.visibility import NOBODY
from games.search.indexing import add_blocks, add_run
from games.search.reads import index, positions
from games.search.reads.positions import find_position, other_games
from games.uploads.origin import UploadOptions
from tests.engine.army_ants.test_likeness import in_mirror
from tests.games.judging import judge_and_index
from tests.games.search.columns import in_columns
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

DEAL = "23.32/45654/78987/A6Q9A/A6Q9A/78987/45654/32.32"
TAGS = {"Game": "Army Ants", "Rules": "standard", "Seats": "R B", "Red": "Ada", "Black": "Bo", "Setup": DEAL}


def add(
    now: datetime,
    tokens: Sequence[str],
    result: str,
    *,
    mirrored: bool = False,
    judge: Callable[[datetime], None] = judge_and_index,
    **how: object,
) -> Game:
    tags = {**TAGS, "Result": result}
    tags, said = in_mirror(tags, tokens) if mirrored else (tags, [*tokens])
    text = f"{format_tags(tags)}\n{' '.join(said)} {result}\n"
    upload = upload_file(text.encode(), via=Upload.Via.API, now=now, **how)  # type: ignore[arg-type] # as it takes them
    judge(now)
    return upload.logs.get().game  # type: ignore[return-value] # judged


@pytest.fixture
def games(now: datetime) -> list[Game]:
    """Three games that begin alike, one of them on a mirrored board, and one that does not."""
    return [
        add(now, ("a1~b1", "a8~b8", "draw"), "1-1"),
        add(now, ("a1~b1", "resign:B"), "1-2", mirrored=True),
        add(now, ("a1~b1", "a8~b8", "resign:R"), "2-1", mirrored=True),
        add(now, ("d1~e1", "resign:B"), "1-2"),
    ]


def test_games_on_a_mirrored_board_are_found_with_what_was_played_seen_from_the_game_asked_about(
    games: list[Game],
) -> None:
    found = other_games(find_position(f"{games[0].key}:1", NOBODY), NOBODY)

    assert [(hit.game.key, hit.ply) for hit in found.newest] == [(games[2].key, 1), (games[1].key, 1)]
    assert (found.count, found.places) == (2, (1.5, 1.5))
    assert sorted(found.endings) == [("1-2", 1), ("2-1", 1)]
    assert [(one.token, one.games, one.places) for one in found.played] == [("a8~b8", 1, (2.0, 1.0))]


def test_a_games_page_says_how_the_games_with_its_position_ended(
    games: list[Game], now: datetime, client: Client
) -> None:
    for tokens in (("a1~b1", "d8~e8", "draw"), ("a1~b1", "d8~e8")):
        add(now, tokens, "1-1" if "draw" in tokens else "*")
    page = client.get(f"/games/{games[0].key}/?ply=1&closer")
    shown = page.context["page"].replay.closer.elsewhere

    assert [(seat.letter, seat.won, seat.place) for seat in shown.ended] == [("R", 1, 1.33), ("B", 1, 1.33)]
    assert "First place was shared in 1 game. 1 game is unfinished." in unescape(page.content.decode())


def test_a_position_that_only_this_game_reached_is_in_no_other(games: list[Game]) -> None:
    found = other_games(find_position(f"{games[3].key}:1", NOBODY), NOBODY)

    assert (found.count, found.newest, found.played, found.places) == (0, (), (), ())


def test_a_private_game_is_found_by_its_owner_alone(games: list[Game], alice: User, now: datetime) -> None:
    private = add(now, ("a1~b1", "a8~b8", "b1~c2", "draw"), "1-1", uploader=alice, options=UploadOptions(private=True))
    position = find_position(f"{games[0].key}:2", NOBODY)

    assert [hit.game.key for hit in other_games(position, alice).newest] == [private.key, games[2].key]
    assert [hit.game.key for hit in other_games(position, NOBODY).newest] == [games[2].key]


def test_private_games_neither_count_nor_take_the_place_of_older_public_ones(
    games: list[Game], alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tokens in (("a8~b8", "b1~c2", "draw"), ("a8~b8", "b1~c2", "c8~d8", "draw")):
        add(now, ("a1~b1", *tokens), "1-1", uploader=alice, options=UploadOptions(private=True))
    monkeypatch.setattr(index, "MOST", 2)
    position = find_position(f"{games[0].key}:1", NOBODY)

    assert (other_games(position, NOBODY).count, other_games(position, NOBODY).more) == (2, False)
    assert (other_games(position, alice).count, other_games(position, alice).more) == (2, True)


def test_a_game_that_the_index_names_wrongly_is_not_shown(games: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = index.Reached((games[3].pk, games[1].pk), more=False)
    monkeypatch.setattr(positions, "games_that_reached", lambda *_: wrong)

    found = other_games(find_position(f"{games[0].key}:1", NOBODY), NOBODY)

    assert [hit.game.key for hit in found.newest] == [games[1].key]
    assert found.count == 1


def test_of_long_games_fewer_are_replayed_and_all_are_counted(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "MOST_ACTIONS", 4)

    found = other_games(find_position(f"{games[0].key}:1", NOBODY), NOBODY)

    assert [hit.game.key for hit in found.newest] == [games[2].key]
    assert (found.count, sorted(found.endings)) == (2, [("1-2", 1), ("2-1", 1)])


def test_what_was_played_in_many_games_is_counted_by_the_positions_before_and_after(
    games: list[Game], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(now, ("a1~b1", "a8~b8", "b1~c2", "draw"), "1-1")
    add(now, ("a1~b1", "d8~e8", "draw"), "1-1", mirrored=True)
    position = find_position(f"{games[0].key}:1", NOBODY)
    replayed = other_games(position, NOBODY)
    monkeypatch.setattr(positions, "LOOKED_AT", 1)

    counted = other_games(position, NOBODY)

    assert [(one.token, one.games, one.places) for one in counted.played] == [
        ("a8~b8", 2, (1.5, 1.0)), ("d8~e8", 1, (1.0, 1.0))
    ]  # fmt: skip
    assert sorted(counted.played) == sorted(replayed.played)
    assert (counted.played_in, len(counted.newest)) == (4, 1)


def test_where_too_many_actions_are_legal_only_the_newest_games_are_looked_at(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "LOOKED_AT", 1)
    monkeypatch.setattr(positions, "MOST_LEGAL", 3)

    found = other_games(find_position(f"{games[0].key}:1", NOBODY), NOBODY)

    assert ([one.token for one in found.played], found.played_in) == (["a8~b8"], 1)


def test_other_games_can_be_those_of_one_player(games: list[Game], client: Client) -> None:
    def count(player: str) -> int:
        asked = urlencode({"ply": 1, "player": player})
        return int(client.get(f"/api/v1/games/{games[0].key}/position/games?{asked}").json()["count"])

    assert (count("Ada"), count("Dora"), count(f"#{Player.objects.get(name='Bo').pk}")) == (2, 0, 2)


def test_lists_and_exports_have_the_games_that_reached_a_position(games: list[Game], client: Client) -> None:
    asked = f"position={games[0].key}:1"

    listed = client.get(f"/api/v1/games?{asked}").json()["games"]
    exported = client.get(f"/api/v1/games/export?{asked}&format=ndjson")
    page = client.get(f"/games/?{asked}").content.decode()

    assert {game["key"] for game in listed} == {game.key for game in games[:3]}
    assert exported.headers["Atta-Games"] == "3"
    assert "Only games that reached" in page
    assert [f"/games/{game.key}/" in page for game in games] == [True, True, True, False]


def test_the_api_says_how_other_games_went_on(games: list[Game], client: Client) -> None:
    found = client.get(f"/api/v1/games/{games[0].key}/position/games?ply=1").json()

    assert (found["count"], found["more"], found["places"]) == (2, False, [1.5, 1.5])
    assert found["played"][0]["token"] == "a8~b8"
    assert found["newest"][0] == {"key": games[2].key, "ply": 1, "result": "2-1"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("nowhere0:1", "names no position"),
        ("{key}", "names no position"),
        ("{key}:x", "names no position"),
        ("{key}:9", "has no ply 9: its last one is 3"),
    ],
)
def test_a_position_that_there_is_not_is_refused_with_the_reason(
    games: list[Game], client: Client, asked: str, said: str
) -> None:
    query = f"position={asked.format(key=games[0].key)}"
    refused, page = client.get(f"/api/v1/games?{query}"), client.get(f"/games/?{query}")

    assert refused.status_code == page.status_code == 400
    assert said in refused.json()["error"]["message"]
    assert refused.json()["error"]["place"] == {"parameter": "position"}
    assert said in page.content.decode()


def test_looking_closer_shows_the_position_in_other_games(games: list[Game], client: Client) -> None:
    page = client.get(f"/games/{games[0].key}/?ply=1&closer").content.decode()
    part = client.get(f"/games/{games[3].key}/?ply=1&part=closer").content.decode()

    assert 'This position in other games <span class="quiet">2</span>' in page
    assert f'href="/games/?position={games[0].key}:1"' in page
    assert f'href="/games/{games[2].key}/?ply=1"' in page
    assert "Those of <bdi>Ada</bdi>" in page
    assert "Next action in all 2 games" in page
    assert "No other game reached this position" in part


def test_a_search_that_was_given_up_is_said_on_the_page_and_in_the_api(
    games: list[Game], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_BLOCKS", 1)
    monkeypatch.setattr(index, "_SECONDS", -1.0)
    number = find_position(f"{games[0].key}:1", NOBODY).number
    add_blocks(add_run(2_000), in_columns((number, 10**6 + game) for game in range(2_000)))

    answer = client.get(f"/api/v1/games/{games[0].key}/position/games?ply=1")
    page = client.get(f"/games/{games[0].key}/?ply=1&closer")

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "too_wide")
    assert page.status_code == 200
    assert "Finding these games takes too long." in page.content.decode()


def test_other_games_show_their_results_only_to_readers_who_want_them(games: list[Game], client: Client) -> None:
    path, result = f"/games/{games[0].key}/?ply=1&closer", '<span class="quiet">2-1</span>'
    assert result in client.get(path).content.decode()
    client.cookies["results"] = "hide"
    assert result not in client.get(path).content.decode()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("player=Ada&opponent=Bo", [0, 1, 2, 3]),
        ("player=Ada&opponent=Dora", []),
        ("player=Ada&opponent=Ada", []),
        ("player=Ada&place=2&opponent=d", []),
        ("player=Ada&place=1", [0, 1, 3]),
        ("player=Ada&place=2", [2]),
        ("shortest=3", [0, 2]),
        ("longest=2&player=Bo&place=2", [1, 3]),
    ],
)
def test_games_are_found_by_opponent_place_and_length(
    games: list[Game], client: Client, asked: str, found: list[int]
) -> None:
    listed = client.get(f"/api/v1/games?{asked}").json()["games"]
    page = client.get(f"/games/?{asked}").content.decode()

    assert {game["key"] for game in listed} == {games[at].key for at in found}
    assert [at for at, game in enumerate(games) if f"/games/{game.key}/" in page] == found


def test_a_place_without_a_player_is_refused(client: Client) -> None:
    refused, page = client.get("/api/v1/games?place=1"), client.get("/games/?place=1")

    assert refused.status_code == page.status_code == 400
    assert "Name the player who took this place." in page.content.decode()
    assert "Name the player who took this place." in str(refused.json())
