"""Controls, in both languages, on phones and on a desk: no text of a select is cut, and no word of a button broken."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import UploadRecords
from tests.strategies import FIXTURES

pytestmark = pytest.mark.full
ARROW = 16
CUT = """arrow => {
  document.querySelectorAll("details").forEach((one) => (one.open = true));
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("select")].filter((one) => one.checkVisibility()).flatMap((one) => {
    const style = getComputedStyle(one);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    return [...one.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > room + 1);
  });
}"""


BROKEN = """() => [...document.querySelectorAll("button, a.button")].flatMap((one) => {
  const range = document.createRange(), walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), broken = [];
  while (walker.nextNode()) {
    for (const { 0: word, index } of walker.currentNode.data.matchAll(/[^\\s-]+/g)) {
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 && broken.push(word);
    }
  }
  return broken;
})"""


@pytest.mark.parametrize("locale", ["en-US", "de"])
def test_no_text_of_a_select_is_cut_and_no_word_of_a_button_broken(
    upload_records: UploadRecords, open_page: Callable[..., Page], locale: str
) -> None:
    (game,) = upload_records((FIXTURES / "ant_trails/games/two-collectors.agn").read_bytes())
    page = open_page(locale=locale)
    cut = {}
    for path in ("/play/", "/games/", "/score/", "/players/", "/studies/", f"{game.get_absolute_url()}films/"):
        page.goto(path)
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            cut[path, width] = page.evaluate(CUT, ARROW) + page.evaluate(BROKEN)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert {where: texts for where, texts in cut.items() if texts} == {}
