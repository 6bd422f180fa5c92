"""Pytest plugin: three tiers of tests. `make test` runs the quick one, `.ci/run` the full, `make soak` the long one.

The quick tier leaves out tests marked `full`, and of a test with several cases it runs one in four, or in as many as
`one_in(8)` says. A run that names tests, by path, -k, -m or --lf, runs all it names, unless TEST_TIER says otherwise.
"""

import argparse
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar
from zlib import crc32

import pytest

Size = TypeVar("Size")
Note = Callable[[str, object], None]
"""The fixture `record_property`, with which a test reports to `make soak` how much of what it tried."""

TIER = "TEST_TIER"
"""The variable that chooses the tier."""
TIERS = ("quick", "full", "long")
LONG = os.environ.get(TIER) == "long"
LEFT_OUT = pytest.StashKey[list[object]]()
"""The tests whose cases were not made, because they are marked `full`."""
ONE_IN = 4
"""Of how many cases of a test the quick tier runs one. Which one differs from test to test."""


def by_tier(*, quick: Size, long: Size, full: Size | None = None) -> Size:
    """Return how much of something this tier tests: in the full tier as much as in the quick one, unless given."""
    return {"long": long, "full": quick if full is None else full}.get(os.environ[TIER], quick)


def share(cases: Sequence[Size], number: int, *, of: int) -> Sequence[Size]:
    """Return all cases in the long tier, otherwise one share of them, so that several tests cover them together."""
    return cases if LONG else cases[number % of :: of]


def first_quick(cases: Sequence[object], number: int = 1) -> list[object]:
    """Return the cases of a parametrised test, of which only the first few are in the quick tier."""
    return [*cases[:number], *(pytest.param(*_values(case), marks=pytest.mark.full) for case in cases[number:])]


def _values(case: object) -> tuple[object, ...]:
    return case if type(case) is tuple else (case,)


# --- the plugin -------------------------------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Choose the tier before any test is imported; processes that run tests beside each other inherit it."""
    os.environ[TIER] = chosen(os.environ.get(TIER), early_config.known_args_namespace)


def chosen(given: str | None, options: argparse.Namespace) -> str:
    """Return the given tier, or without one the full tier if the options name tests and the quick one if not."""
    if given and given not in TIERS:
        raise pytest.UsageError(f"{TIER} is {', '.join(TIERS[:-1])} or {TIERS[-1]}, not {given!r}")
    named = options.file_or_dir or options.keyword or options.markexpr or getattr(options, "lf", False)
    return given or ("full" if named else "quick")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[pytest.Item] | None:
    """Leave out of the quick tier a test that is marked `full`, or its module, before its cases are made."""
    if os.environ[TIER] != "quick" or not (isinstance(collector, pytest.Module) and name.startswith("test_")):
        return None
    if all(mark.name != "full" for mark in [*collector.iter_markers(), *getattr(obj, "pytestmark", ())]):
        return None
    collector.config.stash.setdefault(LEFT_OUT, []).append(obj)
    return []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what else the quick tier does not run."""
    if os.environ[TIER] != "quick":
        return
    quick = {*_quick(items)}
    left_out = [*config.stash.get(LEFT_OUT, []), *(item for item in items if item not in quick)]
    items[:] = [item for item in items if item in quick]
    config.hook.pytest_deselected(items=left_out)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = len(left_out)


def _quick(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    tests = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    for name, cases in tests.items():
        yield from _some(name, cases)


def _some(name: str, cases: Sequence[pytest.Item]) -> Sequence[pytest.Item]:
    """Return the cases of a test that are not marked `full`, or if none is, one in so many."""
    if (unmarked := [case for case in cases if not case.get_closest_marker("full")]) != cases:
        return unmarked
    mark = cases[0].get_closest_marker("one_in")
    number: int = mark.args[0] if mark else ONE_IN
    return cases[crc32(name.encode()) % min(number, len(cases)) :: number]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Count in the closing line what each of several processes left out: only they collect tests."""
    if count := getattr(node, "workeroutput", {}).get("left_out"):
        reporter = node.config.pluginmanager.get_plugin("terminalreporter")  # type: ignore[attr-defined]
        reporter.stats.setdefault("deselected", [node] * count)
