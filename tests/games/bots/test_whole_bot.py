"""The bots in the guide and in the client play all games at a real site."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from atta_site import processes
from games.accounts.tokens import Scope, make_token
from games.models import Table
from games.playing import opening
from games.playing.acting import may_act
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person
from tests.games.playing.seating import RULESETS, fresh, play
from tests.games.web.live.reading import web_server
from tests.sites import PATIENCE
from tests.tiers import first_quick

pytestmark = pytest.mark.django_db(transaction=True)

PROJECT = Path(__file__).parents[3]
OF_CLIENT = "import os; from games.client.bots import Bot; Bot(os.environ['ATTA_SERVER'], os.environ['ATTA_TOKEN'])"
BOTS = {
    "guide": [sys.executable, str(PROJECT / "docs" / "guide" / "bot.py")],
    "client": [sys.executable, "-c", f"{OF_CLIENT}.play(lambda table: table['legal'][0])"],
}


@pytest.fixture(scope="module")
def address(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site, streams included: it keeps no state between requests."""
    folder = tmp_path_factory.mktemp("site")
    parts = urlsplit(os.environ["DATABASE_URL"])
    here = {"DATABASE_URL": urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))}
    with web_server(folder / "web", here) as server:
        yield server.ready().address


@pytest.mark.parametrize("bot", first_quick(sorted(BOTS)))
def test_a_bot_accepts_invitations_and_plays_every_game(bot: str, address: str, tmp_path: Path) -> None:
    host, account = (User.objects.create_user(name) for name in ("host", "robot"))
    tables = [table_for(Person(account=host), account, ruleset) for ruleset in RULESETS]
    environment = os.environ | {"ATTA_SERVER": address, "ATTA_TOKEN": make_token(account, Scope.PLAY)}
    with (tmp_path / "bot.log").open("wb") as log:
        process = processes.spawn(BOTS[bot], log.fileno(), env=environment)
    try:
        for table in tables:
            until(lambda table=table: acted_twice(table, Person(account=host), account), tmp_path / "bot.log")  # type: ignore[misc]
    finally:
        processes.kill(process)


def table_for(host: Person, bot: User, ruleset: str) -> Table:
    """Return a table where somebody sits and a bot is invited."""
    options = TableOptions(ruleset=ruleset, visibility=Table.Visibility.NAMES, invited=[bot])
    table = opening.open_table(options, host, now=timezone.now())
    opening.join(table.key, host, Addition("host", born=1950 if ruleset == "atta-ants-2003" else None),
                 now=timezone.now())  # fmt: skip
    return table


def acted_twice(table: Table, host: Person, bot: User) -> bool:
    """Let the host act in their turn; return whether the bot has acted twice, or once in a short game."""
    table = fresh(table)
    if table.turn and may_act(table, host, table.turn):
        play(table, [host], timezone.now(), most=1)
    seat = table.seats.filter(account=bot).first()
    enough = 2 if table.state != Table.State.FINISHED else 1
    return bool(seat and seat.letter and table.actions.filter(letter=seat.letter).count() >= enough)


def until(is_so: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, log.read_text()[-2000:]
        time.sleep(0.02)
