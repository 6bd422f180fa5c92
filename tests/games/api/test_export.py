"""Exporting all games of a query: completely, in parts, and read again."""

import gzip
import json
import socket
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from http.client import HTTPConnection
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from engine.registry import RULESETS
from engine.verify import verify_bytes
from games.clubs import organising
from games.lagging import directly
from games.models import Game
from games.platform import long_answers
from games.platform.long_answers import LongAnswer
from games.records.reads import export, exporting
from games.records.reads.games import GameFilter
from games.records.reads.visibility import NOBODY
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.factories import BROKEN, duels, record
from tests.games.storing import judged
from tests.strategies import recorded

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/games/export"


@pytest.fixture
def client(call: Callable[..., APIClient]) -> APIClient:
    return call()


def response_to(
    client: APIClient, address: str = ADDRESS, *, accept: str = "*/*", coding: str = "", **query: Any
) -> Any:
    return client.get(address, query, headers={"accept": accept, "accept-encoding": coding})


def got(client: APIClient, **query: Any) -> bytes:
    answer = response_to(client, **query)
    assert answer.status_code == 200, answer.content
    return bytes(answer.getvalue())


def annotated_lines(client: APIClient, **query: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in got(client, format="annotated", **query).splitlines()]


def digests(data: bytes) -> list[tuple[str | None, str | None]]:
    return [(verdict.digest, verdict.record_digest) for verdict in verify_bytes(data)]


@pytest.mark.parametrize("form", ["agn", "ndjson"])
def test_every_game_read_again_is_the_same_record(client: APIClient, now: datetime, form: str) -> None:
    replays = list(chain.from_iterable(map(recorded, RULESETS)))
    records = [replay.text().replace("\n", "\r\n").encode() for replay in replays]
    judged(*records, now=now)

    again = digests(got(client, form=form))

    assert set(again) == set(chain.from_iterable(map(digests, records)))
    assert len(again) == Game.objects.count()


def test_uploading_an_export_adds_no_games(client: APIClient, now: datetime) -> None:
    games = judged(*duels(3), now=now)

    assert judged(got(client), now=now) == games
    assert judged(got(client, format="ndjson"), now=now) == games


def test_games_come_in_the_order_in_which_they_were_received(client: APIClient, now: datetime) -> None:
    games = [judged(duel, now=now - timedelta(days=day))[0] for day, duel in enumerate(duels(3))]

    assert [line.get("key") for line in annotated_lines(client)] == [game.key for game in reversed(games)] + [None]


def test_rejected_records_are_never_exported(client: APIClient, now: datetime) -> None:
    (game, _) = judged(record(), BROKEN, now=now)

    assert digests(got(client)) == [(game.digest, game.logs.get().record_digest)]
    refused = client.get(ADDRESS, {"verdict": "rejected"})
    assert refused.status_code == 400
    assert refused.json()["error"]["message"] == "Rejected records are not exported."


def test_private_game_is_exported_only_for_those_who_may_see_it(
    call: Callable[..., APIClient], alice: User, now: datetime
) -> None:
    judged(record(), now=now, uploader=alice, options=UploadOptions(private=True))

    assert got(call()) == b""
    assert b'[Red "Ada"]' in got(call(alice))


def test_game_hidden_during_an_export_is_omitted(now: datetime) -> None:
    (first, second) = judged(*duels(2), now=now)
    found = exporting.Export(exporting.Wanted(GameFilter, NOBODY, directly))
    Game.objects.filter(pk=first.pk).update(private=True)

    assert [log.game_id for log in found.records()] == [second.pk]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"player": "bruno"}, {"Bruno"}),
        ({"since": "2026-03-01", "until": "2026-03-31"}, {"Cleo"}),
        ({"verdict": "unfinished"}, {"Cleo"}),
        ({"edition": "2003"}, {"Dora"}),
        ({"club": "nest"}, {"Emil"}),
        ({"club": "nowhere"}, set()),
    ],
)
def test_export_contains_the_same_games_as_the_filtered_list(
    client: APIClient, alice: User, now: datetime, query: dict[str, str], names: set[str]
) -> None:
    nest = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    judged(
        record(names=("Ada", "Bruno"), Date="2026.02.01"),
        record("NS@0,2 *", names=("Ada", "Cleo"), Date="2026.03.05"),
        record(names=("Ada", "Dora"), rules="2003"),
        now=now,
    )
    judged(
        record("NS@0,2 R1:N resign:R 2-1", names=("Ada", "Emil")),
        now=now,
        uploader=alice,
        options=UploadOptions(club=nest),
    )
    rate_waiting(now=now)

    text = got(client, **query).decode()
    listed = client.get("/api/v1/games", query).json()["games"]

    assert {name for name in ("Bruno", "Cleo", "Dora", "Emil") if f'"{name}"' in text} == names
    assert {game["seats"][1]["name"] for game in listed} == names


@pytest.mark.parametrize("form", ["agn", "ndjson"])
def test_following_links_through_parts_of_an_export_yields_every_game_once(
    client: APIClient, now: datetime, form: str
) -> None:
    judged(*duels(5), now=now)
    address, found = f"{ADDRESS}?format={form}&most=2", list[str | None]()
    while address:
        answer = response_to(client, address)
        found += [digest for digest, _ in digests(answer.content)]
        address = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")

    assert found == list(Game.objects.order_by("pk").values_list("digest", flat=True))


