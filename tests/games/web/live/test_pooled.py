"""Streams where web processes reach the database through a pooler that gives its connections in turns."""

from datetime import datetime
from pathlib import Path

import pytest

from games.playing.acting import may_act
from tests.atta_site.test_two_machines import pooled
from tests.conftest import of_this_run
from tests.games.playing.posting import Hand
from tests.games.playing.seating import fresh, guests, seated
from tests.games.web.live.reading import Reader, web_server

pytestmark = pytest.mark.django_db(transaction=True)

ACTIONS = 12


@pytest.mark.full
def test_what_is_posted_through_a_pooler_reaches_streams(now: datetime, tmp_path: Path) -> None:
    people, direct = guests(2), of_this_run()["DATABASE_URL"]
    table = seated(people, now, "ant-trails-2020")
    with pooled(tmp_path) as behind:
        environment = {"DATABASE_URL": behind, "LIVE_DATABASE_URL": direct}
        with web_server(tmp_path / "web", environment) as server:
            site = server.ready().site
            hands = [Hand(site, table.key, f"token {number}") for number in range(2)]
            reader = Reader(site.address, f"/live/tables/{table.key}", after=fresh(table).last_event)
            for _ in range(ACTIONS):  # each by its own notification, not by the sweep
                table = fresh(table)
                hand = next(hand for hand, one in zip(hands, people, strict=True) if may_act(table, one, table.turn))
                hand.post(table.plies, hand.look()["legal"][0])
                reader.until(fresh(table).last_event)
            reader.close()
    acts = [body["ply"] for body in reader.bodies if body["kind"] == "act"]
    assert acts == list(range(len(acts)))
    assert len(acts) == fresh(table).plies == ACTIONS
