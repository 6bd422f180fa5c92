"""The lobby follows what happens at the tables, without taking anything from who looks at it."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Table
from games.playing import leaving, opening
from games.playing.opening import Addition, TableOptions
from games.playing.reads.people import Person
from tests.games.playing.seating import guests

OPEN, WATCH = '[data-list="open"] li', '[data-list="watch"] li'

TOP = "one => one.getBoundingClientRect().top"


def opened(person: Person, ruleset: str) -> Table:
    table = opening.open_table(TableOptions(ruleset=ruleset, places=2), person, now=timezone.now())
    opening.join(table.key, person, Addition("entropy"), now=timezone.now())
    return table


@pytest.mark.full
def test_tables_come_begin_and_vanish_while_somebody_fills_in_the_form(live: str, page: Page) -> None:
    one, other = guests(2)
    page.goto("/play/")
    page.get_by_label("Who may join").select_option("names")
    page.get_by_label("Invited accounts", exact=True).fill("Bru")
    expect(page.get_by_text("No table is waiting for players.")).to_be_visible()
    table = opened(one, "army-ants")
    expect(page.locator(OPEN)).to_have_count(1)
    expect(page.get_by_text("No table is waiting for players.")).to_be_hidden()
    opening.join(table.key, other, Addition("more"), now=timezone.now())
    expect(page.locator(OPEN)).to_have_count(0)
    expect(page.locator(WATCH)).to_have_count(1)
    page.keyboard.type("no")
    expect(page.get_by_label("Invited accounts", exact=True)).to_have_value("Bruno")
    expect(page.get_by_label("Who may join")).to_have_value("names")
    leaving.abort(table.key, one, now=timezone.now())
    expect(page.get_by_role("heading", name="Games to watch")).to_be_hidden()


@pytest.mark.full
def test_the_focus_stays_at_its_table_and_goes_to_the_heading_once_that_is_gone(live: str, page: Page) -> None:
    one, other, third = guests(3)
    table = opened(one, "army-ants")
    page.goto("/play/")
    page.locator(f"{OPEN} a").focus()
    opened(other, "ant-trails-2020")
    expect(page.locator(OPEN)).to_have_count(2)
    expect(page.locator(f"{OPEN} a >> nth=1")).to_be_focused()
    opening.join(table.key, third, Addition("more"), now=timezone.now())
    expect(page.get_by_role("heading", name="Open tables")).to_be_focused()


@pytest.mark.full
def test_the_form_stays_where_it_is_on_the_screen(live: str, page: Page) -> None:
    page.goto("/play/")
    field = page.get_by_label("Time", exact=True)
    field.focus()
    was = field.evaluate(TOP)
    for person in guests(4):
        opened(person, "army-ants")
    expect(page.locator(OPEN)).to_have_count(4)
    assert abs(field.evaluate(TOP) - was) < 1
