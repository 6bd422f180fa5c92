"""Processes are killed with -9 during games: acknowledged actions are stored exactly once, and play continues."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from django.db import connection, transaction
from django.utils import timezone

from atta_site.celery import app
from games.models import Table, TableAlarm
from games.playing import leaving, opening
from games.playing.acting import may_act
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person, guest_of
from tests.conftest import Worker, of_this_run
from tests.games.playing.posting import Hand, KilledWeb, acknowledged, hammer, stored
from tests.games.playing.seating import fresh, guests, play, seated
from tests.sites import PATIENCE, UNLIMITED
from tests.tiers import by_tier

pytestmark = pytest.mark.django_db(transaction=True)

BOTH_QUEUES = "atta,bots"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[KilledWeb]:
    """A web server that can be killed."""
    with KilledWeb(tmp_path / "site", of_this_run() | UNLIMITED) as web:
        yield web


def wait(until: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def plies(table: Table) -> int:
    return fresh(table).plies


KILLS, POSTS = by_tier(quick=(2, 40), long=(12, 600))


@pytest.mark.full
def test_killing_a_web_server_neither_loses_nor_repeats_acknowledged_actions(site: KilledWeb, now: datetime) -> None:
    table = seated(guests(4), now)
    hands = [Hand(site.web, table.key, f"token {number}") for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(hammer, hand, POSTS, acts=0.5, chance=number) for number, hand in enumerate(hands)]
        for _ in range(KILLS):
            begin = sum(hand.posts for hand in hands)
            wait(lambda begin=begin: sum(hand.posts for hand in hands) >= begin + 8)  # type: ignore[misc]
            site.kill()
            site.start()
        [one.result() for one in done]
    assert acknowledged(hands) == stored(table)
    assert [ply for ply, _ in stored(table)] == list(range(plies(table)))


def against_a_bot(bot: str, token: str, ruleset: str, now: datetime) -> Table:
    """Return a table where a guest and a bot have started a game."""
    person = Person(guest=guest_of(token))
    table = opening.open_table(TableOptions(ruleset=ruleset, bots=(bot,)), person, now=now)
    opening.join(table.key, person, Addition("mine"), now=now)
    return fresh(table)


@pytest.mark.full
def test_a_bot_whose_worker_is_killed_during_its_turn_acts_after_a_restart(
    stopped_worker: Worker, now: datetime
) -> None:
    table, (guest,) = against_a_bot("greedy", "token 0", "army-ants", now), guests(1)
    if may_act(table, guest, table.turn):
        play(table, [guest], now, most=1)
    before = plies(table)
    app.control.purge()  # only the clock calls the bot
    stopped_worker.queue = BOTH_QUEUES
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_tableaction IN SHARE MODE")  # the bot blocks after choosing its action
        stopped_worker.start(beat=True)
        wait(somebody_waits_for_a_lock)
        stopped_worker.kill()
    assert plies(table) == before
    app.control.purge()
    stopped_worker.start(beat=True)
    wait(lambda: plies(table) > before)
    assert fresh(table).actions.get(ply=before).letter != table.seats.get(guest=guest.guest).letter


def somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


GAMES, ROUNDS, ACTIONS = by_tier(quick=(0, 0, 0), long=(8, 12, 25))


@pytest.mark.skipif(not GAMES, reason="Many games and kills: in the long tier.")
def test_games_against_bots_are_completed_while_processes_are_killed_in_turn(
    site: KilledWeb, stopped_worker: Worker, now: datetime
) -> None:
    rulesets = ("army-ants", "ant-trails-2020", "atta-ants-online")
    tables = [
        against_a_bot("random", f"token {number}", rulesets[number % 3], timezone.now()) for number in range(GAMES)
    ]
    hands = [Hand(site.web, table.key, f"token {number}") for number, table in enumerate(tables)]
    bots = Worker(stopped_worker.folder / "bots", "bots", queue="bots")
    bots.folder.mkdir()
    stopped_worker.start(beat=True)
    bots.start()
    with ThreadPoolExecutor(GAMES) as pool:
        done = [pool.submit(play_on, hand, number) for number, hand in enumerate(hands)]
        for kind in range(ROUNDS):
            begin = sum(map(plies, tables))
            wait(lambda begin=begin: sum(map(plies, tables)) > begin or all(one.done() for one in done))  # type: ignore[misc]
            (site.kill, bots.kill, stopped_worker.kill)[kind % 3]()
            (site.start, bots.start, lambda: stopped_worker.start(beat=True))[kind % 3]()
        [one.result() for one in done]
    for number, table in enumerate(tables):
        if fresh(table).state == Table.State.PLAYING:
            leaving.resign(table.key, Person(guest=guest_of(f"token {number}")), now=timezone.now())
    wait(lambda: not Table.objects.filter(game=None).exists())
    bots.kill()
    assert set(Table.objects.values_list("game__verdict", flat=True)) == {"verified"}
    assert not TableAlarm.objects.exists()
    for hand, table in zip(hands, tables, strict=True):
        letter = table.seats.get(bot="").letter
        mine = table.actions.filter(letter=letter).exclude(token__startswith="resign")
        assert acknowledged([hand]) == list(mine.order_by("ply").values_list("ply", "token"))


def play_on(hand: Hand, chance: int) -> None:
    """Act whenever it is the player's turn, up to a limit or until the game is over."""
    numbers, seen = Random(chance), hand.look()
    while seen["state"] == "playing" and hand.posts < ACTIONS:
        if seen["legal"]:
            seen = hand.post(seen["ply"], numbers.choice(seen["legal"]), again=numbers.random() < 0.3)
        else:
            time.sleep(0.05)
            seen = hand.look()
