"""The page of a table: how the game is laid there, and what the heading and the title say of it."""

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.models import Table
from games.playing import leaving
from games.playing.reads.people import Person
from tests.browser.soundness import unsound
from tests.first_view import MOST_SHIFT, first_view
from tests.games.playing.seating import guests, play, seated, whose_turn

OpenPage = Callable[..., Page]


@pytest.fixture
def page(open_page: OpenPage, live: str) -> Page:
    page = open_page()
    page.goto(f"{live}/play/")
    return page


def sit_down(page: Page, ruleset: str) -> None:
    page.get_by_label("Game", exact=True).select_option(ruleset)
    page.get_by_label("Against", exact=True).select_option("screen")
    page.get_by_role("button", name="Open the table").click()
    start = page.get_by_role("button", name="Start")
    start.wait_for()
    if page.get_by_label("Year of birth").count():
        page.get_by_label("Year of birth").fill("1970")
    start.click()


def test_title_and_icon_of_every_page_say_that_it_is_the_readers_turn(
    open_page: OpenPage, live: str, alice: User, bob: User, now: datetime
) -> None:
    people = {Person(account=alice): alice, Person(account=bob): bob}
    table = seated(list(people), now, "army-ants")
    page = open_page(people[whose_turn(table, list(people))])
    page.goto(f"{live}/rules/")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:image/png"))


@pytest.mark.full
def test_board_stays_as_large_while_the_others_act_and_the_dock_says_whose_turn_it_is(
    open_page: OpenPage, live: str, alice: User, bob: User, now: datetime
) -> None:
    people = {Person(account=alice): alice, Person(account=bob): bob}
    table = seated(list(people), now, "army-ants")
    page = open_page(people[whose_turn(table, list(people))])
    page.goto(f"{live}{table.get_absolute_url()}")
    expect(page.locator("[data-sentence]")).to_have_text("Touch a piece, or type.")
    size = page.locator("[data-stage]").bounding_box()
    page.get_by_role("combobox", name="Action").fill("QG")
    page.locator("[data-confirm-action]").click()
    expect(page.locator("[data-sentence]")).to_have_text(re.compile("^It is (alice|bob)’s turn$"))
    expect(page.locator(".play-happened li")).to_have_count(1)
    assert page.locator("[data-stage]").bounding_box() == size


@pytest.mark.full
def test_draw_that_is_offered_is_seen_on_a_phone_without_scrolling(
    open_page: OpenPage, live: str, alice: User, bob: User, now: datetime
) -> None:
    table = seated([Person(account=alice), Person(account=bob)], now, "army-ants")
    page = open_page(bob, width=390)
    page.goto(f"{live}{table.get_absolute_url()}")
    leaving.draw(table.key, Person(account=alice), now=now)
    expect(page.get_by_role("button", name="Accept")).to_be_in_viewport(timeout=20_000)
    expect(page.get_by_text("alice offers a draw.")).to_be_in_viewport()
    assert page.locator(".play-happened").bounding_box()["height"] < 50, "two lines"  # type: ignore[index]


@pytest.mark.full
def test_the_ring_is_laid_card_by_card_where_the_first_player_lays_it(page: Page) -> None:
    sit_down(page, "atta-ants-2003")
    page.get_by_role("button", name="north-west of the nest:").click()
    ways = page.locator("[data-laying-picker] [data-part]:enabled")
    chosen = ways.last.get_attribute("data-part")
    ways.last.click()
    assert unsound(page) == []
    expect(page.get_by_role("button", name=f"north-west of the nest: {chosen}")).to_be_attached()
    page.locator("[data-lay-ring]").click()
    expect(page.locator("#actions [role=option]").first).to_be_visible()
    assert Table.objects.get().setup.split(" ")[0] == chosen
    expect(page.locator(".play-head-says > b")).to_have_text("Round 1")
    expect(page.locator(".round-part.now")).to_have_text("Card")
    assert page.title().startswith("(1) Atta Ants")
    assert unsound(page) == []


@pytest.fixture
def to_lay(request: pytest.FixtureRequest, alice: User, bob: User, now: datetime) -> tuple[User, Table]:
    """Whose turn it is where something is to be laid first, by the rules that a test names."""
    people = {Person(account=alice): alice, Person(account=bob): bob}
    table = seated(list(people), now, request.param)
    return people[whose_turn(table, list(people))], table


@pytest.mark.full
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    ("to_lay", "shown"),
    [("atta-ants-2003", "[data-laying] .place"), ("atta-ants-online", ".hand button")],
    indirect=["to_lay"],
)
def test_nothing_moves_while_a_page_opens_on_which_something_is_to_be_laid(
    live: str, open_page: OpenPage, to_lay: tuple[User, Table], shown: str, width: int
) -> None:
    account, table = to_lay
    page = open_page(account, width=width)
    assert first_view(page, table.get_absolute_url()).shift <= MOST_SHIFT
    expect(page.locator(shown).first).to_be_visible()


@pytest.mark.full
def test_axe_finds_nothing_once_somebody_has_left_a_long_game(live: str, open_page: OpenPage, now: datetime) -> None:
    people = guests(2)
    table = play(seated(people, now, "ant-trails-2020"), people, now, most=40)
    leaving.resign(table.key, whose_turn(table, people), now=now)
    page = open_page(width=390, dark=True)
    page.goto(f"/play/{table.key}/")
    assert page.locator(".play-moves [data-scroll-end]").evaluate("one => one.scrollHeight > one.clientHeight")
    assert page.locator(".play-seat.gone").count() == 1
    assert unsound(page) == []
