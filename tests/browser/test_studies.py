"""A study in the browser: begun on a replay, edited on the board, and sound in all widths and themes."""

from collections.abc import Callable
from datetime import datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from engine.studying import Mark, Node, Tree
from games.models import Game, Study, Upload
from games.studies import writing
from tests.browser.conftest import SCREENS
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
        violations = Axe().run(page).response["violations"]
        found[path] = [rule["id"] for rule in violations if rule["impact"] in ("serious", "critical")]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert {path: faults for path, faults in found.items() if faults} == {}
    assert Study.objects.count() == 1