@pytest.fixture
def _few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find, read and send a few games at a time."""
    monkeypatch.setattr(exporting, "MOST", 3)
    monkeypatch.setattr(export, "_BATCH", 2)
    monkeypatch.setattr(long_answers, "IN_MEMORY", 0)
    monkeypatch.setattr(long_answers, "_PIECE", 1)


@pytest.mark.parametrize("query", [{"format": "agn"}, {"format": "ndjson"}, {"format": "ndjson", "compress": "gzip"}])
@pytest.mark.usefixtures("_few_at_a_time")
def test_an_export_of_any_size_is_one_download(client: APIClient, now: datetime, query: dict[str, str]) -> None:
    judged(*duels(8), now=now)

    answer = response_to(client, **query)
    written = b"".join(answer.streaming_content)

    text = gzip.decompress(written) if "compress" in query else written
    assert [digest for digest, _ in digests(text)] == list(Game.objects.order_by("pk").values_list("digest", flat=True))
    assert (isinstance(answer, LongAnswer), "Link" in answer, "Atta-Games" in answer) == (True, False, False)


@pytest.mark.usefixtures("_few_at_a_time")
def test_a_long_export_holds_a_few_records_at_a_time(
    client: APIClient, now: datetime, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    judged(*duels(8), now=now)
    answer = response_to(client, format="annotated")
    pieces = iter(answer.streaming_content)

    for _ in range(8):
        with django_assert_max_num_queries(14):
            next(pieces)

    assert [json.loads(piece) for piece in pieces] == [{"end": {"games": 8, "next": None}}]


def test_records_are_read_in_batches_that_end_with_the_one_that_exceeds_their_size(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = judged(*duels(3), now=now)
    monkeypatch.setattr(export, "_BATCH_BYTES", 300)  # a duel has about 200

    batches = list(export.find_part(GameFilter(), NOBODY).batches())

    assert batches == [[games[0].pk, games[1].pk], [games[2].pk]]


def test_invalid_export_mark_is_rejected(client: APIClient) -> None:
    assert client.get(ADDRESS, {"after": "yesterday"}).json()["error"]["code"] == "bad_mark"


def test_complete_export_ends_with_an_end_marker(client: APIClient, now: datetime) -> None:
    judged(*duels(2), now=now)

    assert got(client).endswith(b"\n2-1\n{}\n")
    assert got(client, format="ndjson").endswith(b"}\n\n")
    *_, last = annotated_lines(client, most=1)
    assert last["end"]["games"] == 1
    assert f"{ADDRESS}?format=annotated&most=1&after=" in last["end"]["next"]
    assert annotated_lines(client, player="nobody") == [{"end": {"games": 0, "next": None}}]


def test_annotated_export_includes_site_data_for_each_game(client: APIClient, now: datetime) -> None:
    (game,) = judged(record("NS@0,2 {bold} resign:R 2-1", Date="2026.02.01"), now=now)

    line, _ = annotated_lines(client)

    assert (line["key"], line["verdict"], line["digest"]) == (game.key, "verified", game.digest)
    assert (line["received_at"], line["played_on"]) == ("2026-03-14T15:09:26.000000Z", "2026-02-01")
    assert [(seat["letter"], seat["place"]) for seat in line["seats"]] == [("R", 2), ("Y", 1)]
    assert line["record"] == client.get(f"/api/v1/games/{game.key}/record").json()


def test_export_is_gzipped_for_clients_that_accept_it(client: APIClient, now: datetime) -> None:
    judged(record(), now=now)

    packed = response_to(client, coding="br, gzip;q=0.5")

    assert (packed["Content-Encoding"], packed["Vary"].split(",")[0]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(packed.content) == got(client)


def test_export_is_not_gzipped_for_clients_that_refuse_it(client: APIClient, now: datetime) -> None:
    judged(record(), now=now)

    plain = response_to(client, coding="gzip;q=0")

    assert "Content-Encoding" not in plain
    assert plain.content.endswith(b"{}\n")


def test_a_compressed_file_can_be_asked_for(client: APIClient, now: datetime) -> None:
    judged(record(), now=now)

    answer = response_to(client, format="ndjson", compress="gzip", coding="gzip")

    assert (answer["Content-Type"], answer.headers.get("Content-Encoding")) == ("application/gzip", None)
    assert answer["Content-Disposition"].endswith('.ndjson.gz"')
    assert len(digests(gzip.decompress(answer.content))) == 1


@pytest.mark.parametrize("accept", ["application/x-ndjson", "text/plain", "image/png"])
def test_export_ignores_the_accept_header(client: APIClient, accept: str) -> None:
    answer = response_to(client, accept=accept)

    assert (answer.status_code, answer.content) == (200, b"")


def test_export_uses_as_many_queries_for_ten_games_as_for_one(
    client: APIClient, now: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    judged(*duels(1), now=now)
    with django_assert_num_queries(9) as first:
        got(client)
    judged(*duels(11), now=now)
    with django_assert_num_queries(len(first)):
        got(client)


def test_export_with_a_slow_query_is_rejected(locked: None, client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_PATIENCE", 50)

    refused = client.get(ADDRESS)

    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "too_wide")


def with_a_long_comment(duel: bytes) -> bytes:
    """Return a record of nearly the maximum length."""
    return duel.replace(b" resign", b" {%s} resign" % (b"x" * 250_000))


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_readers_who_stop_reading_keep_nobody_waiting(live: str, now: datetime) -> None:
    judged(*map(with_a_long_comment, duels(30)), now=now)
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
