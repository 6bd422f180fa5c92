"""A game of two accounts."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User

from games.models import Game
from tests.games.consent.asking import uploaded_game
from tests.games.seats import give_seat


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Uploaded anonymously; Alice plays as Ada, Bob as Bruno."""
    game = uploaded_game(now)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    return game
