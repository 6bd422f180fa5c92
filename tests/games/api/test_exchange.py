"""A game of every ruleset in every download format: in the API and from its page."""

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

from engine.grammar import json_schema
from engine.registry import RULESETS
from engine.verify import verify_bytes
from games.models import Game, Player, Upload
from tests.factories import BROKEN, record
from tests.games.judging import count_all
from tests.games.storing import stored
from tests.games.uploading import upload_file
from tests.golden import records, verdicts
from tests.strategies import FIXTURES, AnyRuleset, package, recorded

pytestmark = pytest.mark.django_db

RECRANKS = Draft202012Validator(json.loads((Path(__file__).parents[2] / "engine" / "recranks.schema.json").read_text()))
each_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)


@pytest.fixture
def client(call: Callable[..., APIClient]) -> APIClient:
    return call()


def by_program(client: APIClient, game: Game, part: str) -> Any:
    return client.get(f"/api/v1/games/{game.key}/{part}")


@each_ruleset
def test_game_of_every_ruleset_can_be_downloaded_in_every_format(
    client: APIClient, now: datetime, ruleset: AnyRuleset
) -> None:
    replay = next(replay for replay in recorded(ruleset) if replay.finished)
    sent = replay.text().replace("\n", "\r\n").encode()
    game = stored(sent, now)

    assert by_program(client, game, "log").content == sent.removesuffix(b"\r\n")
    assert by_program(client, game, "canonical").content.decode() == replay.text()
    in_json = by_program(client, game, "record").json()
    assert in_json == replay.as_json()
    assert [error.message for error in Draft202012Validator(json_schema()).iter_errors(in_json)] == []
    result = by_program(client, game, "recranks").json()
    assert [error.message for error in RECRANKS.iter_errors(result)] == []
    assert result["header"]["game"] == {"name": ruleset.game, "variants": [ruleset.edition]}


@each_ruleset
def test_downloaded_canonical_and_json_records_can_be_read_again(
    client: APIClient, now: datetime, ruleset: AnyRuleset
) -> None:
    replay = next(replay for replay in recorded(ruleset) if replay.finished)
    game = stored(replay.text().encode(), now)

    for part in ("canonical", "record"):
        (again,) = verify_bytes(by_program(client, game, part).content)
        assert (again.text, again.digest) == (replay.text(), game.digest)


@each_ruleset
def test_game_page_links_to_every_format(client: Client, now: datetime, ruleset: AnyRuleset) -> None:
    replay = next(replay for replay in recorded(ruleset) if replay.finished)
    game = stored(replay.text().encode(), now)

    html = client.get(f"/games/{game.key}/").content.decode()

    for part in ("log", "canonical", "record", "states", "recranks"):
        assert f'href="/api/v1/games/{game.key}/{part}"' in html


@each_ruleset
def test_rejected_game_can_only_be_downloaded_as_uploaded(
    client: APIClient, now: datetime, ruleset: AnyRuleset
) -> None:
    path = next(path for path in records("broken") if package(ruleset) in path.parts and verdicts(path)[0].replay)
    game = stored(path.read_bytes(), now)
    html = client.get(f"/games/{game.key}/").content.decode()

    assert by_program(client, game, "log").content == path.read_bytes().rstrip(b"\n")
    assert [by_program(client, game, part).status_code for part in ("canonical", "record", "recranks")] == [
        404,
        404,
        409,
    ]
    assert set(client.get(f"/api/v1/games/{game.key}").json()["parts"]) == {"log", "states", "frames", "story"}
    assert f'href="/api/v1/games/{game.key}/log"' in html
    for part in ("canonical", "record", "recranks"):
        assert f"/{game.key}/{part}" not in html


@pytest.mark.parametrize(
    "data",
    [record(), record("NS@0,2 *"), BROKEN, record().replace(b'[Seats "R Y"]', b'[Seats "R R"]')],
    ids=["verified", "unfinished", "rejected", "rejected for its tags"],
)
def test_game_lists_exactly_the_formats_it_has(client: APIClient, now: datetime, data: bytes) -> None:
    game = stored(data, now)
    every = ("log", "states", "frames", "story", "canonical", "record", "recranks")

    named = client.get(f"/api/v1/games/{game.key}").json()["parts"]

    assert [part for part in every if part in named] == [
        part for part in every if by_program(client, game, part).status_code == 200
    ]


# recranks


def test_recranks_result_uses_the_ids_of_this_site(client: APIClient, now: datetime) -> None:
    game = stored(record("NS@0,2 resign:R 2-1", Site="The nest", Date="2026.03.01"), now)

    header = by_program(client, game, "recranks").json()["header"]

    ids = {player.name: str(player.pk) for player in Player.objects.all()}
    assert header["site"] == {"name": "testserver", "gameid": game.key}
    assert [(one["name"], one["userid"], one["result"]) for one in header["players"]] == [
        ("Ada", ids["Ada"], 0),
        ("Bruno", ids["Bruno"], 1),
    ]
    assert (header["date-end"], header["digest"]) == ("2026-03-01T00:00:00Z", game.digest)
    assert "unrated" not in header


def test_recranks_result_of_an_undated_record_uses_the_upload_date(client: APIClient, now: datetime) -> None:
    game = stored(record("NS@0,2 resign:R 2-1"), now)

    header = by_program(client, game, "recranks").json()["header"]

    assert datetime.fromisoformat(header["date-end"]) == now.replace(microsecond=0)
    assert header["dates-from"] == "received"


@pytest.mark.parametrize(
    ("data", "code", "sentence"),
    [
        (
            record("NS@0,2 R1:N *"),
            "unfinished",
            "Only finished games have a result; this one stops at action 2.",
        ),
        (BROKEN, "rejected", "Only legal games have a result; this one breaks ATTA-MOVE-1 on line 9."),
    ],
)
def test_recranks_result_of_an_unfinished_or_rejected_game_is_a_conflict(
    client: APIClient, now: datetime, data: bytes, code: str, sentence: str
) -> None:
    game = stored(data, now)

    answer = by_program(client, game, "recranks")

    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["message"], error["place"]) == (409, code, sentence, None)
    assert "recranks" not in client.get(f"/api/v1/games/{game.key}").json()["parts"]


@pytest.mark.full
def test_every_finished_fixture_has_a_recranks_result(client: APIClient, now: datetime) -> None:
    upload = upload_file((FIXTURES / "agn" / "games" / "many-games.agn").read_bytes(), via=Upload.Via.API, now=now)
    count_all(now)

    for log in upload.logs.all():
        assert log.game
        expected = 200 if log.game.verdict == "verified" else 409
        assert by_program(client, log.game, "recranks").status_code == expected
