"""A game to print: its moves, and diagrams where they were chosen."""

import re
from collections.abc import Collection
from pathlib import Path

import pytest
from django.test import Client

from engine.army_ants.ruleset import ARMY_ANTS
from engine.scene import Scene, Stage, union
from games.models import Game
from games.web.game import booklet
from tests.factories import BROKEN, record
from tests.games.longest import longest
from tests.games.web.conftest import Read, UploadRecords

SHOWCASE = Path(__file__).resolve().parents[3] / "games" / "showcase"
SHORT = "1. NS@0,2 R1:N {a brave ant} R2:E / Y1:S resign:Y 1-2"


@pytest.fixture
def game(upload_records: UploadRecords) -> Game:
    """A verified game of six actions."""
    (game,) = upload_records(record(SHORT))
    return game


def diagrams(client: Client, game: Game, asked: str = "") -> list[int]:
    """Return after which actions a booklet has diagrams."""
    html = client.get(f"/games/{game.key}/print/{asked}").content.decode()
    assert html.count('<use href="#d-base"') == html.count("<figcaption>")
    return [int(ply) for ply in re.findall(r"<figcaption>After action (\d+):", html)]


def test_a_booklet_says_who_played_and_how_it_went(game: Game, client: Client, read: Read) -> None:
    assert f'href="/games/{game.key}/print/"' in client.get(f"/games/{game.key}/").content.decode()
    words = read(f"/games/{game.key}/print/?diagrams=end")
    assert "Ada won. Yellow resigned." in words
    assert "1. R NS@0,2 R1:N a brave ant R2:E / Y Y1:S resign:Y" in words
    assert "After action 6" in words


@pytest.mark.parametrize(
    ("asked", "plies"),
    [
        ("?diagrams=end", [6]),
        ("?diagrams=5", [5, 6]),
        ("?plies=4,+2;2", [2, 4]),
        ("?plies=0+999", [0, 6]),
        ("?plies=none&diagrams=end", [6]),
        ("?diagrams=10", [6]),
    ],
)
def test_diagrams_are_where_they_were_chosen(game: Game, client: Client, asked: str, plies: list[int]) -> None:
    assert diagrams(client, game, asked) == plies


def test_without_a_choice_there_is_a_diagram_at_each_event_and_at_the_end(game: Game, client: Client) -> None:
    assert diagrams(client, game) == diagrams(client, game, "?diagrams=events")
    assert diagrams(client, game)[-1] == 6


def test_more_diagrams_than_fit_are_cut_and_the_page_says_so(
    game: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(booklet, "MOST", 2)
    assert diagrams(client, game, "?plies=1+2+3") == [1, 2]
    html = client.get(f"/games/{game.key}/print/?plies=1+2+3").content.decode()
    assert "The first 2 diagrams are shown." in html
    assert "resign:Y" in html  # the moves are all there


def test_a_rejected_record_is_printed_up_to_its_fault(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(BROKEN)
    html = client.get(f"/games/{game.key}/print/?diagrams=end").content.decode()
    assert "<mark><bdi>R1:E</bdi></mark>" in html


def test_nothing_is_printed_of_what_could_not_be_played(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(record(rules="unheard-of"))
    assert client.get(f"/games/{game.key}/print/").status_code == 404


def test_the_stage_of_all_diagrams_is_found_once(game: Game, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def counting(scenes: Collection[Scene]) -> Stage:
        counted.append(len(scenes))
        return union(scenes)

    monkeypatch.setattr(booklet, "union", counting)
    assert diagrams(client, game, "?plies=1,2,3,4") == [1, 2, 3, 4]
    assert counted == [4]


def test_what_all_diagrams_have_in_common_is_sent_once(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records((SHOWCASE / "atta-ants.agn").read_bytes())

    page = client.get(f"/games/{game.key}/print/?diagrams=5").content.decode()

    assert page.count('id="d-base"') == page.count('class="drawings"') == 1
    referred = set(re.findall(r'href="#(d-[^"]+)"', page))
    assert referred == referred & set(re.findall(r'id="(d-[^"]+)"', page))


@pytest.mark.full
def test_the_longest_game_is_printed_on_a_page_of_moderate_size(upload_records: UploadRecords, client: Client) -> None:
    (game,) = upload_records(longest(ARMY_ANTS).text().encode())

    page = client.get(f"/games/{game.key}/print/?diagrams=5")

    assert page.content.count(b"<figure") == booklet.MOST
    assert len(page.content) < 400_000
