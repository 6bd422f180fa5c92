"""Each filter of games finds, on the page, in the API and in exports, just what a look at every record finds."""

import re
from collections.abc import Callable
from datetime import datetime
from html import unescape
from importlib import import_module
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from engine.replay import Replay
from engine.story import moments_of
from engine.verify import Verdict, verify_bytes
from games.models import CommentWords, Game, GameEvents, RatingEvent, Upload
from games.platform.paging import Span
from games.platform.patience import patience
from games.records.reads.conditions import EventWanted, with_events
from games.records.reads.games import GameFilter, list_games
from games.records.reads.replays import first_log
from games.records.reads.visibility import NOBODY
from games.search.events import find_events
from games.search.indexing import add_blocks, add_run
from games.search.reads import index, listing, positions
from games.search.reads.due import games_without_events
from games.uploads.origin import UploadOptions
from tests.factories import duels, record
from tests.games.judging import count_all, judge_and_index
from tests.games.search.columns import in_columns
from tests.games.uploading import upload_file
from tests.plans import plans
from tests.strategies import FIXTURES

pytestmark = pytest.mark.django_db

FILES = (
    "army_ants/games/two-hunters.agn", "ant_trails/games/loops.agn", "ant_trails/games/agreed-draw.agn",
    "army_ants/games/resigned.agn", "army_ants/games/out-of-time.agn", "atta_ants/games/thieves-of-three.agn",
    "atta_ants/games/leavers-of-four.agn", "atta_ants/games/written-by-hand.agn",
)  # fmt: skip
Found = Callable[[Verdict, Replay[Any, Any]], bool]


@pytest.fixture
def games(now: datetime) -> dict[str, Verdict]:
    """Some games of each kind, by key, each with its verdict."""
    data = b"\n\n".join([*((FIXTURES / name).read_bytes() for name in FILES), *duels(4)])
    upload_file(data, via=Upload.Via.API, now=now)
    judge_and_index(now)
    count_all(now)
    find_events(has_time=lambda: True)
    return {game.key: verify_bytes(first_log(game, NOBODY).text.encode())[0] for game in Game.objects.all()}


def places(verdict: Verdict) -> tuple[int, ...]:
    return tuple(verdict.outcome.placements) if verdict.outcome else ()


def won_alone_by(seat: int) -> Found:
    return lambda verdict, _: places(verdict).count(1) == 1 and places(verdict)[seat] == 1


def ended(how: str) -> Found:
    return lambda verdict, _: verdict.outcome is not None and verdict.outcome.termination == how


def found_by(client: Client, asked: str) -> set[str]:
    """Return the games that a filter finds, the same in all three places."""
    listed = {game["key"] for game in client.get(f"/api/v1/games?{asked}").json()["games"]}
    page, export = client.get(f"/games/?{asked}"), client.get(f"/api/v1/games/export?{asked}&format=ndjson")
    assert {row.key for row in page.context["page"].rows} == listed
    assert export.headers["Atta-Games"] == str(len(listed))
    return listed


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ("winner=1", won_alone_by(0)),
        ("winner=2", won_alone_by(1)),
        ("winner=draw", lambda verdict, _: places(verdict).count(1) > 1),
        ("termination=resigned", ended("resigned")),
        ("termination=agreed", ended("agreed")),
        ("termination=timed_out", ended("timed_out")),
        ("termination=played", ended("played")),
    ],
)  # fmt: skip
def test_a_filter_finds_what_a_look_at_every_record_finds(
    games: dict[str, Verdict], client: Client, asked: str, due: Found
) -> None:
    scanned = {key for key, verdict in games.items() if verdict.replay and due(verdict, verdict.replay)}

    assert found_by(client, asked) == scanned
    assert len(scanned) < len(games)


