"""What the site calls guests and its own bots: fixed in records, in the reader's language on pages."""

from datetime import datetime

import pytest
from django.http import QueryDict
from django.utils import translation

from engine.searching.choosing import Strength
from games.mail.texts import turn_item
from games.models import Table
from games.platform.without_account import names_without_account, shown_name
from games.playing import opening
from games.playing.finishing import record_of
from games.playing.opening import Addition, TableOptions
from games.playing.phrases import send
from games.playing.reads.people import NOBODY, Person
from games.playing.reads.state import table_json
from games.web.play.lobby import lobby_page
from games.web.play.table import table_page
from games.web.site.home import home_page
from tests.games.playing.seating import fresh, guests, play, seated

pytestmark = pytest.mark.django_db
STORED, GERMAN = {"Guest (1)", "greedy bot (1)"}, {"Gast (1)", "Bot mittel (1)"}


def with_a_bot(person: Person, now: datetime) -> Table:
    table = opening.open_table(TableOptions(ruleset="ant-trails-2020", bots=["greedy"]), person, now=now)
    opening.join(table.key, person, Addition("mine"), now=now)
    return fresh(table)


def test_the_table_and_the_lobby_name_guests_and_bots_in_the_readers_language(now: datetime) -> None:
    [person] = guests(1)
    table = with_a_bot(person, now)
    send(table.key, person, "hello", now=now)
    for language, names in (("en", STORED), ("de", GERMAN)):
        with translation.override(language):
            page = table_page(table, NOBODY)
            lobby = lobby_page(NOBODY, QueryDict(), QueryDict(), now=now)
            assert {seat.name for seat in page.seats} == names
            assert {seat.name for row in lobby.playing for seat in row.seats} == names
            assert {said.name for said in page.said} < names


def test_the_first_page_and_mails_name_guests_in_the_readers_language(now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now), people, now, most=3)
    with translation.override("de"):
        moving = home_page(QueryDict(), now=now).moving
        assert moving is not None
        assert {seat.name for seat in moving.seats} == {"Gast (1)", "Gast (2)"}
        assert "gegen Gast (" in turn_item(table).sentence


def test_records_and_the_api_hold_one_name_in_every_language(now: datetime) -> None:
    table = with_a_bot(guests(1)[0], now)
    with translation.override("de"):
        assert {seat["name"] for seat in table_json(table, NOBODY, now=now)["seats"]} == STORED
        assert all(f'"{name}"' in record_of(table, ()) for name in STORED)


def test_every_strength_has_a_name_and_a_german_one() -> None:
    for bot in ("", *Strength):
        name = next(names_without_account(bot))
        with translation.override("de"):
            assert shown_name(name) != name
    assert shown_name("alice") == "alice"
