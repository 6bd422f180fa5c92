"""What is unsound about a page in a browser: what axe finds, of any impact, and that it is wider than its screen."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

Fault = tuple[str, str]
_SOME = "(every) => document.querySelectorAll('.operation').forEach((one, at) => at % every && one.remove())"
_LONGEST = 300


def unsound(page: Page) -> list[Fault]:
    """Return the rules that a page breaks, each with the first element that does."""
    found = [(rule["id"], rule["nodes"][0]["html"][:_LONGEST]) for rule in Axe().run(page).response["violations"]]
    wide, screen = page.evaluate("document.documentElement.scrollWidth"), page.viewport_size
    return [*found, ("scrolls sideways", str(wide))] if screen and wide > screen["width"] else found


def leave_some(page: Page, *, every: int) -> None:
    """Remove most parts of the reference of the API: axe takes 20 s for hundreds that are built alike."""
    page.evaluate(_SOME, every)
