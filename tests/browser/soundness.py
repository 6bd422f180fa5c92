"""What is unsound about a page in a browser: what axe finds, of any impact, and that it is wider than its screen."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

Fault = tuple[str, str]
_NOT_OURS = {"exclude": [["#swagger-ui"]]}
"""What others draw on our pages."""
_LONGEST = 300


def unsound(page: Page) -> list[Fault]:
    """Return the rules that a page breaks, each with the first element that does."""
    found = [
        (rule["id"], rule["nodes"][0]["html"][:_LONGEST])
        for rule in Axe().run(page, context=_NOT_OURS).response["violations"]
    ]
    wide, screen = page.evaluate("document.documentElement.scrollWidth"), page.viewport_size
    return [*found, ("scrolls sideways", str(wide))] if screen and wide > screen["width"] else found
