"""Every page: for everybody, on every screen, in light and dark."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from games.models import Player, Upload
from tests.browser.conftest import SCREENS, UploadRecords, on_screen, open_switches
from tests.browser.soundness import unsound
from tests.factories import BROKEN, duels, record
from tests.strategies import FIXTURES
from tests.tiers import by_tier, first_quick

LONG = "Maximiliane-Friederike von und zu Ameisenhausen-Blattschneider"
WIDEST, TABLET = 390, 768


@pytest.fixture
def pages(upload_records: UploadRecords) -> dict[str, str]:
    """Return an address of every kind of page, with content."""
    game, broken, tag, *_ = upload_records(
        record("NS@0,2 R1:N {a comment that is a little longer than the others} R2:E / Y1:S resign:Y 1-2",
               names=(LONG, "مُحَمَّد"), Event="Thursday table", Site="The nest", Date="2026.03.14"),
        BROKEN,
        record(Event="x" * 240).replace(b'[Seats "R Y"]', b'[Seats "R R"]'),
        *duels(12),
    )  # fmt: skip
    player = Player.objects.get(name="Ada").pk
    fixed = ("/", "/players/", "/search/?q=a", "/privacy/", "/check/",
             "/upload/", "/score/", "/games/", "/leaderboards/", "/leaderboards/atta-ants-online/", "/rules/",
             "/rules/agn/", "/rules/atta-ants/quick/", "/rules/atta-ants/", "/api/",
             "/api/v1/docs/", "/api/v1/games", "/nothing/")  # fmt: skip
    made = {
        "result": f"/uploads/{Upload.objects.get().pk}/",
        "game": f"/games/{game.key}/?ply=2",
        "rejected": f"/games/{broken.key}/",
        "fault in the tags": f"/games/{tag.key}/",
        "player": f"/players/{player}/",
        "bad filter": "/games/?since=x",
        "no such upload": f"/uploads/{uuid4()}/",
    }
    return {path: path for path in fixed} | made


@SCREENS
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    pages: dict[str, str], open_page: Callable[..., Page], width: int, *, dark: bool
) -> None:
    page = open_page(width=width, dark=dark)
    found = {}
    for name, path in on_screen([*pages.items()], width):
        page.goto(path)
        found[name] = unsound(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.full
def test_no_page_scrolls_sideways_on_a_tablet(pages: dict[str, str], open_page: Callable[..., Page]) -> None:
    page = open_page(width=TABLET)
    widths = {}
    for name, path in on_screen([*pages.items()], TABLET):
        page.goto(path)
        widths[name] = page.evaluate("document.documentElement.scrollWidth")
    assert {name: wide for name, wide in widths.items() if wide > TABLET} == {}


@pytest.mark.full
def test_phone_layout_stacks_board_controls_players_and_moves(
    pages: dict[str, str], open_page: Callable[..., Page]
) -> None:
    page = open_page(width=WIDEST)
    page.goto(pages["game"])
    boxes = [
        page.locator(part).bounding_box() for part in (".stage", ".timeline", ".controls-steps", ".trays", ".moves")
    ]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert len(tops) == 5


@pytest.mark.full
@pytest.mark.parametrize("width", by_tier(quick=first_quick([360, 1280]), long=[360, WIDEST, 768, 1280]))
def test_player_trays_fit_their_column_even_with_long_german_words(
    upload_records: UploadRecords, open_page: Callable[..., Page], width: int
) -> None:
    [trails] = upload_records((FIXTURES / "ant_trails/games/all-tiles-collected.agn").read_bytes())
    page = open_page(width=width, locale="de")
    page.goto(f"/games/{trails.key}/")
    expect(page.locator(".tray-counts").first).to_contain_text("längster Pfad")
    over = "[...document.querySelectorAll('.tray')].map((tray) => tray.scrollWidth - tray.clientWidth)"
    assert set(page.evaluate(over)) == {0}
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.full
def test_german_words_fit_the_header_and_the_score_sheet(open_page: Callable[..., Page]) -> None:
    page = open_page(width=1250, locale="de")
    page.goto("/check/")
    cut = "[...document.querySelectorAll('.masthead a')].filter((one) => one.scrollWidth > one.clientWidth).length"
    assert page.evaluate(cut) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 1250
    page.set_viewport_size({"width": WIDEST, "height": 844})
    page.goto("/score/")
    expect(page.locator("[data-upload-why]")).to_have_text("erst die Aufstellung beenden")
    assert page.evaluate("document.documentElement.scrollWidth") == WIDEST


@pytest.mark.full
@pytest.mark.parametrize("width", [WIDEST, 1280])
def test_the_longest_sentence_below_a_board_is_shown_whole(
    upload_records: UploadRecords, open_page: Callable[..., Page], width: int
) -> None:
    ants, *_ = upload_records((FIXTURES / "atta_ants/games/written-by-hand.agn").read_bytes())
    page = open_page(width=width)
    page.goto(f"/games/{ants.key}/?ply=10")
    caption = page.locator("[data-caption]")
    expect(caption).to_have_text(re.compile("^Orange ends its turn. The spiders move: .* Orange wins with one ant.$"))
    assert caption.evaluate("one => one.scrollHeight <= one.clientHeight")
    assert unsound(page) == []


def test_the_theme_changes_at_once_and_stays(page: Page) -> None:
    page.goto("/rules/")
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    open_switches(page)
    page.get_by_role("button", name="Dark theme").click()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != paper
    page.goto("/games/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    open_switches(page)
    page.get_by_role("button", name="Light theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


@pytest.mark.full
def test_theme_can_be_changed_without_javascript(open_page: Callable[..., Page]) -> None:
    page = open_page(scripts=False)
    page.goto("/rules/")
    open_switches(page)
    page.get_by_role("button", name="Dark theme").click()
    expect(page).to_have_url("/rules/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_first_tab_stop_skips_to_the_content(page: Page) -> None:
    page.goto("/games/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


@pytest.mark.full
def test_a_row_opens_wherever_it_is_clicked(pages: dict[str, str], page: Page) -> None:
    page.goto("/games/?verdict=rejected")
    page.locator("tbody tr td.date").first.click(force=True)  # the link of the row deliberately covers it
    expect(page.locator("#fault")).to_be_visible()
