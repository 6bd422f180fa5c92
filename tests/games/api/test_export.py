"""All games of a question, taken along: whole, in parts, read again."""

import gzip
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from http.client import HTTPConnection
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from engine.registry import RULESETS
from engine.verify import verify_bytes
from games.leagues import organising
from games.models import Game, Upload
from games.records.reads import export, export_parts
from games.records.reads.games import GameFilter
from games.records.reads.visibility import NOBODY
from games.run import rate_waiting
from games.uploads.origin import SCORED, UploadOptions
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploading import take_in
from tests.strategies import recorded

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/games/export"


@pytest.fixture
def client(call: Callable[..., APIClient]) -> APIClient:
    return call()


def stored(*records: bytes, now: datetime, uploader: User | None = None, options: UploadOptions = SCORED) -> list[Game]:
    upload = take_in(b"\n".join(records), via=Upload.Via.API, now=now, uploader=uploader, options=options)
    judge_all(now)
    return [log.game for log in upload.logs.order_by("number") if log.game]


def asked(client: APIClient, address: str = ADDRESS, *, accept: str = "*/*", coding: str = "", **query: Any) -> Any:
    return client.get(address, query, headers={"accept": accept, "accept-encoding": coding})


def got(client: APIClient, **query: Any) -> bytes:
    answer = asked(client, **query)
    assert answer.status_code == 200, answer.content
    return bytes(answer.content)


def told(client: APIClient, **query: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in got(client, form="annotated", **query).splitlines()]


def digests(data: bytes) -> list[tuple[str | None, str | None]]:
    return [(verdict.digest, verdict.record_digest) for verdict in verify_bytes(data)]


@pytest.mark.parametrize("form", ["agn", "ndjson"])
def test_every_game_read_again_is_the_same_record(client: APIClient, now: datetime, form: str) -> None:
    replays = list(chain.from_iterable(map(recorded, RULESETS)))
    records = [replay.text().replace("\n", "\r\n").encode() for replay in replays]
    stored(*records, now=now)

    again = digests(got(client, form=form))

    assert set(again) == set(chain.from_iterable(map(digests, records)))
    assert len(again) == Game.objects.count()


def test_an_export_can_be_uploaded_again_and_brings_no_new_game(client: APIClient, now: datetime) -> None:
    games = stored(*duels(3), now=now)

    assert stored(got(client), now=now) == games
    assert stored(got(client, form="ndjson"), now=now) == games


def test_games_come_in_the_order_in_which_they_were_received(client: APIClient, now: datetime) -> None:
    games = [stored(duel, now=now - timedelta(days=day))[0] for day, duel in enumerate(duels(3))]

    assert [line.get("key") for line in told(client)] == [game.key for game in reversed(games)] + [None]


def test_what_was_rejected_is_left_out_and_cannot_be_asked_for(client: APIClient, now: datetime) -> None:
    (game, _) = stored(record(), BROKEN, now=now)

    assert digests(got(client)) == [(game.digest, game.logs.get().record_digest)]
    refused = client.get(ADDRESS, {"verdict": "rejected"})
    assert refused.status_code == 400
    assert refused.json()["error"]["message"] == "Rejected records are not exported."


def test_a_private_game_is_for_those_who_may_see_it(call: Callable[..., APIClient], alice: User, now: datetime) -> None:
    stored(record(), now=now, uploader=alice, options=UploadOptions(private=True))

    assert got(call()) == b""
    assert b'[Red "Ada"]' in got(call(alice))


def test_a_game_that_is_hidden_meanwhile_is_left_out(now: datetime) -> None:
    (first, second) = stored(*duels(2), now=now)
    part = export.find_part(GameFilter(), NOBODY)
    Game.objects.filter(pk=first.pk).update(private=True)

    assert [log.game_id for log in export.records_of(part.games, NOBODY)] == [second.pk]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"player": "bruno"}, {"Bruno"}),
        ({"since": "2026-03-01", "until": "2026-03-31"}, {"Cleo"}),
        ({"verdict": "unfinished"}, {"Cleo"}),
        ({"edition": "2003"}, {"Dora"}),
        ({"league": "nest"}, {"Emil"}),
        ({"league": "nowhere"}, set()),
    ],
)
def test_a_question_has_the_games_that_the_list_has(
    client: APIClient, alice: User, now: datetime, query: dict[str, str], names: set[str]
) -> None:
    nest = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    stored(
        record(names=("Ada", "Bruno"), Date="2026.02.01"),
        record("NS@0,2 *", names=("Ada", "Cleo"), Date="2026.03.05"),
        record(names=("Ada", "Dora"), rules="2003"),
        now=now,
    )
    stored(
        record("NS@0,2 R1:N resign:R 2-1", names=("Ada", "Emil")),
        now=now,
        uploader=alice,
        options=UploadOptions(league=nest),
    )
    rate_waiting(now=now)

    text = got(client, **query).decode()
    listed = client.get("/api/v1/games", query).json()["games"]

    assert {name for name in ("Bruno", "Cleo", "Dora", "Emil") if f'"{name}"' in text} == names
    assert {game["seats"][1]["name"] for game in listed} == names


@pytest.mark.parametrize("form", ["agn", "ndjson"])
def test_parts_lead_on_until_every_game_has_come_once(client: APIClient, now: datetime, form: str) -> None:
    stored(*duels(5), now=now)
    address, found = f"{ADDRESS}?form={form}&most=2", list[str | None]()
    while address:
        answer = asked(client, address)
        found += [digest for digest, _ in digests(answer.content)]
        address = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")

    assert found == list(Game.objects.order_by("pk").values_list("digest", flat=True))


