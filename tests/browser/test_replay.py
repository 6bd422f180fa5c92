"""Stepping through a game."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.army_ants.ruleset import ARMY_ANTS
from games.models import Game
from tests.browser.acting import SETTLED
from tests.browser.conftest import UploadRecords
from tests.browser.late import can_hold, hold, release, wait_for_held
from tests.factories import BROKEN, record
from tests.games.longest import longest
from tests.strategies import FIXTURES

GAME = record("1. NS@0,2 R1:N R2:E / Y1:S Y2:W / 2. NE@1,2 Y1:E / R1:N / *")
LAST = 12
PLACES = "(all) => all.map((one) => [one.dataset.id, one.getAttribute('transform')]).sort()"
LOOKS_SO = f"""(drawn) => {{
  const shown = ({PLACES})([...document.querySelectorAll("svg.board .piece")]);
  return JSON.stringify(shown) === JSON.stringify(drawn);
}}"""
"""Whether the pieces are where they were drawn; removed ones fade out first."""


DRAWN = """(page) => [...page.querySelectorAll("svg.board .piece")].map((one) => {
  const use = one.querySelector("use");
  const parts = [one, use].flatMap((part) => ["class", "transform", "href"].map((name) => part.getAttribute(name)));
  return { id: one.dataset.id, use, looks: [one.dataset.id, ...parts, one.textContent.trim()].join(" ") };
})"""
KEPT = f"""() => ({DRAWN})(document).flatMap(({{ id, use, looks }}) => {{
  const was = window.before.find((one) => one.id === id);
  return was && was.looks !== looks ? [was.use === use] : [];
}})"""
"""Of each piece that changed, whether its drawing is the same element."""
SERVED_SO = f"""async () => {{
  const looks = (page) => JSON.stringify(({DRAWN})(page).map((one) => one.looks).sort());
  const served = await (await fetch(location.href)).text();
  return looks(document) === looks(new DOMParser().parseFromString(served, "text/html"));
}}"""
"""Whether the pieces look as the server draws them at this address."""


@pytest.fixture
def replay(upload_records: UploadRecords, page: Page) -> Page:
    """The game's page, at its last ply."""
    (game,) = upload_records(GAME)
    page.goto(f"/games/{game.key}/?ply={LAST}")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    return page


def at(page: Page) -> Locator:
    return page.locator("[data-at]")


@pytest.mark.full
def test_keys_that_scroll_a_page_control_the_replay_only_inside_it(replay: Page) -> None:
    for key in ("End", "Home", "PageUp"):
        replay.keyboard.press(key)
    expect(at(replay)).to_have_text(str(LAST))
    replay.keyboard.press("ArrowLeft")
    expect(at(replay)).to_have_text("10")
    replay.locator("svg.board").focus()
    replay.keyboard.press("Home")
    expect(at(replay)).to_have_text("0")
    replay.keyboard.press("ArrowRight")
    expect(replay.locator("[data-caption]")).to_have_text("Red lays NS at 0,2.")
    replay.keyboard.press("ArrowRight")
    replay.keyboard.press("ArrowLeft")
    expect(at(replay)).to_have_text("1")
    replay.keyboard.press("End")
    expect(at(replay)).to_have_text(str(LAST))


def test_slider_jumps_to_any_ply_which_the_url_restores(replay: Page) -> None:
    replay.get_by_role("slider").fill("3")
    expect(at(replay)).to_have_text("3")
    expect(replay.locator('[data-moves] [aria-current="step"]')).to_have_text("R2:E")
    expect(replay.locator('[data-moves] a[data-ply]:not([tabindex="-1"])')).to_have_text(["R2:E"])
    expect(replay).to_have_url(re.compile(r"\?ply=3$"))
    replay.reload()
    expect(at(replay)).to_have_text("3")


def test_a_clicked_move_and_the_keyboard_shortcuts_are_shown_without_reloading(replay: Page) -> None:
    replay.evaluate("window.still = true")
    replay.locator("[data-moves]").get_by_role("link", name="Y1:S", exact=True).click()
    expect(replay.locator("[data-caption]")).to_have_text("Y1 walks south.")
    replay.keyboard.press("?")
    expect(replay.get_by_role("dialog")).to_contain_text("ten actions back or forward")
    replay.get_by_role("button", name="Close").click()
    expect(replay.get_by_role("dialog")).to_be_hidden()
    assert replay.evaluate("window.still")