def happened(kind: str, *, size: int = 0, times: int = 1, last: bool = False) -> Found:
    """Look at all positions of a game for events of a kind."""

    def in_game(_: Verdict, replay: Replay[Any, Any]) -> bool:
        events = list(moments_of(replay.ruleset, replay.states, replay.actions, (0, *replay.numbers)))
        some = [moment for moment in events if moment.event.kind == kind]
        big = [moment for moment in some if moment.event.amount >= size]
        return len(some) >= times and any(not last or moment.number == replay.numbers[-1] for moment in big)

    return in_game


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ("event=stolen", happened("stolen")),
        ("event=eaten&event_size=2", happened("eaten", size=2)),
        ("event=eaten&event_last=true", happened("eaten", last=True)),
        ("event=loop&event_size=6", happened("loop", size=6)),
        ("event=loop&event_size=99", happened("loop", size=99)),
        ("event=taken&event_times=5", happened("taken", times=5)),
        ("event=queen&event_last=true", happened("queen", last=True)),
    ],
)
def test_games_are_found_by_their_events(games: dict[str, Verdict], client: Client, asked: str, due: Found) -> None:
    scanned = {key for key, verdict in games.items() if verdict.replay and due(verdict, verdict.replay)}

    assert found_by(client, asked) == scanned
    assert bool(scanned) is ("99" not in asked)


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ("event=stolen&event2=eaten", [happened("stolen"), happened("eaten")]),
        (
            "event=eaten&event_size=2&event2=leaf&event2_last=true",
            [happened("eaten", size=2), happened("leaf", last=True)],
        ),
        ("event2=tile&event3=loop&event3_size=6", [happened("tile"), happened("loop", size=6)]),
        (
            "event=taken&event_times=3&event2=queen&event3=taken&event3_last=true",
            [happened("taken", times=3), happened("queen"), happened("taken", last=True)],
        ),
        (
            "event=eaten&event2=eaten&event2_times=2&event3=eaten&event3_size=2",
            [happened("eaten", times=2), happened("eaten", size=2)],
        ),
        ("event=stolen&event2=loop", [happened("stolen"), happened("loop")]),
    ],
)
def test_games_are_found_by_several_events_together(
    games: dict[str, Verdict], client: Client, asked: str, due: list[Found]
) -> None:
    scanned = {key for key, one in games.items() if one.replay and all(found(one, one.replay) for found in due)}

    assert found_by(client, asked) == scanned
    assert bool(scanned) is ("event2=loop" not in asked)


def test_several_events_are_found_together_in_the_index_alone(games: dict[str, Verdict]) -> None:
    events = (EventWanted("stolen"), EventWanted("eaten", size=2, times=2), EventWanted("leaf", last_round=True))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    (plan,) = plans(lambda: list(GameEvents.objects.filter(with_events(events)).values_list("pk")))

    (condition,) = re.findall(r"Bitmap Index Scan on game_events\b.*?Index Cond: ([^\n]*)", plan.text, re.DOTALL)
    assert condition.count("&&") == 4


def test_events_of_different_games_are_searched_for_in_none(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    both = GameFilter(events=(EventWanted("stolen"), EventWanted("loop")))
    with django_assert_num_queries(0):
        assert list_games(both, Span(), NOBODY).rows == []


def test_exports_of_events_of_different_games_are_empty(client: Client) -> None:
    answer = client.get("/api/v1/games/export?event=stolen&event2=loop")
    assert answer.status_code == 200
    assert b"".join(answer) == b""


def test_new_games_are_found_by_their_events_once_the_worker_has_looked_at_them(now: datetime, client: Client) -> None:
    upload_file((FIXTURES / "ant_trails/games/loops.agn").read_bytes(), via=Upload.Via.API, now=now)
    judge_and_index(now)
    assert (found_by(client, "event=loop"), games_without_events().count()) == (set(), 2)

    assert find_events(has_time=lambda: True) == 2

    assert found_by(client, "event=loop") == {game.key for game in Game.objects.all()}
    assert not games_without_events().exists()


def commented(comment: str, date: str = "2026.01.02") -> bytes:
    return record().replace(b"\n\n", f'\n[Date "{date}"]\n\n{{{comment}}}\n'.encode(), 1)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("ameise", True),
        ('"kluge Ameise"', True),
        ('"Ameise kluge"', False),
        ("ameise -spinne", False),
        ("käfer", False),
        ("ÄRGER/kluge", True),
        ('"eine, Spinne"', True),
        ("kluge-Ameise", True),
        ("an_der", True),
        ("A\u0308rger", True),
        ("k\u00e4ltet", True),
        ("arger kaltet", True),
        ("\u00e9ine Am\u00e8ise", True),
        ('"klu\u0308ge ameise"', True),
        ("ameise -arger", False),
        ("strasse", True),
        ("l'ours", True),
        ("L\u2019Ours", True),
        ("lours", True),
        ("dont", True),
    ],
)
def test_games_are_found_by_words_in_comments(now: datetime, client: Client, asked: str, found: bool) -> None:
    said = "Eine kluge Ameise, eine Spinne! „Ärger“ an_der_Wand, ka\u0308ltet. Straße; l\u2019ours, don't"
    upload_file(commented(said), via=Upload.Via.API, now=now)
    judge_and_index(now)

    assert bool(found_by(client, urlencode({"comment": asked}))) is found


