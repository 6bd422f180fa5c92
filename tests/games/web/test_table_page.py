"""The page of a table, put together from what is stored while others go on playing."""

from datetime import datetime

import pytest

from games.playing.reads.state import table_json
from games.web.play.table import table_page
from tests.games.playing.seating import fresh, guests, play, seated

pytestmark = pytest.mark.django_db


def test_actions_stored_while_a_page_is_put_together_are_left_to_the_next(now: datetime) -> None:
    people = guests(2)
    before = play(seated(people, now), people, now, most=3)
    play(fresh(before), people, now, most=2)
    page = table_page(before, people[0])
    assert sum(len(turn.tokens) for turn in page.moves) == page.ply == 3
    assert page.position
    assert page.position["ply"] == len(table_json(before, people[0])["tokens"]) == 3
