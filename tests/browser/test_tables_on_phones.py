"""Tables on phones: in every game the board and the buttons on it are whole."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.playing.reads.people import Person
from tests.games.playing.seating import seated

pytestmark = pytest.mark.full
PHONES = ((390, 844), (360, 640))
CUT = """(stage) => {
  const room = stage.getBoundingClientRect();
  const outside = ({ left, top, right, bottom }) =>
    left < room.left - 0.5 || top < room.top - 0.5 || right > room.right + 0.5 || bottom > room.bottom + 0.5;
  const all = [...stage.querySelectorAll("button, .board :not(defs, defs *, symbol, symbol *)")];
  const shown = all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().width);
  return shown.filter((one) => outside(one.getBoundingClientRect())).map((one) => one.outerHTML.slice(0, 100));
}"""


@pytest.mark.parametrize("ruleset", ["atta-ants-online", "ant-trails-2020", "army-ants"])
def test_board_and_round_buttons_at_a_table_are_whole_on_a_phone(
    live: str, open_page: Callable[..., Page], alice: User, bob: User, now: datetime, ruleset: str
) -> None:
    table = seated([Person(account=alice), Person(account=bob)], now, ruleset)
    page = open_page(alice, width=390)
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{live}{table.get_absolute_url()}")
        expect(page.get_by_role("button", name="Turn the board")).to_be_visible()
        stage = page.locator("[data-stage]")
        assert stage.evaluate(CUT) == [], width
        assert stage.evaluate("one => one.scrollWidth - one.clientWidth + one.scrollHeight - one.clientHeight") == 0
        assert stage.bounding_box()["height"] > 200  # type: ignore[index]
