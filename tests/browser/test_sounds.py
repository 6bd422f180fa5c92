"""A table is heard where that is wished, and what is brought home flies there."""

from typing import Any

from playwright.sync_api import Page, expect

from engine.ant_trails.ruleset import ANT_TRAILS
from engine.scene.film import film
from tests.browser.acting import Mouse, Thumb, do
from tests.browser.conftest import UploadRecords
from tests.browser.test_playing_here import PICK, sit_down
from tests.strategies import recorded

FLOWN = """() => { window.flown = []; new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const one of addedNodes)
    if (one.classList?.contains("flying")) window.flown.push(one.querySelector("[data-id]").dataset.id);
}).observe(document.body, { childList: true }); }"""


def test_an_action_at_a_table_is_heard_until_sound_is_switched_off(page: Page) -> None:
    sit_down(page, ANT_TRAILS)
    switch = page.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "true")
    do(page, Mouse(), page.evaluate(PICK, 0))
    expect(switch).to_have_attribute("data-played", "action")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.evaluate("one => delete one.dataset.played")
    page.wait_for_function("() => board.position.ply === 1 && !board.busy")
    do(page, Mouse(), page.evaluate(PICK, 1))
    page.wait_for_function("() => board.position.ply === 2 && !board.busy")
    assert switch.get_attribute("data-played") is None


def test_a_phone_is_silent_until_sound_is_switched_on(phone: Page) -> None:
    sit_down(phone, ANT_TRAILS)
    switch = phone.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "false")
    do(phone, Thumb(), phone.evaluate(PICK, 0))
    phone.wait_for_function("() => board.position.ply === 1 && !board.busy")
    assert switch.get_attribute("data-played") is None
    switch.tap()
    phone.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")


def test_what_is_brought_home_flies_to_its_tray_where_motion_is_wished(
    upload_records: UploadRecords, page: Page
) -> None:
    replay: Any = max(recorded(ANT_TRAILS), key=lambda one: len(one.actions))
    scenes = film(replay.ruleset, replay.states, replay.actions)
    tiles = [{piece.id for piece in scene.pieces if piece.id.startswith("tile:")} for scene in scenes]
    ply = next(ply for ply in range(1, len(tiles)) if tiles[ply - 1] - tiles[ply])
    (game,) = upload_records(replay.text().encode())
    brought = sorted(tiles[ply - 1] - tiles[ply])
    for is_wished in True, False:
        page.emulate_media(reduced_motion="no-preference" if is_wished else "reduce")
        page.goto(f"/games/{game.key}/?ply={ply - 1}")
        page.evaluate(FLOWN)
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-at]").first).to_contain_text(str(ply))
        assert page.evaluate("window.flown") == (brought if is_wished else [])
        expect(page.locator(".flying")).to_have_count(0)
