"""The client's players, against a real site."""

from collections.abc import Iterator
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from games.client import Client, ClientError
from games.client.players import Score
from games.models import Player
from tests.games.evenings import game_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client(live: str, alice: User) -> Iterator[Client]:
    """The client of Alice's programs."""
    with Client(live, str(AuthToken.objects.create(alice)[1])) as opened:
        yield opened


def test_client_reads_the_score_of_two_players(client: Client, now: datetime) -> None:
    for places in ((1, 2), (2, 1), (1, 2)):
        game_of((("Ada", "Dora"), places), now)
    ada, dora = (Player.objects.get(name=name).pk for name in ("Ada", "Dora"))
    pair = client.players.against(ada, dora)
    assert pair.score == Score(games=3, ahead=2, tied=0, behind=1)
    (of_atta,) = pair.rulesets
    assert (of_atta.ruleset, of_atta.by_turn, of_atta.by_seat) == (
        "atta-ants-online",
        {"1": pair.score},
        {"R": pair.score},
    )
    assert client.players.against(dora, ada, until="2001-01-01").score.games == 0
    with pytest.raises(ClientError, match="There is nothing at this address"):
        client.players.against(ada, ada)
