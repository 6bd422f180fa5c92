"""The report of a run, for people."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from tests.faults.harness import Outcome, Size
from tests.faults.parcels import Parcel
from tests.revision import today


def written(
    outcome: Outcome, without: Outcome, parcels: Sequence[Parcel], *, seed: int, size: Size, seconds: float
) -> str:
    """Return the report of a run with faults, beside the same run without."""
    records = sum(len(parcel.verdicts) for parcel in parcels)
    rows = {
        "Seed": seed,
        "Files, records": f"{len(parcels)}, {records}",
        **_of_plan(outcome, size),
        **_of_clients(outcome),
        **_of_workers(outcome),
        **_of_end(outcome, without),
        "Duration of both runs": f"{seconds:.0f} s",
    }
    flaws = [f"- {flaw}" for flaw in [*without.flaws, *outcome.flaws]]
    return "\n".join([*_head(), *_table(rows), "", *_faults(outcome), "", *flaws]).rstrip("\n") + "\n"


def _head() -> list[str]:
    said = f"Written by `make faults` on {today()}. [Tests](../../docs/contributing/tests.md) says what it does."
    return ["# Faults", "", said, ""]


def _of_plan(outcome: Outcome, size: Size) -> dict[str, object]:
    return {
        "Broker": str(size.broker),
        "Faults": len(outcome.plan),
        "Servers hang for": f"{size.hang:g} s",
        "Lease": f"{size.lease} s",
        "One worker's clock an hour fast": "yes" if outcome.clock_an_hour_off else "no (libfaketime is missing)",
    }


def _of_clients(outcome: Outcome) -> dict[str, object]:
    answers = (f"{count} × {status or 'no answer'}" for status, count in sorted(outcome.answers.items()))
    return {
        "Uploads answered": ", ".join(answers),
        "Slowest accepted upload": f"{max(outcome.slowest.values(), default=0):.2f} s",
    }


def _of_workers(outcome: Outcome) -> dict[str, object]:
    restarts = (f"{name} {count}" for name, count in sorted(outcome.restarts.items()))
    replayed = (f"{mib:,} MiB" for mib in outcome.replayed)
    return {
        "Restarts": ", ".join(restarts) or "none",
        "Changes to replay when everything was killed amid many": ", ".join(replayed) or "not tried",
        "Everything done after the last fault": f"{outcome.settled:.1f} s",
        "Workers stopped while holding records": outcome.late,
        "Late results refused by the fence": f"{outcome.refused} records",
        "Files with records set aside and retried": len(outcome.retried) // 2,
    }


def _of_end(outcome: Outcome, without: Outcome) -> dict[str, object]:
    is_same = "yes" if outcome.ended_like(without) else "NO"
    apart = ", except for the order of what was retried" if outcome.retried else ""
    digest = sha256(outcome.state).hexdigest()[:16]
    return {
        "Lost, doubled or contradicting": len(outcome.flaws),
        "Same end state as without faults": f"{is_same}{apart} ({len(outcome.state)} bytes, SHA-256 {digest})",
    }


def _table(rows: Mapping[str, object]) -> list[str]:
    return ["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows.items())]


def _faults(outcome: Outcome) -> Iterator[str]:
    yield "| fault | times | slowest upload accepted during it or after it |"
    yield "| --- | --- | --- |"
    for kind, count in sorted(Counter(fault.kind for fault in outcome.plan).items()):
        yield f"| {kind} | {count} | {_seconds(outcome.slowest.get(kind))} |"


def _seconds(found: float | None) -> str:
    return "none was" if found is None else f"{found:.2f} s"
