"""The explorer of openings: what came next in the games that began alike, and how they ended."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.openings import SEPARATOR, opening_number
from engine.replay.openings import opening_steps
from engine.verify import verify_bytes
from games.models import Game, GameEvents, MoveLog, Player, Upload
from games.records.reads.visibility import NOBODY
from games.search.indexing import add_blocks, add_run
from games.search.reads import index, openings
from games.search.reads.openings import Explored, explore, find_opening
from games.uploads.origin import UploadOptions
from tests.games.judging import judge_and_index
from tests.games.search.columns import in_columns
from tests.games.search.test_positions import add
from tests.games.uploading import upload_file
from tests.strategies import FIXTURES, AnyRuleset

pytestmark = pytest.mark.django_db

SLUGS = {"army_ants": "army-ants", "ant_trails": "ant-trails-2020", "atta_ants": "atta-ants-online"}
FRONTS = "front-1-queen,front-1-queen"


def explored(opening: str, slug: str = "army-ants", player: str = "") -> Explored:
    return explore(find_opening(slug, opening), NOBODY, player=player)


def steps(found: Explored) -> dict[str, int]:
    return {one.step.name: one.games for one in found.continuations}


@pytest.fixture
def games(now: datetime) -> list[Game]:
    """Four games of one deal: three begin with a swap, one with a march."""
    return [
        add(now, ("a1~b1", "a8~b8", "draw"), "1-1"),
        add(now, ("a1~b1", "resign:B"), "1-2", mirrored=True),
        add(now, ("d1~e1", "a8~b8", "resign:R"), "2-1"),
        add(now, ("d1W1", "resign:B"), "1-2"),
    ]


def scanned(slug: str) -> Counter[str]:
    """Return how many games began with each opening, from all records."""
    found = Counter[str]()
    for log in MoveLog.objects.filter(game__ruleset=slug).exclude(record_digest=""):
        (verdict,) = verify_bytes(log.text.encode())
        assert verdict.replay
        names = [name for name, _ in opening_steps(verdict.replay)]
        found.update(SEPARATOR.join(names[:end]) for end in range(len(names) + 1))
    return found


@pytest.mark.full
def test_every_opening_counts_just_the_games_that_a_look_at_every_record_finds(now: datetime) -> None:
    files = [path for game in SLUGS for path in sorted(FIXTURES.glob(f"{game}/games/*.agn"))[:3]]
    upload_file(b"\n\n".join(path.read_bytes() for path in files), via=Upload.Via.API, now=now)
    judge_and_index(now)

    for slug in SLUGS.values():
        due = scanned(slug)
        assert len(due) > 3
        for opening, games in due.items():
            found = explored(opening, slug)
            assert (found.count, found.more) == (games, False)
            assert {one.step.opening: one.games for one in found.continuations}.items() <= due.items()
            assert found.ended + sum(one.games for one in found.continuations) == games


def test_games_that_began_alike_are_counted_with_their_ends(games: list[Game]) -> None:
    found = explored(FRONTS)

    assert (found.count, found.wins, found.places) == (4, (2, 1), (1.25, 1.5))
    assert steps(found) == {"march": 1, "swap": 3}
    assert [(one.wins, one.places) for one in found.continuations] == [((1, 1), (1.33, 1.33)), ((1, 0), (1.0, 2.0))]
    assert [one.example and one.example[:2] for one in found.continuations] == [(games[2].key, 1), (games[3].key, 1)]


def test_games_whose_opening_has_no_further_step_are_counted_apart(games: list[Game]) -> None:
    found = explored(f"{FRONTS},swap")

    assert (found.count, found.ended, steps(found)) == (3, 1, {"swap": 2})


def test_openings_can_be_those_of_one_player(games: list[Game]) -> None:
    assert explored(FRONTS, player="Ada").count == 4
    assert explored("", player=f"#{Player.objects.get(name='Bo').pk}").count == 4
    assert explored(FRONTS, player="Dora").count == explored("", player="Dora").count == 0


def test_a_private_game_counts_for_its_owner_alone(games: list[Game], alice: User, now: datetime) -> None:
    add(now, ("d1~e1", "d8~e8", "draw"), "1-1", uploader=alice, options=UploadOptions(private=True))
    opening = find_opening("army-ants", f"{FRONTS},swap,swap")

    assert (explore(opening, alice).count, explore(opening, NOBODY).count) == (3, 2)


def test_the_newest_game_of_a_step_is_one_that_the_viewer_may_see(
    games: list[Game], alice: User, now: datetime
) -> None:
    private = add(now, ("d1~e1", "d8~e8", "draw"), "1-1", uploader=alice, options=UploadOptions(private=True))
    opening = find_opening("army-ants", FRONTS)

    newest = {one.step.name: one.example for one in explore(opening, NOBODY).continuations}
    assert (example := newest["swap"])
    assert example[:2] == (games[2].key, 1)
    assert (private.key, 1) in [one.example[:2] for one in explore(opening, alice).continuations if one.example]


def test_only_the_newest_games_count_and_it_is_said(games: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (index, openings):
        monkeypatch.setattr(module, "MOST", 2)

    for opening in ("", FRONTS):
        assert (explored(opening).count, explored(opening).more) == (2, True)


def test_steps_that_another_version_stored_count_among_the_others(games: list[Game], client: Client) -> None:
    before = explored(FRONTS)
    GameEvents.objects.filter(game=games[0]).update(opening=f"{FRONTS},bygone")

    found, answer = explored(FRONTS), client.get(f"/api/v1/openings/army-ants?opening={FRONTS}")

    assert (found.count, before.others, found.others) == (before.count, 0, 1)
    assert (answer.status_code, answer.json()["others"]) == (200, 1)
    assert "bygone" not in client.get(f"/openings/army-ants/?opening={FRONTS}").content.decode()


def test_only_the_steps_that_are_listed_are_put_into_words(games: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    step, put = openings._step, list[str]()

    def noted(ruleset: AnyRuleset, names: Sequence[str]) -> openings.Step:
        put.append(names[-1])
        return step(ruleset, names)

    opening = find_opening("army-ants", FRONTS)
    everything = explore(opening, NOBODY)
    monkeypatch.setattr(openings, "LISTED", 1)
    monkeypatch.setattr(openings, "_step", noted)
    found = explore(opening, NOBODY)

    assert len(everything.continuations) > 1
    assert put == [one.step.name for one in found.continuations] == [everything.continuations[0].step.name]


def test_a_game_that_the_index_names_wrongly_does_not_count(games: list[Game]) -> None:
    GameEvents.objects.filter(game=games[0]).update(opening=f"{FRONTS},march")

    assert (explored(f"{FRONTS},swap").count, explored(f"{FRONTS},swap,swap").count) == (2, 1)


def test_continuations_beyond_those_listed_are_summed_up(games: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "LISTED", 1)

    assert (steps(explored(FRONTS)), explored(FRONTS).others) == ({"swap": 3}, 1)


def test_the_api_says_what_came_next(games: list[Game], client: Client) -> None:
    found = client.get(f"/api/v1/openings/army-ants?opening={FRONTS}").json()

    assert [step["sentence"] for step in found["steps"]][1] == "Black’s front row: 1 card from 7 to 9 and the queen"
    assert (found["count"], found["more"], found["others"], found["ended"]) == (4, False, 0, 0)
    assert found["continuations"][0] == {
        "step": {"name": "swap", "sentence": "Red swaps two cards", "opening": f"{FRONTS},swap"},
        "games": 3, "finished": 3, "wins": [1, 1], "places": [1.33, 1.33], "example": {"key": games[2].key, "ply": 1},
    }  # fmt: skip


def test_the_page_leads_on_to_the_list_and_to_an_example(games: list[Game], client: Client) -> None:
    page = client.get(f"/openings/army-ants/?opening={FRONTS}&player=Ada").content.decode()
    query = urlencode({"opening": f"{FRONTS},swap", "player": "Ada"}).replace("&", "&amp;")
    listed = urlencode({"opening": f"army-ants:{FRONTS},swap", "player": "Ada"}).replace("&", "&amp;")

    assert f'<a href="/openings/army-ants/?{query}"><svg' in page, "a small board"
    assert "<span>Red swaps two cards</span></a>" in page
    assert f'<a href="/games/?{listed}">3</a>' in page
    assert f'<a href="/games/{games[2].key}/?ply=1">Newest game</a>' in page


def test_lists_and_exports_have_the_games_that_began_with_an_opening(games: list[Game], client: Client) -> None:
    asked = urlencode({"opening": f"army-ants:{FRONTS},swap"})

    listed = client.get(f"/api/v1/games?{asked}").json()["games"]
    exported = client.get(f"/api/v1/games/export?{asked}&format=ndjson")
    page = client.get(f"/games/?{asked}").content.decode()

    assert {game["key"] for game in listed} == {game.key for game in games[:3]}
    assert exported.headers["Atta-Games"] == "3"
    assert "Only games that began with an opening" in page
    assert [f"/games/{game.key}/" in page for game in games] == [True, True, True, False]


def test_an_opening_and_a_position_can_be_asked_for_together(games: list[Game], client: Client) -> None:
    asked = urlencode({"opening": f"army-ants:{FRONTS},swap,swap", "position": f"{games[0].key}:1"})

    assert [game["key"] for game in client.get(f"/api/v1/games?{asked}").json()["games"]] == [games[0].key]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("army-ants:front-7", "Step 1 of this opening, 'front-7', cannot come there."),
        ("chess:e4", "There are no openings of 'chess'."),
        ("army-ants", "'army-ants' names no opening"),
    ],
)
def test_an_opening_that_there_cannot_be_is_refused_with_the_reason(client: Client, asked: str, said: str) -> None:
    refused, page = client.get("/api/v1/games", {"opening": asked}), client.get("/games/", {"opening": asked})

    assert refused.status_code == page.status_code == 400
    assert said in refused.json()["error"]["message"]
    assert refused.json()["error"]["place"] == {"parameter": "opening"}


def test_the_explorer_refuses_such_an_opening_too(client: Client) -> None:
    refused = client.get("/api/v1/openings/army-ants?opening=front-1,front-2,fly")
    page = client.get("/openings/army-ants/?opening=front-1,front-2,fly")

    assert refused.status_code == page.status_code == 400
    assert "Step 3 of this opening" in refused.json()["error"]["message"]
    assert "Step 3 of this opening" in page.content.decode()
    assert client.get("/openings/chess/").status_code == client.get("/api/v1/openings/chess").status_code == 404


def test_a_search_for_an_opening_that_is_given_up_counts_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_blocks(add_run(2_000), in_columns((opening_number("army-ants", FRONTS), game) for game in range(1, 2_001)))
    monkeypatch.setattr(index, "_BLOCKS", 1)
    monkeypatch.setattr(index, "_SECONDS", -1.0)

    for path in ("/openings/army-ants/", "/api/v1/openings/army-ants", "/games/"):
        opening = FRONTS if "openings" in path else f"army-ants:{FRONTS}"
        answer = client.get(path, {"opening": opening})
        assert answer.status_code == 422
        assert "Finding these games takes too long." in answer.content.decode()


@pytest.mark.parametrize("path", ["/openings/army-ants/", "/games/"])
def test_an_opening_that_is_too_long_is_refused_with_the_reason(client: Client, path: str) -> None:
    answer = client.get(path, {"opening": "x" * 301})
    page = answer.content.decode()

    assert answer.status_code == 400
    assert "Opening: Ensure this value has at most 300 characters (it has 301)." in page
    assert 'name="opening"' not in page
    assert "No games began like this." not in page


def test_results_are_shown_on_request_where_a_reader_hides_them(games: list[Game], client: Client) -> None:
    path = f"/openings/army-ants/?opening={FRONTS}"
    assert "openings-figures" in client.get(path).content.decode()
    client.cookies["results"] = "hide"
    hidden = client.get(path).content.decode()
    assert "openings-figures" not in hidden
    assert 'href="?opening=front-1-queen%2Cfront-1-queen&amp;result=1"' in hidden
    assert "openings-figures" in client.get(f"{path}&result").content.decode()


def test_every_game_with_openings_is_offered(client: Client) -> None:
    page = client.get("/openings/").content.decode()

    assert [f'href="/openings/{slug}/"' in page for slug in ("army-ants", "ant-trails-2020", "atta-ants-2003")] == [
        True
    ] * 3