def test_words_that_were_indexed_before_are_folded_by_the_migration(now: datetime, client: Client) -> None:
    upload_file(commented("Ärger mit dem Käfer, 日本"), via=Upload.Via.API, now=now)
    judge_and_index(now)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_commentwords SET words = to_tsvector('simple', 'ärger mit dem käfer 日本')")
    assert found_by(client, urlencode({"comment": "ärger"})) == set()
    for _ in range(2):
        import_module("games.migrations.0083_folded_comments").fold(None, SimpleNamespace(connection=connection))
    for asked in ("ärger", "ARGER", '"dem kafer"', "mit 日本"):
        assert len(found_by(client, urlencode({"comment": asked}))) == 1


def test_characters_that_are_folded_to_many_leave_room_for_the_index(now: datetime, client: Client) -> None:
    words = " ".join(f"{chr(0x3316)}{chr(0x4E00 + at)}" for at in range(20_000))  # each sign is six, as of a kilometre
    upload_file(commented(words), via=Upload.Via.API, now=now)
    judge_and_index(now)
    assert CommentWords.objects.count() == 1


@pytest.mark.parametrize("sign", ["a_", "a'", "<!--", "a-", "//a.de/", "&#a", "@a"])
def test_no_comment_keeps_the_database_busy(now: datetime, client: Client, sign: str) -> None:
    upload_file(commented(sign * 30_000), via=Upload.Via.API, now=now)
    with patience(20_000):
        judge_and_index(now)

    assert CommentWords.objects.count() == 1
    assert len(found_by(client, "comment=a")) == ("a" in sign)


@pytest.mark.parametrize(
    "asked",
    ["-" * 200, '"' * 200, "(" * 200, '-"' * 100, ' -" ' * 50, "or " * 60, "!" * 200, "\\'&|:*", " - _ -_ ", "-a -a"],
)
def test_any_signs_can_be_searched_for_in_comments(db: None, client: Client, asked: str) -> None:
    assert found_by(client, urlencode({"comment": asked})) == set()


def test_comments_of_a_private_record_are_found_by_its_uploader_alone(
    now: datetime, client: Client, alice: User
) -> None:
    upload_file(record(), via=Upload.Via.API, now=now, filename="a.agn")
    upload_file(commented("geheim"), via=Upload.Via.API, now=now, uploader=alice, options=UploadOptions(private=True))
    judge_and_index(now)

    assert found_by(client, "comment=geheim") == set()
    client.force_login(alice)
    assert len(found_by(client, "comment=geheim")) == 1


def test_a_rebuilt_index_finds_the_same_events_and_comments(now: datetime, client: Client) -> None:
    upload_file(commented("klug") + b"\n" + (FIXTURES / FILES[1]).read_bytes(), via=Upload.Via.API, now=now)
    judge_and_index(now)
    GameEvents.objects.all().delete()
    CommentWords.objects.all().delete()

    call_command("index_positions")
    find_events(has_time=lambda: True)

    assert [len(found_by(client, asked)) for asked in ("event=loop", "comment=klug")] == [2, 1]


@pytest.mark.parametrize("asked", ["event_size=2", "event_times=2", "event_last=true", "event=eaten&event2_size=2"])
def test_what_is_asked_of_an_event_needs_an_event(db: None, client: Client, asked: str) -> None:
    refused, page = client.get(f"/api/v1/games?{asked}"), client.get(f"/games/?{asked}")

    assert refused.status_code == page.status_code == 400
    assert "Choose the event that this is about." in page.content.decode()
    assert "Choose the event that this is about." in str(refused.json())


