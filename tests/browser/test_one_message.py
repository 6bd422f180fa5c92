"""One message brings the page of a table all that has happened: the page asks for nothing beside it."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Table
from games.playing import acting
from games.playing.reads.people import Person
from games.playing.reads.position import position_of
from tests.browser.scoring import hold_board
from tests.conftest import of_this_run
from tests.games.playing.seating import fresh, play, seated, whose_turn
from tests.games.web.live.reading import Server, web_server

OpenPage = Callable[..., Page]
TOLD = """{ const { EventSource } = window; window.told = [];
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      this.addEventListener("message", ({ data }) => window.told.push(JSON.parse(data)));
    }
  }; }"""
MOVES = ".play-tokens code"


@pytest.fixture(scope="module")
def server(django_db_setup: None, scratch: Path) -> Iterator[Server]:
    """A site that can be killed."""
    with web_server(scratch / "one-message", of_this_run()) as one:
        yield one.ready()


@pytest.fixture
def live(server: Server, transactional_db: None) -> str:
    return server.address


@pytest.fixture
def people(alice: User, bob: User) -> list[Person]:
    return [Person(account=alice), Person(account=bob)]


@pytest.fixture
def table(live: str, people: list[Person]) -> Table:
    """A game with clocks, begun just now."""
    now = timezone.now()
    table = seated(people, now, "army-ants", time_kind="minutes", time_base=900, time_step=20)
    return play(table, people, now, most=2)


def opened(page: Page, table: Table) -> list[str]:
    """Open a table. :returns: what the page asks for from now on, once its stream is open."""
    asked: list[str] = []
    page.add_init_script(TOLD)
    hold_board(page)
    with page.expect_response("**/live/tables/**"):
        page.goto(f"/play/{table.key}/")
    expect(page.locator(MOVES)).to_have_count(table.plies)
    page.on("request", lambda one: asked.append(f"{one.method} {urlsplit(one.url).path}"))
    return asked


def of(person: Person, open_page: OpenPage) -> Page:
    """Return the page of a player."""
    return open_page(person.account)


def act(table: Table, people: list[Person], now: datetime) -> Table:
    """Let whoever is to act play the first legal action."""
    token = position_of(table).legal(table.drawn)[0]
    return acting.act(table.key, whose_turn(table, people), ply=table.plies, token=token, now=now).table


@pytest.mark.full
def test_while_the_opponent_acts_the_page_asks_for_nothing(
    table: Table, people: list[Person], open_page: OpenPage
) -> None:
    opponent = whose_turn(table, people)
    (reader,) = (person for person in people if person != opponent)
    page = of(reader, open_page)
    asked = opened(page, table)
    expect(page.locator("[data-acting]")).to_be_hidden()
    while whose_turn(table, people) == opponent:
        table = fresh(act(table, people, timezone.now()))
        expect(page.locator(MOVES)).to_have_count(table.plies)
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(page.locator(f".play-clock[data-deadline='{table.deadline.isoformat()}']")).to_be_visible()  # type: ignore[union-attr]
    expect(page.locator("#actions [role=option]").first).to_be_attached()
    assert page.title().startswith("(1) ")
    assert asked == []
    page.get_by_role("combobox", name="Action").fill(position_of(table).legal(table.drawn)[0])
    page.locator("[data-confirm-action]").click()
    expect(page.locator(MOVES)).to_have_count(table.plies + 1)
    assert asked == [f"POST /api/v1/tables/{table.key}/actions"]


@pytest.mark.full
def test_a_quiet_form_is_the_only_request(table: Table, people: list[Person], open_page: OpenPage) -> None:
    page = of(people[0], open_page)
    asked = opened(page, table)
    page.locator("summary", has_text="Phrases").click()
    for said in (1, 2):  # the second time with a form that has come with the first
        page.locator(".play-phrases button").nth(said).click()
        expect(page.locator(".play-said li")).to_have_count(said)
    assert asked == [f"POST /play/{table.key}/"] * 2


@pytest.mark.full
@pytest.mark.parametrize("sits", [True, False])
def test_after_a_lost_connection_nothing_is_missing_and_nothing_comes_twice(
    server: Server, table: Table, people: list[Person], open_page: OpenPage, sits: bool
) -> None:
    page = of(people[0], open_page) if sits else open_page()
    opened(page, table)
    known = table.last_event
    table = fresh(act(table, people, timezone.now()))
    expect(page.locator(MOVES)).to_have_count(table.plies)
    server.kill()
    for _ in range(4):
        table = fresh(act(table, people, timezone.now()))
    assert page.locator(MOVES).count() == table.plies - 4
    server.start()
    server.ready()
    expect(page.locator(MOVES)).to_have_count(table.plies, timeout=20_000)
    table = fresh(act(table, people, timezone.now()))
    expect(page.locator(MOVES)).to_have_count(table.plies)
    told = page.evaluate("told")
    numbers = [body["number"] for body in told]
    assert numbers == list(range(known + 1, table.last_event + 1))
    assert [body["number"] for body in told if "parts" in body] == [numbers[0], numbers[-2], numbers[-1]]
    page.wait_for_function("(ply) => board.position.ply === ply", arg=table.plies)
