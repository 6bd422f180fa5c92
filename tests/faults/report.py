"""The report of a run, for people."""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from tests.faults.harness import Outcome, Size
from tests.faults.parcels import Parcel


def written(
    outcome: Outcome, without: Outcome, parcels: Sequence[Parcel], *, seed: int, size: Size, seconds: float
) -> str:
    """Return the report of a run with faults, beside the same run without."""
    records = sum(len(parcel.verdicts) for parcel in parcels)
    answers = ", ".join(f"{count} × {status or 'no answer'}" for status, count in sorted(outcome.answers.items()))
    restarts = ", ".join(f"{name} {count}" for name, count in sorted(outcome.restarts.items())) or "none"
    replayed = ", ".join(f"{mib:,} MiB" for mib in outcome.replayed) or "not tried"
    is_same = "yes" if outcome.ended_like(without) else "NO"
    apart = ", but for the order of what was retried" if outcome.retried else ""
    rows = {
        "Seed": seed,
        "Files, records": f"{len(parcels)}, {records}",
        "Broker": str(size.broker),
        "Faults": len(outcome.plan),
        "Servers hang for": f"{size.hang:g} s",
        "Lease": f"{size.lease} s",
        "One worker's clock an hour fast": "yes" if outcome.clock_an_hour_off else "no (libfaketime is missing)",
        "Uploads answered": answers,
        "Slowest accepted upload": f"{max(outcome.slowest.values(), default=0):.2f} s",
        "Restarts": restarts,
        "Changes to replay when everything was killed amid many": replayed,
        "Everything done after the last fault": f"{outcome.settled:.1f} s",
        "Workers stopped while holding records": outcome.late,
        "Late results refused by the fence": f"{outcome.refused} records",
        "Files with records set aside and retried": len(outcome.retried) // 2,
        "Lost, doubled or contradicting": len(outcome.flaws),
        "Same end state as without faults": f"{is_same}{apart} ({len(outcome.state)} bytes, {_digest(outcome)})",
        "Duration of both runs": f"{seconds:.0f} s",
    }
    kinds = Counter(fault.kind for fault in outcome.plan)
    return (
        "\n".join(
            [
                "# Faults",
                "",
                "Written by `make faults`. [Tests](../../docs/contributing/tests.md) says what it does.",
                "",
                "| | |",
                "| --- | --- |",
                *(f"| {name} | {value} |" for name, value in rows.items()),
                "",
                "| fault | times | slowest upload accepted during it or after it |",
                "| --- | --- | --- |",
                *(
                    f"| {kind} | {count} | {_seconds(outcome.slowest.get(kind))} |"
                    for kind, count in sorted(kinds.items())
                ),
                "",
                *(f"- {flaw}" for flaw in [*without.flaws, *outcome.flaws]),
            ]
        ).rstrip("\n")
        + "\n"
    )


def _seconds(found: float | None) -> str:
    return "none was" if found is None else f"{found:.2f} s"


def _digest(outcome: Outcome) -> str:
    return f"SHA-256 {sha256(outcome.state).hexdigest()[:16]}"
