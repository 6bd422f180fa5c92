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
    assert len(found) == 12
    words = page.locator(".masthead :is(.nav a, .nav-side, .nav-act, .who)").filter(visible=True)
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
    assert len(opened) == 9