@pytest.mark.full
def test_a_piece_that_only_moves_keeps_its_drawing_and_all_look_as_the_server_draws_them(replay: Page) -> None:
    slider = replay.get_by_role("slider")
    slider.fill("10")
    expect(at(replay)).to_have_text("10")
    replay.evaluate(f"window.before = ({DRAWN})(document)")
    slider.fill("11")
    expect(at(replay)).to_have_text("11")
    assert set(replay.evaluate(KEPT)) == {True}
    slider.fill("3")
    expect(at(replay)).to_have_text("3")
    expect(replay).to_have_url(re.compile(r"\?ply=3$"))

    replay.wait_for_function(SERVED_SO)


@pytest.mark.full
def test_the_board_does_not_shift_while_stepping_back_and_plays_on_from_there(replay: Page) -> None:
    replay.evaluate(SETTLED)
    parts = [replay.locator(part) for part in ("svg.board", ".trays", ".moves")]
    boxes = [part.bounding_box() for part in parts]
    for _ in range(LAST):
        replay.keyboard.press("ArrowLeft")
    expect(at(replay)).to_have_text("0")
    assert [part.bounding_box() for part in parts] == boxes
    replay.get_by_role("button", name="Play").click()
    expect(at(replay)).not_to_have_text("0")
    replay.get_by_role("button", name="Pause").click()
    expect(replay.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.full
def test_trays_and_text_board_follow_the_slider_and_the_digest_can_be_copied(replay: Page) -> None:
    replay.get_by_role("slider").fill("0")
    expect(replay.locator('[data-tray="R"] [data-mark="turn"]')).to_be_visible()
    replay.get_by_role("slider").fill("4")
    expect(replay.locator('[data-tray="Y"] [data-mark="turn"]')).to_be_visible()
    replay.context.grant_permissions(["clipboard-read", "clipboard-write"])
    replay.get_by_role("button", name="Copy", exact=True).click()
    expect(replay.get_by_role("button", name="Copied")).to_be_visible()
    assert replay.evaluate("navigator.clipboard.readText()") == Game.objects.get().digest
    replay.get_by_text("The board as text", exact=True).click()
    expect(replay.locator("[data-picture]")).to_contain_text("Y to act, R first player")
    expect(replay.locator("[data-copy-board]")).to_have_attribute("data-copy", re.compile("Y to act, R first player"))


@pytest.mark.full
def test_a_step_includes_what_changes_nothing_on_the_board(replay: Page) -> None:
    replay.get_by_role("slider").fill("2")
    replay.locator("svg.board").focus()
    replay.keyboard.press("ArrowRight")
    expect(at(replay)).to_have_text("4")
    expect(replay.locator("[data-caption]")).to_have_text("R2 walks east. Red ends its turn.")
    replay.keyboard.press(",")
    expect(replay.locator("[data-caption]")).to_have_text("R2 walks east.")
    replay.keyboard.press("ArrowDown")
    expect(at(replay)).to_have_text("4")
    replay.keyboard.press("ArrowDown")
    expect(at(replay)).to_have_text(str(LAST))
    replay.locator("[data-menu] summary").click()
    replay.get_by_label("Step by").select_option("turn")
    replay.get_by_role("link", name="Previous").click()
    expect(at(replay)).to_have_text("10")


@pytest.mark.full
def test_events_are_marks_on_the_timeline_that_keys_and_pointer_reach(
    upload_records: UploadRecords, page: Page
) -> None:
    (game, *_) = upload_records((FIXTURES / "atta_ants/games/thieves-of-three.agn").read_bytes())
    page.goto(f"/games/{game.key}/?ply=0")
    marks = page.locator("[data-event]")
    first = marks.first.get_attribute("aria-label") or ""
    page.locator("[data-menu] summary").click()
    page.get_by_role("link", name="Next event").click()
    page.locator("[data-menu] summary").click()
    expect(at(page)).not_to_have_text("0")
    page.keyboard.press("Shift+ArrowLeft")
    marks.first.focus()
    expect(page.locator("[data-tip]")).to_have_text(first)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(at(page)).to_have_text(page.evaluate("document.activeElement.dataset.event"))
    page.locator("[data-way]").click(position={"x": 3, "y": 20})
    expect(at(page)).to_have_text(re.compile("^[0-3]$"))


@pytest.mark.full
def test_looking_closer_says_and_shows_what_can_be_taken(upload_records: UploadRecords, page: Page) -> None:
    (game,) = upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    page.goto(f"/games/{game.key}/?ply=30")
    page.keyboard.press("l")
    closer = page.locator("[data-closer]")
    expect(closer).to_contain_text("The 7 on a4 can take the 5 on a5.")
    expect(closer).to_contain_text("Red’s 7 on a4 takes the 5 on a5.")
    expect(page.locator(".closer-way")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    expect(closer).to_contain_text("Black can take")
    expect(page).to_have_url(re.compile(r"\?ply=31&closer="))
    closer.locator("[data-act]").first.click()
    expect(page.locator(".branch-moves .move[aria-current]")).to_have_count(1)
    expect(closer).to_be_hidden()
    expect(page.locator(".closer-way")).to_have_count(0)


@pytest.mark.full
def test_on_a_phone_looking_closer_comes_into_view_and_so_does_the_board_after_an_action(
    upload_records: UploadRecords, phone: Page
) -> None:
    (game,) = upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    phone.goto(f"/games/{game.key}/?ply=30")
    phone.locator("[data-menu] summary").tap()
    phone.get_by_role("link", name="Look closer").tap()
    expect(phone.locator(".closer-head")).to_be_in_viewport()
    phone.locator("[data-closer] [data-act]").first.tap()
    expect(phone.locator(".branch-moves .move[aria-current]")).to_have_count(1)
    expect(phone.locator(".stage svg.board:visible")).to_be_in_viewport(ratio=0.9)


@pytest.mark.full
def test_what_if_branches_hang_in_the_moves_and_a_link_holds_them(upload_records: UploadRecords, page: Page) -> None:
    (game,) = upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    page.goto(f"/games/{game.key}/?ply=30")
    page.keyboard.press("b")
    page.get_by_placeholder("Type or touch").fill("a4xa5")
    page.keyboard.press("Enter")
    expect(page.locator("[data-caption]")).to_have_text("Red’s 7 on a4 takes the 5 on a5.")
    page.get_by_role("textbox", name="Comment").fill("A free card")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".branch-moves")).to_have_text("a4xa5 A free card")
    expect(page.locator("[data-caption]")).to_have_text("Black moves its 2 out from d8 to e8.")
    page.reload()
    expect(page.locator("[data-caption]")).to_have_text("Red’s 7 on a4 takes the 5 on a5.")
    page.get_by_role("button", name="Open on the score sheet").click()
    expect(page.locator(".editor-text textarea")).to_have_value(re.compile("a4xa5"))


