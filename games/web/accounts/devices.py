"""A browser's name for people: Firefox on Android."""

from django.utils.translation import gettext

_BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"),
             ("Chrome/", "Chrome"), ("Safari/", "Safari"))  # fmt: skip
"""What names a browser, in the order in which to look: most name others as well."""
_SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
            ("CrOS", "ChromeOS"), ("Mac OS", "macOS"), ("Linux", "Linux"))  # fmt: skip
_LONGEST = 60


def device_of(user_agent: str) -> str:
    """Return the browser and the system that a `User-Agent` header names; the header itself if it names neither."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    if browser and system:
        return gettext("{browser} on {system}").format(browser=browser, system=system)
    return browser or system or user_agent[:_LONGEST]
