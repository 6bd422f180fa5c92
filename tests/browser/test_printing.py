"""A game as a booklet: printed by the browser itself."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import UploadRecords

pytestmark = pytest.mark.full
SHOWCASE = Path(__file__).resolve().parents[2] / "games" / "showcase" / "atta-ants.agn"


def pages_of(pdf: bytes) -> int:
    """Return how many pages a PDF has."""
    return len(re.findall(rb"/Type ?/Page\b", pdf))


def test_a_booklet_with_more_diagrams_has_more_pages(
    upload_records: UploadRecords, open_page: Callable[..., Page]
) -> None:
    (game,) = upload_records(SHOWCASE.read_bytes())
    page = open_page()
    page.goto(f"/games/{game.key}/print/?diagrams=end")
    short = pages_of(page.pdf())
    page.get_by_label("Diagrams", exact=True).select_option("10")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/print/?diagrams=10*")
    assert page.locator("figure").count() == 12
    assert 1 <= short < pages_of(page.pdf()) <= 10
