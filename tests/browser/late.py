"""Answers of the server that reach a page late, when its reader has already gone on."""

from playwright.sync_api import Page

HOLD = """
{
  const send = globalThis.fetch.bind(globalThis);
  globalThis.held = [];
  globalThis.holds = null;
  globalThis.fetch = async (...given) => {
    const answer = await send(...given);
    if (globalThis.holds && answer.url.includes(globalThis.holds)) {
      await new Promise((release) => globalThis.held.push(release));
    }
    return answer;
  };
}
"""


def can_hold(page: Page) -> Page:
    """Let the following pages hold back answers."""
    page.add_init_script(HOLD)
    return page


def hold(page: Page, address: str) -> None:
    """Hold back the answers from addresses that contain this, from now on."""
    page.evaluate("(address) => { holds = address; }", address)


def wait_for_held(page: Page, number: int = 1) -> None:
    """Wait until so many answers have come and are held back."""
    page.wait_for_function("(number) => held.length >= number", arg=number)


def release(page: Page) -> None:
    """Give the page all answers that were held back, in their order, and hold back no more."""
    page.evaluate(RELEASE)


RELEASE = """async () => {
  holds = null;
  held.splice(0).forEach((go) => go());
  await fetch(location.href, { method: "HEAD" });
}"""
"""A request more takes longer than to read the answers that are already here."""
