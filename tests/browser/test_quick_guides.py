"""Two-minute guides: one step in view, reached by link, key or swipe."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.tiers import by_tier

GUIDES = by_tier(
    quick=[("army-ants", 390)],
    long=[(slug, width) for slug in ("atta-ants", "ant-trails", "army-ants") for width in (390, 1280)],
)


@pytest.mark.full
@pytest.mark.parametrize(("slug", "width"), GUIDES)
def test_quick_guide_starts_in_view_and_next_leads_through_all_steps(
    open_page: Callable[..., Page], slug: str, width: int
) -> None:
    page = open_page(width=width)
    page.goto(f"/rules/{slug}/quick/")
    steps = page.locator(".step")
    for at in range(steps.count() - 1):
        expect(steps.nth(at).locator("h2")).to_be_in_viewport()
        steps.nth(at).get_by_role("link", name="Next").click()
    expect(steps.last.get_by_role("link", name="All rules")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_quick_guide_works_without_javascript_and_in_german(open_page: Callable[..., Page]) -> None:
    page = open_page(scripts=False, locale="de")
    page.goto("/rules/army-ants/quick/#step-4")
    expect(page.get_by_role("heading", name="Die höhere Karte bleibt")).to_be_in_viewport()
    expect(page.locator("#step-4").get_by_role("link", name="Zurück")).to_be_in_viewport()
