"""How a game was dealt: on its page, on a separate page, and in the API."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from games.models import Game, Upload
from games.uploads.origin import UploadOptions
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file
from tests.games.web.conftest import words_of
from tests.strategies import FIXTURES

pytestmark = pytest.mark.django_db

PROVED = sorted((FIXTURES / "dealing" / "games").glob("proved-*.agn"))
"""For every game, and both editions of Atta Ants."""


def upload(path: Path | bytes, now: datetime, by: User | None = None, options: UploadOptions | None = None) -> Game:
    data = path if isinstance(path, bytes) else path.read_bytes()
    uploaded = upload_file(data, via=Upload.Via.API, now=now, uploader=by, options=options or UploadOptions())
    judge_all(now)
    game = uploaded.logs.get().game
    assert game
    return game


def page(client: Client, game: Game) -> str:
    return words_of(client.get(f"/games/{game.key}/dealing/").content.decode())


def fixture(name: str) -> Path:
    return next(path for path in (FIXTURES / "dealing").glob(f"*/{name}.agn") if path.parent.name != "canonical")


@pytest.mark.parametrize("path", PROVED, ids=lambda path: path.stem)
def test_proved_deal_is_shown_with_everything_it_follows_from(path: Path, client: Client, now: datetime) -> None:
    game = upload(path, now)
    tags = dict(line[1:-2].split(' "') for line in path.read_text().splitlines() if line.startswith("["))

    words = page(client, game)

    assert "The deal follows from the secret and the players’ entropies." in words
    for name in ("DealingCommitment", "DealingSecret", "DealingEntropy1", "Setup"):
        assert tags[name] in words or (name, tags["Rules"]) == ("Setup", "2003")
    assert "Follows from the secret and the players’ texts" in words_of(
        client.get(f"/games/{game.key}/").content.decode()
    )


def test_shown_command_prints_the_same_deal_as_the_api(
    client: Client, call: Callable[..., APIClient], now: datetime
) -> None:
    game = upload(fixture("proved-army"), now)
    command = page(client, game).rpartition("with the engine: ")[2].partition(" engine deal --json")[0]

    dealing = call().get(f"/api/v1/games/{game.key}/dealing").json()
    shell = f"{command} engine deal --json".replace("python", sys.executable)
    printed = subprocess.run(shell, shell=True, capture_output=True, check=True).stdout

    assert (dealing["status"], dealing["rule"]) == ("proved", None)
    assert json.loads(printed) == dealing["deal"]


def test_a_sealed_deal_has_no_secret_yet(client: Client, call: Callable[..., APIClient], now: datetime) -> None:
    game = upload(fixture("sealed-trails"), now)

    dealing = call().get(f"/api/v1/games/{game.key}/dealing").json()

    assert (dealing["status"], dealing["secret"], dealing["deal"]) == ("sealed", None, None)
    assert "The secret is published when the game is over." in page(client, game)


def test_broken_deal_names_the_rule(client: Client, now: datetime) -> None:
    game = upload(fixture("DEAL-COMMIT-1-another-secret"), now)

    words = page(client, game)

    assert "DEAL-COMMIT-1" in words
    assert "Does not follow from the secret and the players’ texts" in words_of(
        client.get(f"/games/{game.key}/").content.decode()
    )


def test_invalid_dealing_tags_are_shown_with_the_broken_rule(client: Client, now: datetime) -> None:
    game = upload(fixture("DEAL-TAG-1-a-secret-of-63-digits"), now)

    answer = client.get(f"/games/{game.key}/dealing/")

    assert (answer.status_code, "DEAL-TAG-1" in words_of(answer.content.decode())) == (200, True)


def test_game_without_a_deal_has_no_dealing_page(client: Client, now: datetime) -> None:
    game = upload(record(), now)

    assert client.get(f"/games/{game.key}/dealing/").status_code == 404
    assert client.get(f"/api/v1/games/{game.key}/dealing").status_code == 404
    assert "dealing/" not in client.get(f"/games/{game.key}/").content.decode()


def test_the_deal_of_a_private_game_is_private(
    client: Client, call: Callable[..., APIClient], alice: User, now: datetime
) -> None:
    game = upload(fixture("proved-army"), now, alice, UploadOptions(private=True))

    assert client.get(f"/games/{game.key}/dealing/").status_code == 404
    assert call().get(f"/api/v1/games/{game.key}/dealing").status_code == 404
    assert call(alice).get(f"/api/v1/games/{game.key}/dealing").status_code == 200


def test_entropies_are_ordered_by_their_tag_number(call: Callable[..., APIClient], now: datetime) -> None:
    lines = fixture("proved-online-two").read_text().splitlines(keepends=True)
    first, second = (next(at for at, line in enumerate(lines) if f"Entropy{number}" in line) for number in (1, 2))
    lines[first], lines[second] = lines[second], lines[first]
    game = upload("".join(lines).encode(), now)

    dealing = call().get(f"/api/v1/games/{game.key}/dealing").json()

    assert (dealing["status"], dealing["entropies"]) == ("proved", ["3e9f1c", "!"])
    assert dealing["deal"]["setup"] == "NES* NESW NW# NESW EW# NES NEW* EW"