@pytest.mark.full
def test_an_action_listed_for_a_branch_is_done_by_one_touch_on_a_phone(
    upload_records: UploadRecords, phone: Page
) -> None:
    (game,) = upload_records(GAME)
    phone.goto(f"/games/{game.key}/?ply=1")
    phone.get_by_role("button", name="What if", exact=True).tap()
    phone.get_by_role("option").filter(has_text=re.compile(r"^R2:N ")).tap()
    expect(phone.locator(".branch-moves .move[aria-current]")).to_have_text("R2:N")


@pytest.mark.full
def test_an_action_of_a_branch_is_kept_when_its_answer_comes_after_leaving(
    upload_records: UploadRecords, page: Page
) -> None:
    (game,) = upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    can_hold(page).goto(f"/games/{game.key}/?ply=30")
    page.keyboard.press("b")
    page.get_by_placeholder("Type or touch").fill("a4xa5")
    hold(page, "play=a4xa5")
    page.keyboard.press("Enter")
    wait_for_held(page)
    page.get_by_role("button", name="Back to the game").click()
    release(page)
    expect(page.locator(".branch-moves")).to_have_text("a4xa5")
    expect(page.locator(".is-free")).to_have_count(0)


@pytest.mark.full
def test_a_branch_of_a_link_ends_before_its_first_illegal_action(upload_records: UploadRecords, page: Page) -> None:
    (game,) = upload_records(GAME)
    page.goto(f'/games/{game.key}/?ply=1#what-if=[[1,["R1:E","R1:W"],{{}}]]')
    expect(page.locator("[data-reason]")).to_have_text("Ant R1 has already moved this turn. ATTA-MOVE-1")
    expect(page.locator(".branch-moves")).to_have_text("R1:E")
    expect(page.locator("[data-caption]")).to_have_text("R1 walks east.")


