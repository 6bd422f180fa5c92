"""Every script can be read by a browser: a mistake in the spelling of one stops all that it does."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

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
