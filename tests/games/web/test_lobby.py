"""The lobby as a page: who sits at the tables, and how strong they are."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.registry import RULESETS
from games.models import Player, Table
from games.playing import opening
from games.playing.opening import Addition, TableOptions
from games.web.play.labels import clock_label, time_label, waiting_label
from tests.games.evenings import play
from tests.games.playing.seating import accounts, seated
from tests.games.web.conftest import Read
from tests.strategies import AnyRuleset

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


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", {"Army Ants", "Ant Trails", "Atta Ants"}),
        ("?ruleset=army-ants", {"Army Ants"}),
        ("?pace=days", {"Ant Trails"}),
        ("?rated=yes", {"Atta Ants"}),
        ("?rated=no&pace=none", {"Army Ants"}),
        ("?ruleset=army-ants&rated=yes", set()),
        ("?ruleset=chess&pace=fast&rated=x", {"Army Ants", "Ant Trails", "Atta Ants"}),
    ],
)
@pytest.mark.parametrize("part", ["", "lists"])
def test_tables_are_filtered_by_game_pace_and_rating(read: Read, asked: str, found: set[str], part: str) -> None:
    (ada,) = accounts(1)
    wanted: dict[str, Any] = {
        "army-ants": {},
        "ant-trails-2020": {"time_kind": "days", "time_base": 86_400},
        "atta-ants-online": {"rated": True},
    }
    for ruleset, options in wanted.items():
        table = opening.open_table(TableOptions(ruleset=ruleset, **options), ada, now=timezone.now())
        opening.join(table.key, ada, Addition("entropy"), now=timezone.now())
    words = read(f"/play/{asked}{'&' if asked else '?'}{part}").partition("Open tables")[2].partition("New table")[0]
    assert {name for name in ("Army Ants", "Ant Trails", "Atta Ants") if name in words} == found


def test_the_lobby_says_that_no_table_is_as_wanted(read: Read) -> None:
    assert "No such table is waiting for players." in read("/play/?pace=days")
    assert "No table is waiting for players." in read("/play/")


@pytest.mark.parametrize(
    ("waited", "words"),
    [
        (timedelta(seconds=59), "Just opened"),
        (timedelta(minutes=1), "Waiting for 1 minute"),
        (timedelta(minutes=119), "Waiting for 119 minutes"),
        (timedelta(hours=47), "Waiting for 47 hours"),
        (timedelta(days=2), "Waiting for 2 days"),
    ],
)
def test_a_table_says_for_how_long_it_has_waited(waited: timedelta, words: str) -> None:
    assert waiting_label(waited) == words


def test_the_lobby_says_how_long_open_tables_wait_and_of_others_what_goes_on(read: Read) -> None:
    now, people = timezone.now(), accounts(3)
    table = opening.open_table(TableOptions(ruleset="army-ants"), people[2], now=now - timedelta(hours=3))
    opening.join(table.key, people[2], Addition("entropy"), now=now)
    seated(people[:2], now, "army-ants")
    words = read("/play/")
    assert "Waiting for 3 hours" in words
    assert "Being played" in words


@pytest.mark.parametrize(
    ("kind", "base", "step", "words"),
    [
        (Table.Time.NONE, 0, 0, "No time limit"),
        (Table.Time.MINUTES, 300, 5, "5 min + 5 s"),
        (Table.Time.MINUTES, 90, 90, "1 min 30 s + 1 min 30 s"),
        (Table.Time.MINUTES, 86_000, 5, "23 h 53 min 20 s + 5 s"),
        (Table.Time.MINUTES, 7200, 0, "2 h for each player"),
        (Table.Time.DAYS, 86_400, 0, "1 day for each turn"),
        (Table.Time.DAYS, 90_000, 0, "25 h for each turn"),
    ],
)
def test_time_limits_are_said_in_hours_minutes_and_seconds(kind: Table.Time, base: int, step: int, words: str) -> None:
    assert time_label(kind, base, step) == words


@pytest.mark.parametrize(("left", "shown"), [(None, ""), (65_000, "1:05"), (86_000_000, "23:53:20")])
def test_a_clock_shows_hours_where_there_are_some(left: int | None, shown: str) -> None:
    assert clock_label(left) == shown


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
@pytest.mark.parametrize("bot", ["random", "greedy", "searching"])
def test_one_press_opens_a_table_with_a_bot_and_sits_down(client: Client, ruleset: AnyRuleset, bot: str) -> None:
    pressed = client.post("/play/", {"do": "now", "ruleset": ruleset.slug, "against": bot, "entropy": "mine"})
    table = Table.objects.get()

    assert pressed["Location"] == table.get_absolute_url()
    assert table.state == Table.State.PLAYING
    assert [(seat.entropy, seat.bot) for seat in table.seats.order_by("joined")] == [("mine", ""), ("bot", bot)]
    assert table.setup or table.turn == table.seats.get(bot=bot).letter, "only a bot may have the ring to lay"
    assert b"data-mine" in client.get(pressed["Location"]).content


def test_options_of_a_card_are_those_of_the_game(client: Client) -> None:
    fields = {"do": "now", "ruleset": "atta-ants-2003", "against": "greedy", "places": "3", "letter": "O", "lay": "on"}
    client.post("/play/", fields | {"first": "opener"})
    table = Table.objects.get()

    assert (table.places, table.seats.get(bot="").letter, table.first) == (3, "O", "oldest")
    assert not table.setup, "the player lays it"


def test_who_plays_with_a_friend_sits_and_has_a_link_to_send(client: Client) -> None:
    pressed = client.post("/play/", {"do": "now", "ruleset": "army-ants", "against": "people"}, follow=True)
    table = Table.objects.get()

    assert (table.state, table.visibility, table.seats.count()) == ("open", "link", 1)
    assert "Send them this link:" in pressed.content.decode()


def test_what_cannot_be_played_at_once_is_refused_on_the_page(client: Client) -> None:
    for wrong in ({"ruleset": "chess"}, {"against": "deep thought"}, {"entropy": "ä b"}, {"letter": "X"}):
        fields = {"do": "now", "ruleset": "atta-ants-online", "against": "greedy"} | wrong
        assert client.post("/play/", fields).status_code == 422