@pytest.mark.full
def test_only_visited_parts_of_a_long_game_are_fetched_and_look_the_same(
    upload_records: UploadRecords, page: Page
) -> None:
    (game,) = upload_records(longest(ARMY_ANTS).text().encode())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/frames" in request.url else None)
    page.goto(f"/games/{game.key}/?ply=249")
    page.locator("svg.board").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(at(page)).to_have_text("252")
    expect(page.locator(".moves-parts")).to_contain_text("Actions 251–500 of 5000")
    expect(page.locator('[data-moves] [aria-current="step"]')).to_have_attribute("data-ply", "252")
    page.get_by_role("link", name="Earlier moves").click()
    expect(at(page)).to_have_text("250")
    expect(page.locator(".moves-parts")).to_contain_text("Actions 1–250 of 5000")
    assert sorted({address.split("start=")[1] for address in asked}) == ["200"]
    page.get_by_role("slider").fill("5000")
    expect(page.locator('[data-moves] [aria-current="step"]')).to_have_attribute("data-ply", "5000")
    assert len(asked) <= 4
    looks_the_same_whichever_frame_is_fetched_first(page, f"/games/{game.key}/")


def looks_the_same_whichever_frame_is_fetched_first(page: Page, address: str) -> None:
    page.goto(f"{address}?ply=201")
    drawn = page.locator("svg.board .piece").evaluate_all(PLACES)
    page.goto(f"{address}?ply=198")
    page.locator("svg.board").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(at(page)).to_have_text("201")
    page.wait_for_function(LOOKS_SO, arg=drawn)


def test_a_reader_who_steps_before_the_first_frames_are_there_stays_where_they_went(
    upload_records: UploadRecords, page: Page
) -> None:
    (game,) = upload_records(longest(ARMY_ANTS).text().encode())
    can_hold(page).add_init_script("holds = 'frames?start=100'")
    page.clock.install()
    page.goto(f"/games/{game.key}/?ply=199")
    wait_for_held(page)
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # so that the address is not kept yet
    page.keyboard.press("ArrowRight")
    expect(at(page)).to_have_text("200")
    release(page)
    expect(at(page)).to_have_text("200")
    page.clock.run_for(1000)
    expect(page).to_have_url(re.compile(r"\?ply=200$"))


@pytest.mark.full
def test_branches_are_made_walked_and_deleted_by_keyboard_alone(upload_records: UploadRecords, page: Page) -> None:
    (game,) = upload_records(GAME)
    page.goto(f"/games/{game.key}/?ply=1")
    page.keyboard.press("b")
    expect(page.locator(".is-free")).to_be_visible()
    for token in ("R1:E", "R2:N"):
        page.keyboard.type(token)
        page.keyboard.press("Enter")
        expect(page.locator(".branch-moves .move[aria-current]")).to_have_text(token)
    page.locator(".branch-moves .move").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".branch-moves .move[aria-current]")).to_have_text("R1:E")
    expect(page.locator(".branch-moves .move").first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Delete this branch")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".branch-moves")).to_have_count(0)
    expect(page.locator("[data-moves]")).to_be_focused()


def test_the_focus_goes_along_into_a_branch_and_back_and_each_ply_is_said_once(
    upload_records: UploadRecords, page: Page
) -> None:
    (game,) = upload_records(GAME)
    page.goto(f'/games/{game.key}/?ply=1#what-if=[[1,["R1:E"],{{}}],[1,["R2:N"],{{}}]]')
    said, caption = page.locator("[data-branch-said]"), page.locator("[data-caption]")
    expect(page.locator("[data-live]")).to_contain_text("R1 walks east.")
    expect(caption).to_have_attribute("aria-live", "off")
    page.get_by_role("button", name="Move this branch to the front").press("Enter")
    expect(said).to_have_text("This branch is first now.")
    expect(page.get_by_role("group", name="What if 1").get_by_role("button", name="R2:N")).to_be_focused()
    page.get_by_role("button", name="Back to the game").press("Enter")
    expect(page.get_by_role("button", name="What if", exact=True)).to_be_focused()
    expect(caption).to_have_attribute("aria-live", "polite")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="What if", exact=True)).to_be_focused()


def test_a_step_that_leads_no_further_keeps_the_focus(replay: Page) -> None:
    for name in ("First position", "Last position"):
        replay.locator(".controls-steps a", has_text=name).focus()
        replay.keyboard.press("Enter")
        expect(replay.locator(".controls-steps a", has_text=name)).to_have_attribute("aria-disabled", "true")
        expect(replay.locator(".controls-steps a", has_text=name)).to_be_focused()


