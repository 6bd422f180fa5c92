"""Pages that every visitor sees, on a phone: nothing is cut, squeezed or out of reach."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.clubs import running
from games.models import Player
from tests.browser.conftest import PHONE, UploadRecords
from tests.factories import duels
from tests.games.judging import count_all
from tests.games.playing.seating import guests, play, seated
from tests.strategies import FIXTURES

pytestmark = pytest.mark.full
TOUCHING = """all => all.map((one) => one.getBoundingClientRect()).filter((one) => one.width)
    .filter((one, at, shown) => at && one.left < shown[at - 1].right + 1).length"""
LOW = """all => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 35.5)
    .map((one) => one.outerHTML)"""
LINES = (
    "one => one.getClientRects().length && Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))"
)


def test_the_contents_of_the_developer_pages_open_on_a_phone(phone: Page) -> None:
    phone.goto("/api/")
    entry = phone.locator(".contents ol a").first
    expect(entry).to_be_hidden()
    phone.locator(".contents summary").click()
    expect(entry).to_be_visible()
    entry.click()
    expect(entry).to_be_hidden()


def test_the_numbers_of_rounds_below_a_timeline_do_not_touch_on_a_phone(
    upload_records: UploadRecords, phone: Page
) -> None:
    (game,) = upload_records((FIXTURES / "ant_trails/games/all-tiles-collected.agn").read_bytes())
    phone.goto(f"/games/{game.key}/")
    numbers = phone.locator(".timeline-number text")
    assert numbers.evaluate_all("all => all.filter((one) => one.getBoundingClientRect().width).length") > 3
    assert numbers.evaluate_all(TOUCHING) == 0


def test_each_fact_of_a_table_to_watch_has_a_line_on_a_phone(live: str, phone: Page) -> None:
    now = timezone.now()
    people = guests(2)
    play(seated(people, now), people, now, most=3)
    phone.goto("/play/")
    row = phone.locator("#watch ~ ul .table-row")
    tops = [row.locator(part).bounding_box() for part in (".table-row-title", ".table-row-state", ".table-row-facts")]
    title, state, facts = [box for box in tops if box]
    assert title["y"] < state["y"] + state["height"]
    assert title["x"] + title["width"] <= state["x"]
    assert facts["y"] > title["y"] + title["height"]
    assert row.locator(".table-row-facts").evaluate(LINES) == 1


def test_how_many_watch_a_game_covers_nothing_on_a_phone(live: str, phone: Page) -> None:
    people = guests(2)
    table = play(seated(people, timezone.now()), people, timezone.now(), most=5)
    phone.goto(f"/play/{table.key}/")
    watching = phone.locator("[data-watching]")
    watching.evaluate("one => { one.textContent = one.dataset.many.replace('{}', 12); one.hidden = false; }")
    turn, watched = phone.locator(".play-head .round-part.now").bounding_box(), watching.bounding_box()
    assert turn
    assert watched
    assert turn["x"] + turn["width"] <= watched["x"]


def test_the_statistics_of_a_player_fit_a_phone_in_german(
    upload_records: UploadRecords, open_page: Callable[..., Page], now: datetime
) -> None:
    upload_records(*duels(12))
    count_all(now)
    page = open_page(width=PHONE, locale="de")
    page.goto(f"/players/{Player.objects.get(name='Bruno').pk}/ladders/atta-ants-online/")
    expect(page.locator(".balances table").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE


def test_what_can_be_done_about_a_broken_move_fits_a_phone_in_german(live: str, open_page: Callable[..., Page]) -> None:
    page = open_page(width=PHONE, locale="de")
    page.goto("/?break=1")
    back = page.get_by_role("link", name="Zurücknehmen").bounding_box()
    assert back
    assert back["x"] + back["width"] <= PHONE
    text = page.locator(".sheet-back").evaluate("one => one.scrollWidth - one.clientWidth")
    assert text == 0


def test_buttons_are_large_enough_for_a_thumb(live: str, alice: User, open_page: Callable[..., Page]) -> None:
    running.found(slug="nest", name="The nest", meets="", main_ruleset="", by=alice, now=timezone.now())
    page, low = open_page(alice, width=PHONE), {}
    for path in ("/", "/clubs/nest/", "/account/", "/account/email/", "/upload/", "/play/", "/games/"):
        page.goto(path)
        low[path] = page.locator("button, a.button").evaluate_all(LOW)
    assert {path: found for path, found in low.items() if found} == {}


@pytest.mark.parametrize("asked", ["", "?game=Army+Ants&shortest=1"])
def test_the_filters_of_games_are_folded_on_a_phone_and_tell_how_many_are_set(
    upload_records: UploadRecords, open_page: Callable[..., Page], asked: str
) -> None:
    upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    page = open_page(width=390, scripts=False)
    page.goto(f"/games/{asked}")
    assert page.locator(".games-list tbody tr").first.bounding_box()["y"] < 600  # type: ignore[index]
    expect(page.locator(".filter-fold .quiet")).to_have_text(["2 set"] if asked else [])
    expect(page.get_by_label("Played from")).to_be_hidden()
    page.locator(".filter-fold summary").click()
    expect(page.get_by_label("Played from")).to_be_visible()
    expect(page.get_by_text("Add a condition")).to_be_visible()
