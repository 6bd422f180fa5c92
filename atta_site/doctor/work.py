"""Checks the work: processes, queues, failures, pauses."""

from collections import Counter

from django.db import DatabaseError, InterfaceError, connection

from atta_site.doctor.findings import Findings, bad, examination, good, warning
from games.models import RunningProcess
from games.platform.pauses import pauses
from games.platform.processes import running
from games.playing.reads.alarms import count_alarms
from games.verification.reads import oldest_waiting_seconds, quarantined

_LONG = 300
_CLOCK_WRONG = 5.0


@examination
def check_processes() -> Findings:
    """Report whether each kind of process runs, only one beat, and all with the same version and time."""
    try:
        found = list(running())
    except (DatabaseError, InterfaceError):  # reported elsewhere, or a table is missing
        connection.close()
        return
    kinds = Counter(one.kind for one in found)
    if kinds["beat"] != 1:
        where = ", ".join(f"{one.host} {one.number}" for one in found if one.kind == "beat")
        yield bad(
            "processes", f"{kinds['beat']} beat processes were seen within a minute: there must be one.{_again(where)}"
        )
    for kind, why in (("web", "the site is not reachable"), ("worker", "nothing is verified")):
        if not kinds[kind]:
            yield bad("processes", f"No {kind} process was seen within a minute: {why}.")
    yield from _differences(found)
    if found:
        yield good("processes", ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) + ".")


def _again(where: str) -> str:
    """Name beats, and what explains them after a restart."""
    return where and f" They are {where}; if one of these has just ended, look again in a minute."


def _differences(found: list[RunningProcess]) -> Findings:
    """Report where versions and clocks differ."""
    if len(versions := sorted({one.version for one in found})) > 1:
        yield warning("processes", f"Processes of several versions run: {'; '.join(versions)}. Finish the upgrade.")
    for one in found:
        if abs(one.clock) > _CLOCK_WRONG:
            yield bad(
                "clock", f"{one.host} differs from the database by {abs(one.clock):.0f} s. Keep both in time with NTP."
            )


@examination
def check_work() -> Findings:
    """Report what waits too long, was quarantined, or is paused."""
    try:
        waiting, set_aside, alarms, paused = oldest_waiting_seconds(), quarantined().count(), count_alarms(), pauses()
    except (DatabaseError, InterfaceError):
        connection.close()
        return
    if (waiting or 0) > _LONG:
        yield bad("queue", f"A log has waited for {waiting:.0f} s. Look at workers and beat.")
    else:
        yield good("queue", "Nothing waits long.")
    if set_aside:
        yield warning("queue", f"{set_aside} logs are in quarantine. The operators' page names their causes.")
    if alarms:
        yield bad("played games", f"{alarms} alarms are open. The moderators' page shows them.")
    for part, one in paused.items():
        yield warning("pauses", f"{part} is paused since {one.paused_at:%Y-%m-%d %H:%M} UTC. {one.reason}".rstrip())