def test_a_rejected_game_opens_at_its_fault(upload_records: UploadRecords, page: Page) -> None:
    (game,) = upload_records(BROKEN)
    page.goto(f"/games/{game.key}/")
    expect(at(page)).to_have_text("3")
    expect(page.locator("#fault h2")).to_have_text("Ant R1 has already moved this turn.")
    page.locator(".fault-place a").click()
    expect(page).to_have_url(re.compile("/rules/atta-ants/#ATTA-MOVE-1$"))
    expect(page.locator("#ATTA-MOVE-1")).to_be_in_viewport()


@pytest.mark.full
@pytest.mark.parametrize("scripts", [True, False])
def test_a_rejected_token_of_another_seat_stays_in_its_turn_at_every_ply(
    upload_records: UploadRecords, open_page: Callable[..., Page], *, scripts: bool
) -> None:
    (game,) = upload_records(record("NS@0,2 R1:N R2:E / R1:N *"))
    page = open_page(scripts=scripts)
    page.goto(f"/games/{game.key}/")
    turns, mistake = page.locator("[data-moves] .turn"), page.locator("[data-moves] .faulty")
    for ply, step in (("4", "Previous"), ("2", "First position"), ("0", "To the mistake"), ("4", "First position")):
        expect(at(page)).to_have_text(ply)
        expect(turns).to_have_text([re.compile(r"^R\s*NS@0,2 R1:N R2:E /\s*$"), re.compile(r"^Y\s*R1:N$")])
        page.get_by_role("link", name=step, exact=True).click()
    mistake.click()
    expect(page.locator("#fault h2")).to_have_text("It is Yellow’s turn; R1 is a red ant.")
    expect(page.locator("#fault h2")).to_be_in_viewport()


def test_without_scripts_every_step_is_a_link(upload_records: UploadRecords, open_page: Callable[..., Page]) -> None:
    (game,) = upload_records(GAME)
    page = open_page(scripts=False)
    page.goto(f"/games/{game.key}/")
    expect(page.locator("[data-caption]")).to_have_text("Eight cards lie around the nest. Red begins.")
    expect(page.locator(".game-won")).to_be_hidden()
    page.get_by_role("link", name="Play the game from its beginning").click()
    expect(at(page)).to_have_text("1")
    page.locator("[data-moves]").get_by_role("link", name="Y1:S", exact=True).click()
    expect(page.locator("[data-caption]")).to_have_text("Y1 walks south.")
    expect(page.get_by_role("button", name="Play")).to_be_hidden()
    page.goto(f"/games/{game.key}/?ply=0")
    page.get_by_role("link", name="Next turn of Bruno").click()
    expect(at(page)).to_have_text("7")
    page.locator("[data-menu] summary").click()
    page.get_by_role("link", name="Look closer").click()
    expect(page.locator("[data-closer]")).to_contain_text("Legal actions")


@pytest.mark.full
def test_without_scripts_the_list_of_moves_stands_at_the_action_shown(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    (game,) = upload_records((FIXTURES / "army_ants/games/at-random.agn").read_bytes())
    page = open_page(scripts=False)
    page.goto(f"/games/{game.key}/?ply=2")
    expect(page.locator('[data-moves] [data-ply="2"]')).to_be_in_viewport()
    expect(page.locator('[data-moves] [data-ply="60"]')).not_to_be_in_viewport()
    page.goto(f"/games/{game.key}/?ply=60")
    expect(page.locator('[data-moves] [data-ply="60"]')).to_be_in_viewport()
    expect(page.locator("svg.board")).to_be_in_viewport()


@pytest.mark.full
def test_the_large_button_plays_and_the_result_comes_with_the_last_position(
    upload_records: UploadRecords, page: Page
) -> None:
    (game,) = upload_records((FIXTURES / "army_ants/games/resigned.agn").read_bytes())
    page.goto(f"/games/{game.key}/")
    won, places = page.locator(".game-won"), page.locator(".sitting-place")
    expect(at(page)).to_have_text("0")
    expect(won).to_be_hidden()
    page.get_by_role("link", name="Play the game from its beginning").click()
    expect(at(page)).not_to_have_text("0")
    expect(page.locator("[data-begin]")).to_have_count(0)
    page.get_by_role("link", name="Last position").click()
    expect(won).to_be_visible()
    expect(places.first).to_be_visible()
    expect(page.get_by_role("link", name="Show the result")).to_be_hidden()
    page.get_by_role("link", name="Previous").click()
    expect(won).to_be_hidden()
