"""The report of a drill, for people."""

from hashlib import sha256

from tests.faults import checker
from tests.faults.parcels import Parcel
from tests.machines.drill import Outcome, Size, Step
from tests.revision import today


def written(outcome: Outcome, without: bytes, parcels: list[Parcel], *, size: Size, seconds: float, load: str) -> str:
    """Return the report of a drill, beside the same files on one machine without faults."""
    records = sum(len(parcel.verdicts) for parcel in parcels)
    answers = ", ".join(f"{count} × {status or 'no answer'}" for status, count in sorted(outcome.answers.items()))
    is_same = "yes" if ended_like(outcome, without) else "NO"
    rows = {
        "Files, records": f"{len(parcels)}, {records}",
        "A fault lasts": f"{size.hold:g} s, that of a database's machine longer",
        "Lease": f"{size.lease} s",
        "Uploads answered": answers,
        "Reads served, refused": f"{outcome.served}, {len(outcome.refused)}",
        "Slowest read": f"{outcome.slowest_read:.1f} s",
        "From the promotion to the next accepted upload": f"{outcome.promoted_after:.1f} s",
        "Everything done after the last fault": f"{outcome.settled:.1f} s",
        "Files with records set aside and retried": len(outcome.retried) // 2,
        "Lost, doubled or contradicting": len(outcome.flaws),
        "Same end state as on one machine without faults":
            f"{is_same} ({len(outcome.state)} bytes, SHA-256 {sha256(outcome.state).hexdigest()[:16]})",
        "Duration": f"{seconds:.0f} s",
    }  # fmt: skip
    lines = [
        "# Machines",
        "",
        f"Written by `make machines` on {today()}, on two cores at load {load} with other programs: machines are",
        "network namespaces on one machine, so that more workers share the same cores. How it works is in",
        "[Tests](../../docs/contributing/tests.md#several-machines).",
        "",
        "| | |",
        "| --- | --- |",
        *(f"| {name} | {value} |" for name, value in rows.items()),
        "",
        "| workers | records a second |",
        "| --- | --- |",
        *(f"| {number} | {speed:.0f} |" for number, speed in outcome.speeds.items()),
        "",
        "| fault | lasted | files accepted | reads served | refused |",
        "| --- | --- | --- | --- | --- |",
        *map(_row, outcome.steps),
        "",
        *(f"- {flaw}" for flaw in [*outcome.flaws, *outcome.refused]),
    ]  # fmt: skip
    return "\n".join(lines).rstrip("\n") + "\n"


def _row(step: Step) -> str:
    return f"| {step.fault} | {step.seconds:.0f} s | {step.accepted} | {step.served} | {step.refused} |"


def ended_like(outcome: Outcome, without: bytes) -> bool:
    """Return whether everything is as after a run without faults, except for the order of what was retried."""
    return checker.but_for(outcome.state, outcome.retried) == checker.but_for(without, outcome.retried)