@pytest.mark.parametrize("asked", ["rated_from=0.5", "rated_to=0.5", "rated_from=-1&rated_to=4", "rated_from=99"])
def test_ratings_are_those_of_every_player_before_the_game(
    games: dict[str, Verdict], client: Client, asked: str
) -> None:
    limits = dict(part.split("=") for part in asked.split("&"))
    low, high = float(limits.get("rated_from", "-inf")), float(limits.get("rated_to", "inf"))
    before: dict[str, list[float]] = {}
    for event in RatingEvent.objects.select_related("game"):
        before.setdefault(event.game.key, []).append(event.value_before)

    due = {key for key, ratings in before.items() if all(low <= rating <= high for rating in ratings)}
    assert found_by(client, asked) == due
    assert len(before) > 4


TOO_SLOW = "Finding these games takes too long. Narrow the filter, or download the dumps."


def too_slow(client: Client, asked: str) -> None:
    page, answer = client.get(f"/games/?{asked}"), client.get(f"/api/v1/games?{asked}")
    assert (page.status_code, answer.status_code, answer.json()["error"]["code"]) == (422, 422, "too_wide")
    assert TOO_SLOW in page.content.decode()
    assert answer.json()["error"]["message"] == TOO_SLOW


@pytest.mark.django_db(transaction=True)
def test_a_filter_for_which_the_database_works_too_long_is_given_up(
    locked: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_PATIENCE", 50)

    too_slow(client, "winner=4")


def test_a_filter_of_a_positions_games_is_given_up_when_it_takes_too_long(
    now: datetime, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_file(record(), via=Upload.Via.API, now=now)
    judge_and_index(now)
    position = f"{Game.objects.get().key}:0"
    number = positions.find_position(position, NOBODY).number
    add_blocks(add_run(2_000), in_columns((number, 10**6 + game) for game in range(2_000)))
    monkeypatch.setattr(index, "_BLOCKS", 1)
    monkeypatch.setattr(index, "_SECONDS", -1.0)

    too_slow(client, f"position={position}&winner=4")
    assert client.get(f"/api/v1/games/export?position={position}").json()["error"]["code"] == "too_wide"


def test_the_limit_for_a_search_ends_with_it(db: None, client: Client) -> None:
    client.get("/games/?winner=4")

    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("0",)


EDGES: dict[str, str | tuple[str, str]] = {
    "place=1": "Name the player who took this place.",
    "place=5&player=Ada": ("less than or equal to 4", "5 is not one of"),
    "shortest=-1": "0",
    "longest=1000001": "1000000",
    "shortest=9&longest=3": "This range ends before it begins.",
    "since=2026-03-02&until=2026-03-01": "This range ends before it begins.",
    "rated_from=1300&rated_to=1200": "This range ends before it begins.",
    "rated_from=nan": "number",
    "rated_to=1e999": "number",
    "since=yesterday": ("wrong format", "valid date"),
    "winner=5": "5",
    "event=quake": "quake",
    "event2=quake": "quake",
    "event=eaten&event3_size=128": "127",
    "event_size=1": "Choose the event that this is about.",
    "event=stolen&event_times=0": "1",
    "event_last=on": "Choose the event that this is about.",
    "position=k7m2x9ab": "names no position",
    "position=k7m2x9ab:-1": "names no position",
    "opening=army-ants": "names no opening",
    "opening=chess:e4": "There are no openings of",
    "player=" + "x" * 65: "64",
    "comment=" + "x" * 201: "200",
    "before=never": "not",
    "club=no/club": "",
}
"""Filters with a value beyond what there is, and what is said about it; two texts where the API says it otherwise."""


@pytest.mark.parametrize("asked", EDGES)
def test_filter_with_an_impossible_value_is_refused_with_the_reason(client: Client, asked: str) -> None:
    page, answer = client.get(f"/games/?{asked}"), client.get(f"/api/v1/games?{asked}")
    error, html = answer.json()["error"], html_of(page)
    assert (page.status_code, answer.status_code) == (400, 400)
    said = EDGES[asked]
    in_api, on_page = said if isinstance(said, tuple) else (said, said)
    assert in_api in error["message"]
    assert error["place"]["parameter"] in {*(part.partition("=")[0] for part in asked.split("&")), "before, after"}
    assert on_page in html
    assert 'class="errorlist' in html or 'role="alert"' in html


def html_of(page: Any) -> str:
    return unescape(page.content.decode())
