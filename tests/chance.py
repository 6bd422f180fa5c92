"""Derive the randomness of tables from the test's name: a deal is the same in every run.

The product code is unchanged. Python loads `drawn/sitecustomize.py` first if a test starts a process with `drawing`.
"""

import os
import secrets
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # not needed by a starting site
    from playwright.sync_api import BrowserContext

NAME_FILE = "NAME_OF_THE_TEST"
"""The variable with the path of a file that contains the name of the running test."""
_DRAWING = {"games.playing.dealing", "games.playing.opening", "games.bots.acting"}
"""The modules that draw tables' secrets, players' contributions to a deal without scripts, and bots' numbers."""
_BY_CHANCE = secrets.token_hex
_drawn = Counter[str]()
_one_at_a_time = Lock()


def fix() -> None:
    """Derive this process's randomness from the test's name."""
    secrets.token_hex = _token_hex


def begin(name: str) -> None:
    """Record the name of the test that begins."""
    Path(os.environ[NAME_FILE]).write_text(name, encoding="utf-8")


def drawing() -> dict[str, str]:
    """Return the environment variables for a process whose randomness is derived from the test's name."""
    return {"PYTHONPATH": str(Path(__file__).parent / "drawn")}


def drawn(caller: str, number: int) -> str:
    """Return a module's draw in this test, given its number, starting from 1."""
    return sha256(f"{_name()} {caller} {number}".encode()).hexdigest()


def draw_in(context: "BrowserContext") -> "BrowserContext":
    """Let pages derive a player's contribution to the deal from the test's name; everything else stays random."""
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
