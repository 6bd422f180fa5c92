"""The head of every page: the tab key follows the eye, and no word in it is broken."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

LOCALES = ("en-US", "de")
FOCUSED = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  const says = one.getAttribute("aria-label") ?? one.textContent.trim();
  return one.closest(".masthead") && [says, Math.round(box.top + box.height / 2), Math.round(box.left)];
}"""
CUT = """all => all.filter((one) => one.offsetHeight > 50 || one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent)"""
BOTH = pytest.mark.parametrize("locale", [LOCALES[0], pytest.param(LOCALES[1], marks=pytest.mark.full)])


def tabbed(page: Page) -> list[tuple[str, int, int]]:
    """Return what the tab key reaches in the head: its name, its middle from above, and its left side."""
    found = []
    page.keyboard.press("Tab")
    while (one := page.evaluate(FOCUSED)) is not None:
        found.append(tuple(one))
        page.keyboard.press("Tab")
    return found


@BOTH
def test_tab_goes_through_the_head_from_left_to_right_on_a_desk(
    live: str, open_page: Callable[..., Page], locale: str
) -> None:
    page = open_page(locale=locale)
    page.goto("/privacy/")
    page.locator(".skip").focus()
    found = tabbed(page)
    assert [left for _, _, left in found] == sorted(left for _, _, left in found)
    assert [name for name, *_ in found][:2] == ["Atta", "Spielen" if locale == "de" else "Play"]
    assert len(found) == 10
    words = page.locator(".masthead :is(.nav a, .nav-act, .who)").filter(visible=True)
    assert set(words.evaluate_all("all => all.map((one) => one.getClientRects().length)")) == {1}
    assert words.evaluate_all(CUT) == []


@BOTH
def test_tab_goes_through_the_head_and_down_its_menu_on_a_phone(
    live: str, open_page: Callable[..., Page], locale: str
) -> None:
    page = open_page(width=390, locale=locale)
    page.goto("/privacy/")
    page.locator(".skip").focus()
    closed = tabbed(page)
    assert [left for _, _, left in closed] == sorted(left for _, _, left in closed)
    assert len(closed) == 4
    page.locator(".menu-opens").focus()
    page.keyboard.press("Enter")
    opened = tabbed(page)
    assert opened == sorted(opened, key=lambda one: one[1:])
    assert opened[0][0] == ("Spielen" if locale == "de" else "Play")
    assert len(opened) == 8


@pytest.mark.parametrize(("button", "inside"), [(".nav-act", 2), (".switches-open", 2)])
def test_a_menu_of_the_head_opens_below_its_button_and_is_next_for_the_tab_key(
    live: str, open_page: Callable[..., Page], button: str, inside: int
) -> None:
    page = open_page()
    page.goto("/privacy/")
    opens = page.locator(button).filter(visible=True)
    opens.focus()
    page.keyboard.press("Enter")
    menu = page.locator(".drop:popover-open")
    above, below = opens.bounding_box(), menu.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"] <= above["y"] + above["height"] + 12
    for _ in range(inside):
        page.keyboard.press("Tab")
        assert menu.evaluate("one => one.contains(document.activeElement)")
    page.keyboard.press("Escape")
    assert menu.count() == 0


def test_a_game_is_entered_by_two_touches_on_a_phone(phone: Page) -> None:
    phone.goto("/")
    phone.get_by_role("button", name="Enter a game").tap()
    phone.locator(".enter").get_by_role("link", name="Score sheet").tap()
    phone.wait_for_url("**/score/")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_first_screen_says_what_this_is_and_begins_with_play(
    live: str, open_page: Callable[..., Page], width: int
) -> None:
    page = open_page(width=width)
    page.goto("/")
    buttons = page.locator("main a.button").filter(visible=True)
    assert buttons.all_inner_texts()[:2] == ["Play now", "Upload a game"]
    box = buttons.nth(1).bounding_box()
    assert box
    assert box["y"] + box["height"] < 400
    assert page.locator("h1").inner_text().split("\n") == ["Three ant board games:", "play, score, replay."]
