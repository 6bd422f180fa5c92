"""Time zones by their IANA names, as a club chooses one."""

from functools import cache
from zoneinfo import available_timezones

UTC_ZONE = "UTC"
_NO_PLACES = ("Etc/", "SystemV/", "posix/", "right/")


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names that can be chosen: UTC, then places by name, among them all that browsers call their own."""
    places = {name for name in available_timezones() if "/" in name and not name.startswith(_NO_PLACES)}
    return (UTC_ZONE, *sorted(places))