def test_a_part_ends_with_the_record_that_makes_it_long(
    client: APIClient, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(*duels(3), now=now)
    monkeypatch.setattr(export, "MOST_BYTES", 300)  # a duel has some 200

    assert [len(digests(got(client))), len(digests(got(client, most=1)))] == [2, 1]


def test_a_mark_that_is_none_is_refused(client: APIClient) -> None:
    assert client.get(ADDRESS, {"after": "yesterday"}).json()["error"]["code"] == "bad_mark"


def test_a_whole_part_says_so_at_its_end(client: APIClient, now: datetime) -> None:
    stored(*duels(2), now=now)

    assert got(client).endswith(b"\n2-1\n{}\n")
    assert got(client, form="ndjson").endswith(b"}\n\n")
    *_, last = told(client, most=1)
    assert last["end"]["games"] == 1
    assert f"{ADDRESS}?form=annotated&most=1&after=" in last["end"]["next"]
    assert told(client, player="nobody") == [{"end": {"games": 0, "next": None}}]


def test_one_that_takes_too_long_is_given_up(client: APIClient, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(record(), now=now)
    monkeypatch.setattr(export_parts, "SECONDS", -1.0)

    assert asked(client).json()["error"]["code"] == "too_wide"
    monkeypatch.undo()
    assert got(client)


def test_a_line_with_annotations_tells_what_the_site_knows(client: APIClient, now: datetime) -> None:
    (game,) = stored(record("NS@0,2 {bold} resign:R 2-1", Date="2026.02.01"), now=now)

    line, _ = told(client)

    assert (line["key"], line["verdict"], line["digest"]) == (game.key, "verified", game.digest)
    assert (line["received_at"], line["played_on"]) == ("2026-03-14T15:09:26.000000Z", "2026-02-01")
    assert [(seat["letter"], seat["place"]) for seat in line["seats"]] == [("R", 2), ("Y", 1)]
    assert line["record"] == client.get(f"/api/v1/games/{game.key}/record").json()


def test_it_comes_in_gzip_where_that_is_understood(client: APIClient, now: datetime) -> None:
    stored(record(), now=now)

    packed = asked(client, coding="br, gzip;q=0.5")

    assert (packed["Content-Encoding"], packed["Vary"].split(",")[0]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(packed.content) == got(client)


def test_gzip_is_not_sent_where_it_is_refused(client: APIClient, now: datetime) -> None:
    stored(record(), now=now)

    plain = asked(client, coding="gzip;q=0")

    assert "Content-Encoding" not in plain
    assert plain.content.endswith(b"{}\n")


def test_a_compressed_file_can_be_asked_for(client: APIClient, now: datetime) -> None:
    stored(record(), now=now)

    answer = asked(client, form="ndjson", compress="gzip", coding="gzip")

    assert (answer["Content-Type"], answer.headers.get("Content-Encoding")) == ("application/gzip", None)
    assert answer["Content-Disposition"].endswith('.ndjson.gz"')
    assert len(digests(gzip.decompress(answer.content))) == 1


@pytest.mark.parametrize("accept", ["application/x-ndjson", "text/plain", "image/png"])
def test_it_comes_whatever_is_said_to_be_accepted(client: APIClient, accept: str) -> None:
    answer = asked(client, accept=accept)

    assert (answer.status_code, answer.content) == (200, b"")


def test_one_is_written_at_a_time(client: APIClient, now: datetime) -> None:
    stored(record(), now=now)
    with export_parts.place():
        refused = client.get(ADDRESS)

    assert (refused.status_code, refused["Retry-After"]) == (503, "5")
    assert refused.json()["error"]["message"] == "Another export is in progress. Try again in a few seconds."
    assert got(client)


def test_it_asks_the_database_as_often_for_ten_games_as_for_one(
    client: APIClient, now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    stored(*duels(1), now=now)
    with django_assert_num_queries(8) as first:
        got(client)
    stored(*duels(11), now=now)
    with django_assert_num_queries(len(first)):
        got(client)


@pytest.fixture
def locked(transactional_db: None) -> Iterator[None]:
    """Somebody holds the games, so that nobody reads them."""
    with psycopg.connect(**_address()) as other, other.cursor() as cursor:
        cursor.execute("LOCK TABLE games_game IN ACCESS EXCLUSIVE MODE")
        yield


def _address() -> dict[str, Any]:
    settings = connection.settings_dict
    keys = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "NAME"}
    return {name: settings[key] for name, key in keys.items() if settings[key]}


def test_what_is_not_found_soon_is_refused(locked: None, client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_PATIENCE", 50)

    refused = client.get(ADDRESS)

    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "too_wide")


def wordy(duel: bytes) -> bytes:
    """Nearly as long as a record may be."""
    return duel.replace(b" resign", b" {%s} resign" % (b"x" * 250_000))


@pytest.mark.django_db(transaction=True)
def test_readers_who_stop_reading_keep_nobody_waiting(live: str, now: datetime) -> None:
    stored(*map(wordy, duels(30)), now=now)
    host = urlsplit(live)
    with ExitStack() as opened:
        for _ in range(6):
            idle = opened.enter_context(socket.socket())
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            idle.connect((host.hostname, host.port))
            idle.sendall(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % ADDRESS.encode())
            assert idle.recv(10) == b"HTTP/1.1 2"

        last = opened.enter_context(closing(HTTPConnection(host.netloc, timeout=20)))
        last.request("GET", ADDRESS)
        assert last.getresponse().read().endswith(b"{}\n")


def test_an_export_states_its_licence(client: APIClient, now: datetime) -> None:
    assert client.get("/api/v1/games/export").headers["Atta-Licence"] == "CC0-1.0"
