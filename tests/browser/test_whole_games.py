"""Whole games at tables of the site, each seat in its own browser, until the verified record is linked."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Game, Table, TableAlarm
from games.playing.reads.position import tokens_of
from games.tasks import sweep
from tests.browser.acting import Keys, Mouse, Thumb
from tests.browser.at_tables import PATIENCE, Party, Player, played
from tests.conftest import Worker, of_this_run
from tests.games.web.live.reading import web_server
from tests.tiers import by_tier

OpenPage = Callable[..., Page]
WHOLE = by_tier(quick=["atta-ants-online"], long=["atta-ants-online", "atta-ants-2003", "ant-trails-2020", "army-ants"])


@pytest.fixture(scope="module")
def streaming(django_db_setup: None, scratch: Path) -> Iterator[str]:
    """A site that keeps streams open, so that everybody sees the others' actions at once."""
    folder = scratch / "whole-games"
    with web_server(folder, of_this_run()) as server:
        yield server.ready().address


@pytest.fixture
def live(streaming: str, transactional_db: None) -> str:
    """The site on which these games are played."""
    return streaming


@pytest.fixture
def screens(open_page: OpenPage, phone: Page) -> list[Player]:
    """A desktop with a mouse, a desktop with only a keyboard, and a phone."""
    return [Player(open_page(), Mouse()), Player(open_page(), Keys()), Player(phone, Thumb())]


@pytest.mark.full
@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_game_is_played_by_mouse_keyboard_and_touch(screens: list[Player], worker: Worker, name: str) -> None:
    replay = played(name)
    seats = len(replay.tags["DealingSeats"].split(" "))
    party = Party(replay, screens[-seats:])
    party.open_table()
    for spectator in screens[:-seats]:
        spectator.page.goto(party.players[0].page.url)
    party.play(range(len(replay.actions)))
    for screen in screens:
        expect(screen.page.locator(".play-result li")).to_have_count(seats, timeout=PATIENCE)
    ends_with_its_verified_record(party, screens)


def ends_with_its_verified_record(party: Party, screens: list[Player]) -> None:
    """Assert that all screens show the result and, without a reload, link the expected record."""
    for screen in screens:
        screen.page.get_by_role("link", name="Open the verified record").wait_for(timeout=PATIENCE)
    game = Game.objects.get()
    assert (game.verdict, game.digest, party.table.game) == ("verified", party.replay.digest(), game)
    assert tokens_of(party.table) == party.replay.actions
    assert not TableAlarm.objects.exists()
    for screen in screens:
        screen.page.get_by_role("link", name="Open the verified record").click()
        screen.page.wait_for_url(f"**/games/{game.key}/")


@pytest.mark.full
def test_a_game_of_four_survives_one_player_leaving_and_another_reloading(open_page: OpenPage, worker: Worker) -> None:
    replay = played("one-drops-out")
    out = replay.actions.index("timeout:O")
    players = [Player(open_page(), Mouse()) for _ in range(4)]
    party = Party(replay, players)
    party.open_table("15+20")
    party.play(range(out))
    gone, back = party.whose("O"), party.whose("B")
    gone.page.context.close()
    back.page.reload()
    Table.objects.update(deadline=timezone.now())
    sweep.apply_async()
    party.play(range(out, len(replay.actions)))
    stayed = [player for player in players if player is not gone]
    expect(stayed[0].page.locator(".play-seat.gone")).to_have_count(1)
    ends_with_its_verified_record(party, stayed)
