"""Two-minute guides: one step in view, reached by link, key or swipe."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scoring import hold_board, touch
from tests.tiers import by_tier

GUIDES = by_tier(
    quick=[("army-ants", 390)],
    long=[(slug, width) for slug in ("atta-ants", "ant-trails", "army-ants") for width in (390, 1280)],
)


NEXT = """(ply) => {
  const { spelling } = board;
  const [end] = spelling.ends;
  if (board.busy || board.position.ply !== ply) return null;
  return end.route.find((node, at) => spelling.path[at] !== node)?.t ?? spelling.here;
}"""
"""What to touch next for the first action that is possible; its end again where only one way led to it."""


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


def test_a_step_is_done_by_who_reads_it_and_other_touches_are_answered(page: Page) -> None:
    hold_board(page).goto("/rules/army-ants/quick/#step-3")
    step = page.locator("#step-3")
    expect(step.get_by_text("Your turn: ")).to_be_visible()
    page.wait_for_function("() => globalThis.board?.position?.ply === 2")
    touch(page, "BQ")
    expect(step.locator(".acting-reason")).to_have_text("It is Red’s turn; the card on c8 is Black’s.")
    for target in page.evaluate("board.spelling.ends[0].route.map(({ t }) => t)"):
        touch(page, target)
    expect(step.get_by_text("Done: ")).to_be_visible()
    expect(step.locator(".step-acting")).to_have_count(0)
    expect(step.locator(".step-board > .board")).to_be_visible()
    expect(step.get_by_role("link", name="Play this now")).to_have_attribute("href", "/play/#now-army-ants")


@pytest.mark.full
@pytest.mark.parametrize("slug", ["atta-ants", "ant-trails", "army-ants"])
def test_every_step_can_be_done_by_touching_what_is_marked(page: Page, slug: str) -> None:
    hold_board(page).goto(f"/rules/{slug}/quick/")
    steps = page.locator("[data-record]")
    for at in range(steps.count()):
        step = steps.nth(at)
        page.evaluate("(id) => location.replace(`#${id}`)", step.get_attribute("id"))
        ply = int(step.get_attribute("data-ply") or 0)
        page.wait_for_function(f"() => globalThis.board?.position?.ply === {ply} && board.spelling.ends.length")
        while target := page.evaluate(NEXT, ply):
            touch(page, target)
        expect(step.locator("[data-try]")).to_have_text(re.compile("^Done: "))
