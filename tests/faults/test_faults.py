"""A site is broken in every planned way while clients upload: nothing is lost, doubled or changed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.harness import Outcome, Size, run
from tests.faults.parcels import Parcel, parcels
from tests.faults.plan import Broker, Kind, draw
from tests.faults.rabbitmq import is_installed
from tests.tiers import Note, by_tier

KILLS = (Kind.WORKER, Kind.CHILD, Kind.WEB, Kind.BEAT, Kind.BACKEND, Kind.SESSIONS, Kind.POSTMASTER)
"""Those that take a second each."""
SOME = (*KILLS, Kind.MESSAGES, Kind.LATE_WORKER, Kind.EVERYTHING)
FILES, MOST = by_tier(quick=(52, 120), long=(80, 200))
SIZE = by_tier(quick=Size(25, hang=2, lease=2, kinds=SOME), long=Size(2 * len(Kind), hang=30, lease=10))
OF_BROKERS = (Kind.BROKER, Kind.BROKER_WIPED, Kind.BROKER_HANGS, Kind.MESSAGES)
RABBITMQ = replace(
    SIZE,
    broker=Broker.RABBITMQ,
    faults=by_tier(quick=len(OF_BROKERS), long=2 * len(Kind)),
    kinds=by_tier(quick=OF_BROKERS, long=tuple(Kind)),
)


def test_plan_has_every_kind_of_fault_and_is_the_same_for_a_seed() -> None:
    plan = draw(1, len(Kind))
    assert {fault.kind for fault in plan} == set(Kind)
    assert plan == draw(1, len(Kind)) != draw(2, len(Kind))


def test_no_kill_loses_or_doubles_anything(tmp_path: Path, record_property: Note) -> None:
    files = parcels(3, 24, most=60)
    broken = run(tmp_path / "with", files, 3, Size(len(KILLS), hang=2, lease=2, kinds=KILLS), print)
    _note(record_property, broken, files)
    assert {fault.kind for fault in broken.plan} == {*KILLS}
    assert broken.flaws == []


@pytest.mark.full
@pytest.mark.skipif(not is_installed(), reason="RabbitMQ is not installed (apt-get install rabbitmq-server)")
def test_nothing_is_lost_with_rabbitmq(tmp_path: Path, record_property: Note) -> None:
    files = parcels(2, by_tier(quick=20, long=FILES), most=by_tier(quick=60, long=MOST))
    without = run(tmp_path / "without", files, 2, replace(SIZE, faults=0), print)
    broken = run(tmp_path / "with", files, 2, RABBITMQ, print)
    _note(record_property, broken, files)
    assert (without.flaws, broken.flaws) == ([], [])
    assert broken.ended_like(without)
    assert broken.restarts["broker"] >= 1


@pytest.mark.full
def test_no_fault_loses_doubles_or_changes_anything(tmp_path: Path, record_property: Note) -> None:
    files = parcels(1, FILES, most=MOST)
    without = run(tmp_path / "without", files, 1, replace(SIZE, faults=0), print)
    broken = run(tmp_path / "with", files, 1, SIZE, print)
    _note(record_property, broken, files)
    assert (without.flaws, broken.flaws) == ([], [])
    assert broken.ended_like(without)
    assert len(broken.state) > 10_000
    assert broken.late == 0 or broken.refused > 0, "the fence refused no late result"


def _note(record_property: Note, broken: Outcome, files: Sequence[Parcel]) -> None:
    record_property("faults of a whole site", len(broken.plan))
    record_property("records uploaded amid faults", sum(len(parcel.verdicts) for parcel in files))
    record_property("late results refused by the fence", broken.refused)
