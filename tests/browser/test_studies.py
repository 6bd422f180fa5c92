"""A study in the browser: begun on a replay, edited on the board, and sound in all widths and themes."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Literal

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from playwright.sync_api import Page, Request, Route, expect

from engine.studying import Mark, Node, Tree
from games.models import Game, Study, Upload
from games.studies import writing
from tests.browser.conftest import SCREENS
from tests.browser.soundness import unsound
from tests.factories import SETUP, duels
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

TAGS = {"Game": "Atta Ants", "Rules": "online", "Seats": "R Y", "Setup": SETUP}


@pytest.mark.full
def test_what_if_becomes_a_study_that_is_edited_on_its_board(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    upload_file(next(duels(1)), via=Upload.Via.WEB, now=now, uploader=alice)
    judge_all(now)
    page = open_page(alice)
    page.goto(f'{Game.objects.get().get_absolute_url()}?ply=1#what-if=[[1,["R2:N"],{{}}]]')
    page.get_by_role("button", name="Save as a study").click()
    expect(page.locator(".variation .move")).to_have_text("R2:N")

    page.locator(".variation .move").click()
    expect(page.locator(".variation .move")).to_have_attribute("aria-current", "step")
    page.get_by_label("Comment on R2:N").fill("The other ant first")
    page.get_by_role("button", name="Save comment").click()
    expect(page.locator(".variation .comment")).to_have_text("The other ant first")

    page.get_by_role("button", name="Act on the board").click()
    page.get_by_role("combobox", name="Action").fill("R1:E")
    page.keyboard.press("Enter")
    expect(page.locator(".variation .move").nth(1)).to_have_text("R1:E")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Act on the board")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".variation .move").first).to_have_attribute("aria-current", "step")


@pytest.mark.full
def test_who_signs_in_to_save_a_study_comes_back_to_the_branches(live: str, page: Page, now: datetime) -> None:
    user = User.objects.create_user("ada", "ada@ants.example", "Leaf-Cutter-1923")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    upload_file(next(duels(1)), via=Upload.Via.WEB, now=now)
    judge_all(now)
    page.goto(f'{Game.objects.get().get_absolute_url()}?ply=1#what-if=[[1,["R2:N"],{{}}]]')
    page.get_by_role("link", name="Sign in to save a study").click()
    known = page.get_by_role("region", name="Sign in")
    known.get_by_label("Name or e-mail address").fill("ada")
    known.get_by_label("Password").fill("Leaf-Cutter-1923")
    known.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Save as a study").click()
    expect(page.locator(".variation .move")).to_have_text("R2:N")


def two_chapters(alice: User, now: datetime) -> Study:
    first = next(duels(1)).decode().splitlines()[-1].split()[0]
    nodes = (Node(first, -1), Node("R1:N", 0), Node("R2:N", 0))
    chapters = [writing.NewChapter(title, Tree(TAGS, nodes)) for title in ("First", "Second")]
    return writing.create(writing.About("Openings", "public"), chapters, by=alice, now=now)


@pytest.mark.full
def test_what_is_written_is_saved_before_the_reader_moves_on(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    study, page = two_chapters(alice, now), open_page(alice)
    page.goto(study.get_absolute_url())

    page.get_by_label("Comment on the first position").fill("How it begins")
    page.locator(".tree .move").first.click()
    expect(page.locator(".tree > .comment")).to_have_text("How it begins")
    page.get_by_label("Comment on .@-1,-2").fill("And goes on")
    page.get_by_role("button", name="Draw marks").click()
    page.get_by_role("button", name="Mark", exact=True).click()
    expect(page.locator(".study-marked li")).to_have_count(1)
    expect(page.locator("#comment")).to_have_value("And goes on")
    expect(page.locator(".study-comment")).to_have_count(0)
    expect(page.locator(".messages")).to_have_count(0)


@pytest.mark.full
def test_a_study_is_read_and_edited_by_keyboard_alone_and_says_what_it_shows(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    study = two_chapters(alice, now)
    page = open_page(alice)
    page.goto(f"/studies/{study.key}/?chapter={study.chapters.order_by('pk')[0].pk}")
    said = page.locator("[data-study-said]")
    page.locator('[data-go="last"]').press("Enter")
    expect(said).to_have_text("R1 walks north.")
    expect(page.locator('[data-go="last"]')).to_be_focused()
    page.locator("[data-tree] .move[aria-current]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-tree] .move").first).to_be_focused()
    expect(page.locator('[data-tree] .move[tabindex="0"]')).to_have_count(1)
    expect(page.get_by_label("Add an action")).to_be_hidden()
    page.get_by_role("button", name="Draw marks").press("Enter")
    page.get_by_role("button", name="Mark", exact=True).press("Enter")
    expect(said).to_contain_text("Marks: green")
    expect(page.get_by_role("button", name="Mark", exact=True)).to_be_focused()
    page.get_by_role("button", name="Act on the board").press("Enter")
    expect(page.get_by_role("group", name="Act on the board")).to_be_focused()
    page.get_by_role("button", name="Done").press("Enter")
    expect(page.get_by_role("button", name="Act on the board")).to_be_focused()


@pytest.mark.full
def test_variations_and_chapters_are_moved_and_added_by_keyboard_alone(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    study, page = two_chapters(alice, now), open_page(alice)
    first = study.chapters.order_by("pk")[0]
    page.goto(f"/studies/{study.key}/?chapter={first.pk}&node=2")
    said, chapters = page.locator("[data-study-said]"), page.locator(".chapters li")
    page.get_by_role("button", name="Move variation up").press("Enter")
    expect(page.locator(".variation .move")).to_have_text("R1:N")
    expect(page.locator("[data-tree] .move[aria-current]")).to_be_focused()
    page.locator("summary", has_text="Title and chapters").press("Enter")
    page.get_by_role("button", name="Move chapter down").press("Enter")
    expect(chapters).to_have_text(["Second", "First"])
    expect(said).to_have_text("Second, First")
    expect(page.get_by_role("button", name="Move chapter down")).to_be_focused()
    page.get_by_label("or from AGN").fill(next(duels(1)).decode())
    page.get_by_role("button", name="Add chapter").press("Enter")
    expect(chapters).to_have_count(3)
    expect(page.get_by_label("or from AGN")).to_have_value("")
    expect(page.get_by_role("button", name="Add chapter")).to_be_focused()
    page.get_by_role("button", name="Delete this chapter").press("Enter")
    expect(chapters).to_have_count(2)
    expect(page.locator(".chapters [aria-current]")).to_be_focused()


@pytest.mark.full
def test_open_forms_are_about_the_chapter_shown(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    study, page = two_chapters(alice, now), open_page(alice)
    page.goto(study.get_absolute_url())
    page.get_by_text("Title and chapters").click()

    page.get_by_role("link", name="Second").click()
    expect(page.get_by_label("Title of this chapter")).to_have_value("Second")
    page.get_by_role("button", name="Delete this chapter").click()
    expect(page.get_by_text("Second")).to_have_count(0)
    assert [one.title for one in study.chapters.all()] == ["First"]


@pytest.mark.full
def test_keys_pressed_quickly_lead_on_and_a_lost_answer_is_reported(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    study, page = two_chapters(alice, now), open_page(alice)
    page.goto(study.get_absolute_url())

    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))"
    page.evaluate(f"{press}; {press}")
    expect(page.locator(".tree .move").nth(1)).to_have_attribute("aria-current", "step")
    page.route("**/act/", lambda route: route.abort())
    page.get_by_label("Comment on R1:N").fill("Kept")
    page.get_by_role("button", name="Save comment").click()
    expect(page.get_by_text("The site did not answer. Try again.")).to_be_visible()
    expect(page.get_by_label("Comment on R1:N")).to_have_value("Kept")


@pytest.mark.full
@SCREENS
def test_the_pages_of_studies_are_sound(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime, width: int, *, dark: bool
) -> None:
    first = next(duels(1)).decode().splitlines()[-1].split()[0]
    marks = (Mark("0,0", "0,1", "blue"), Mark("1,0", "", "red"))
    nodes = (Node(first, -1), Node("R1:N", 0, "North at once", marks), Node("R2:N", 0, "or the other ant"))
    chapters = [writing.NewChapter(title, Tree(TAGS, nodes, "A quiet beginning")) for title in ("First", "Second")]
    study = writing.create(writing.About("Openings", "public"), chapters, by=alice, now=now)
    page, found = open_page(alice, width=width, dark=dark), {}
    for path in (f"{study.get_absolute_url()}?chapter=1&node=1", "/studies/"):
        page.goto(path)
        found[path] = unsound(page)
    assert {path: faults for path, faults in found.items() if faults} == {}
    assert Study.objects.count() == 1


@pytest.mark.full
def test_marks_are_drawn_on_the_board_with_the_right_button_and_removed_the_same_way(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    study, page = two_chapters(alice, now), open_page(alice)
    page.goto(f"{study.get_absolute_url()}?node=0")
    marks = page.locator(".study-marked li")
    draw(page, "0,1", "1,0")
    expect(marks).to_have_text([re.compile("0,1 → 1,0")])
    expect(page.locator(".study-mark.green path")).to_have_count(2)
    page.keyboard.down("Shift")
    draw(page, "1,0", "1,0")
    page.keyboard.up("Shift")
    expect(marks).to_have_text([re.compile("0,1 → 1,0"), re.compile("1,0")])
    expect(page.locator(".study-mark.red circle")).to_have_count(2)
    draw(page, "0,1", "1,0")
    expect(marks).to_have_text([re.compile(r"^\s*1,0 ×")])


@pytest.mark.full
def test_marks_are_drawn_by_touch_once_the_reader_has_asked_for_it(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    study, page = two_chapters(alice, now), open_page(alice, width=390)
    page.goto(f"{study.get_absolute_url()}?node=0")
    draw(page, "0,1", "1,0", button="left")
    page.get_by_role("button", name="Draw marks").click()
    page.get_by_label("Colour").select_option("blue")
    draw(page, "0,1", "0,1", button="left")
    expect(page.locator(".study-marked li")).to_have_text([re.compile(r"^\s*0,1 ×")])
    expect(page.locator(".study-mark.blue circle")).to_have_count(2)
    expect(page.get_by_label("Colour")).to_have_value("blue")
    expect(page.get_by_role("button", name="Draw marks")).to_have_attribute("aria-pressed", "true")


@pytest.mark.full
def test_a_drag_goes_on_although_the_answer_to_the_mark_before_exchanges_the_board(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime
) -> None:
    study, page, held = two_chapters(alice, now), open_page(alice), list[Route]()
    page.goto(f"{study.get_absolute_url()}?node=0")
    page.route(
        "**/studies/**", lambda route: held.append(route) if is_post(route.request) and not held else route.continue_()
    )
    with page.expect_request(is_post):
        draw(page, "0,1", "0,1")
    page.mouse.move(*page.evaluate(PLACE, "0,1"))
    page.mouse.down(button="right")
    held[0].continue_()
    expect(page.locator(".study-marked li")).to_have_count(1)
    page.mouse.move(*page.evaluate(PLACE, "1,0"), steps=3)
    expect(page.locator("[data-drawn] .study-mark.coming path")).to_have_count(2)
    page.mouse.up(button="right")
    expect(page.locator(".study-marked li")).to_have_text([re.compile("0,1 ×"), re.compile("0,1 → 1,0 ×")])


def is_post(request: Request) -> bool:
    return request.method == "POST"


PLACE = """(cell) => {
  const { cells } = JSON.parse(document.getElementById("study-cells").textContent);
  const svg = document.querySelector("[data-drawn] svg");
  const { x, y } = new DOMPoint(...cells[cell]).matrixTransform(svg.getScreenCTM());
  return [x, y];
}"""


def draw(page: Page, begin: str, end: str, *, button: Literal["left", "right"] = "right") -> None:
    page.locator("[data-drawn] svg").scroll_into_view_if_needed()
    page.mouse.move(*page.evaluate(PLACE, begin))
    page.mouse.down(button=button)
    page.mouse.move(*page.evaluate(PLACE, end), steps=3)
    page.mouse.up(button=button)


@pytest.mark.full
@pytest.mark.parametrize("scripts", [True, False])
def test_a_study_is_shared_from_its_head_and_deleted_from_its_foot(
    live: str, alice: User, open_page: Callable[..., Page], now: datetime, *, scripts: bool
) -> None:
    study, page = two_chapters(alice, now), open_page(alice, width=390, scripts=scripts)
    page.goto(study.get_absolute_url())
    page.get_by_role("link", name="Second").click()
    page.locator(".study-share summary").click()
    page.get_by_label("Everybody with the link").check()
    page.locator(".study-share").get_by_role("button", name="Save").click()
    expect(page.locator(".study-head")).to_contain_text("unlisted")
    page.locator(".study-share summary").click()
    expect(page.get_by_label("Link to this study")).to_have_value(re.compile(f"/studies/{study.key}/$"))
    expect(page.get_by_role("button", name="Copy link")).to_be_visible(visible=scripts)
    page.locator(".study-share summary").click()
    page.get_by_role("button", name="Delete this study").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name="Delete this study").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete this study").click()
    expect(page.get_by_role("heading", level=1, name="Studies")).to_be_visible()
