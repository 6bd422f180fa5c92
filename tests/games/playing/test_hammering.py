"""Four seats flood one table with conflicting requests: one legal log results, and nothing acknowledged is lost."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from django.db import connection

from engine.verify import verify_bytes
from games.models import Table
from games.playing import acting, leaving
from games.playing.errors import PlayError
from games.playing.finishing import record_of
from games.playing.reads.people import Person
from games.playing.reads.position import position_of, tokens_of
from tests.conftest import of_this_run
from tests.games.playing import posting
from tests.games.playing.posting import Hand, acknowledged, stored
from tests.games.playing.seating import fresh, guests, seated, whose_turn
from tests.sites import UNLIMITED, web
from tests.tiers import LONG, Note, by_tier

pytestmark = pytest.mark.django_db(transaction=True)

POSTS = by_tier(quick=240, long=10_000)
HANDS = 4


def hammer(table: Table, person: Person, number: int) -> list[tuple[int, str]]:
    """Post legal, late and foreign actions repeatedly; return those acknowledged as new."""
    chance, done = Random(number), list[tuple[int, str]]()
    for post in range(POSTS // HANDS):
        seen = fresh(table)
        if seen.state != Table.State.PLAYING:
            break
        legal = position_of(seen).legal(seen.drawn)
        token, ply = chance.choice(legal), seen.plies - (chance.random() < 0.2)
        for _ in range(chance.choice((1, 1, 2))):  # some are sent twice
            try:
                acted = acting.act(
                    table.key, person, ply=ply, token=token, request_key=f"{post}", now=datetime.now(UTC)
                )
                done += [] if acted.again else [(ply, token)]
            except PlayError:
                pass
    connection.close()
    return done


def together(table: Table, people: Sequence[Person]) -> list[tuple[int, str]]:
    """Let everybody post at once."""
    with ThreadPoolExecutor(HANDS) as hands:
        ended = [hands.submit(hammer, table, person, number) for number, person in enumerate(people)]
        return sorted(pair for one in ended for pair in one.result())


@pytest.mark.full
def test_four_seats_hammer_one_table_and_leave_one_legal_log(now: datetime) -> None:
    people, done = guests(HANDS), 0
    while done <= POSTS // 20:  # the game may end early, depending on whose request arrives first
        done += len(hammered(people, now))


def hammered(people: Sequence[Person], now: datetime) -> tuple[str, ...]:
    """Return the actions at a table after everybody has posted at once."""
    table = seated(people, now)
    acknowledged = together(table, people)
    table = fresh(table)
    tokens = tokens_of(table)
    assert acknowledged == list(enumerate(tokens)), "each ply was acknowledged once, to one seat"
    assert tokens
    while table.state == Table.State.PLAYING:
        table = leaving.resign(table.key, whose_turn(table, people), now=datetime.now(UTC))
    [verdict] = verify_bytes(record_of(table, tokens_of(table)).encode())
    assert verdict.verdict == "verified"
    numbers = list(table.events.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    return tokens


@pytest.mark.skipif(not LONG, reason="Ten thousand requests: in the long tier.")
def test_ten_thousand_requests_to_two_servers_leave_one_legal_log(
    now: datetime, tmp_path: Path, record_property: Note
) -> None:
    record_property("requests that act at one table", POSTS)
    table, environment = seated(guests(HANDS), now), of_this_run() | UNLIMITED
    with (
        web(tmp_path / "one", environment) as one,
        web(tmp_path / "two", environment) as two,
        ThreadPoolExecutor(2 * HANDS) as pool,
    ):
        windows = [
            Hand(site, table.key, f"token {at}", number)
            for number, site in enumerate((one, two))
            for at in range(HANDS)
        ]
        each = [
            pool.submit(posting.hammer, hand, POSTS // len(windows), acts=0.05, chance=at)
            for at, hand in enumerate(windows)
        ]
        hands = [one.result() for one in each]
    assert sum(hand.posts for hand in hands) == POSTS
    assert acknowledged(hands) == stored(fresh(table))
    assert [ply for ply, _ in stored(table)] == list(range(fresh(table).plies))
    assert sum((Counter(hand.statuses) for hand in hands), Counter())[409] > POSTS // 2
    while (table := fresh(table)).state == Table.State.PLAYING:
        leaving.resign(table.key, whose_turn(table, guests(HANDS)), now=datetime.now(UTC))
    [verdict] = verify_bytes(record_of(table, tokens_of(table)).encode())
    assert verdict.verdict == "verified"


ACT_FOR_EVER = """
import json, sys
import django; django.setup()
from datetime import UTC, datetime
from games.models import Table
from games.playing import acting
from games.playing.reads.people import Person
from games.playing.reads.position import position_of
key, people = sys.argv[1], [Person(guest=one) for one in sys.argv[2:]]
while True:
    table = Table.objects.get(key=key)
    if table.state != "playing":
        break
    person = next(one for one in people if acting.may_act(table, one, table.turn))
    token = position_of(table).legal(table.drawn)[0]
    acting.act(key, person, ply=table.plies, token=token, now=datetime.now(UTC))
    print(json.dumps([table.plies, token]), flush=True)
"""


@pytest.mark.full
def test_a_process_killed_after_an_acknowledgement_loses_nothing(now: datetime) -> None:
    people = guests(2)
    table = seated(people, now, "army-ants")
    acknowledged = list[tuple[int, str]]()
    for kill_after in by_tier(quick=(3,), long=(1, 4, 2)):
        acknowledged += _acknowledged_until_killed(table, people, kill_after)
    stored = list(enumerate(tokens_of(fresh(table))))
    assert [pair for pair in acknowledged if pair not in stored] == []
    assert [ply for ply, _ in stored] == list(range(fresh(table).plies))
    position_of(fresh(table))  # all of it is legal


def _acknowledged_until_killed(table: Table, people: Sequence[Person], count: int) -> list[tuple[int, str]]:
    address = f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    environment = os.environ | {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "atta_site.settings"}
    command = [sys.executable, "-c", ACT_FOR_EVER, table.key, *(person.guest for person in people)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=Path(__file__).parents[3]
    ) as process:
        assert process.stdout
        lines = [json.loads(process.stdout.readline()) for _ in range(count)]
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().splitlines()
    whole = [json.loads(line) for line in rest if line.endswith("]")]
    return [(ply, token) for ply, token in (*lines, *whole)]
