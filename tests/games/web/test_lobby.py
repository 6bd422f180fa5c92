"""The lobby as a page: who sits at the tables, and how strong they are."""

from datetime import datetime

import pytest

from games.models import Player
from games.playing import opening
from games.playing.opening import Addition, TableOptions
from tests.games.evenings import play
from tests.games.playing.seating import accounts
from tests.games.web.conftest import Read

pytestmark = pytest.mark.django_db


@pytest.fixture
def tables(now: datetime) -> None:
    """Ada's open tables of two games; Cleo, who beat Dora in one of them, is another name of hers."""
    (ada,) = accounts(1)
    play([(("Ada", "Bruno"), (1, 2)), (("Cleo", "Dora"), (1, 2)), (("Cleo", "Dora"), (1, 2))], now)
    Player.objects.filter(name__in=("Ada", "Cleo")).update(account=ada.account)
    for ruleset in ("atta-ants-online", "army-ants"):
        table = opening.open_table(TableOptions(ruleset=ruleset, places=2), ada, now=now)
        opening.join(table.key, ada, Addition("entropy"), now=now)


@pytest.mark.usefixtures("tables")
def test_a_table_shows_the_rating_that_a_player_has_in_its_game_under_that_name(read: Read) -> None:
    words = read("/play/").partition("Open tables")[2]
    assert "Army Ants ? Ada 1 free seat" in words
    assert "Atta Ants, online rules R Ada 165? 1 free seat" in words, "as after one game won, not Cleo's after two"
