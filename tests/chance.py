"""Fix by the test's name what chance gives at tables: a deal is the same in every run, and may be over soon or late.

The product draws as ever. Python loads `drawn/sitecustomize.py` first where a test starts a process with `drawing`.
"""

import os
import secrets
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a site that starts has no use for it
    from playwright.sync_api import BrowserContext

NAME_FILE = "NAME_OF_THE_TEST"
"""Names a file with the name of the test that runs."""
_DRAWING = {"games.playing.dealing", "games.playing.opening", "games.bots.acting"}
"""What draws the secrets of tables, what is added to a deal without scripts, and the numbers of bots."""
_BY_CHANCE = secrets.token_hex
_drawn = Counter[str]()
_one_at_a_time = Lock()


def fix() -> None:
    """Have this process draw by the test's name."""
    secrets.token_hex = _token_hex


def begin(name: str) -> None:
    """Say which test begins."""
    Path(os.environ[NAME_FILE]).write_text(name, encoding="utf-8")


def drawing() -> dict[str, str]:
    """Return what the environment of a process needs that is to draw by the test's name."""
    return {"PYTHONPATH": str(Path(__file__).parent / "drawn")}


def drawn(caller: str, number: int) -> str:
    """Return what a module draws in this test, by the number of the draw, from 1."""
    return sha256(f"{_name()} {caller} {number}".encode()).hexdigest()


def draw_in(context: "BrowserContext") -> "BrowserContext":
    """Have pages fill in by the test's name what a player adds to the deal; all else is drawn as ever."""
    context.add_init_script(_IN_BROWSER % list(bytes.fromhex(drawn("browser", 1))))
    return context


_IN_BROWSER = """
const byChance = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (numbers) => {
  byChance(numbers);
  if ([...document.querySelectorAll("[data-entropy]")].some((field) => !field.value)) {
    numbers.set(%s.slice(0, numbers.length));
  }
  return numbers;
};
"""


def _token_hex(nbytes: int | None = None) -> str:
    caller = sys._getframe(1).f_globals.get("__name__", "")
    if caller not in _DRAWING:
        return _BY_CHANCE(nbytes)
    begun = f"{_name()} {caller}"
    with _one_at_a_time:
        _drawn[begun] += 1
        number = _drawn[begun]
    return drawn(caller, number)[: 2 * (nbytes or 32)]


def _name() -> str:
    return Path(os.environ[NAME_FILE]).read_text(encoding="utf-8")
