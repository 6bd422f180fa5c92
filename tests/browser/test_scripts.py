"""Every script can be read by a browser: a mistake in the spelling stops all that it does, but no other script."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import games

SCRIPTS = Path(games.__file__).parent / "static" / "games"
MODULE = re.compile(r"^import [^(].*$|^export |import[.]meta[.]", re.MULTILINE)
"""What only modules may say; without it a module is read like any other strict script."""
READ = """sources => sources.flatMap(([name, source]) => {
  try { new Function(`"use strict";${source}`); return []; } catch (error) { return [`${name}: ${error.message}`]; }
})"""


def test_every_script_can_be_read(open_page: Callable[..., Page]) -> None:
    found = [one for one in sorted(SCRIPTS.rglob("*.js")) if "vendor" not in one.parts]
    sources = [(str(one.relative_to(SCRIPTS)), MODULE.sub("", one.read_text("utf-8"))) for one in found]
    assert len(sources) > 1
    assert open_page().evaluate(READ, sources) == []


@pytest.mark.parametrize("broken", ["theme", "moments", "turns", "place"])
def test_when_a_script_fails_the_others_of_the_page_still_run(chromium: Browser, live: str, broken: str) -> None:
    page, failed = chromium.new_page(base_url=live), list[str]()
    page.on("pageerror", lambda error: failed.append(error.message))
    page.route(
        f"**/js/{broken}.*.js",
        lambda route: route.fulfill(body="throw new Error('broken');", content_type="text/javascript"),
    )
    page.goto("/about/")
    page.keyboard.press("/")
    expect(page.locator("[data-find] input")).to_be_focused()
    assert failed == ["broken"]
    page.close()
