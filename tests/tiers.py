"""Pytest plugin: three tiers of tests. `make test` runs the quick one, `.ci/run` the full, `make soak` the long one.

A test marked `full` is left out of the quick tier, and of one marked `one_in(4)` three cases in four are. A run that
names tests, by path, -k, -m or --lf, runs all it names, unless TEST_TIER says otherwise.
"""

import argparse
import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

Size = TypeVar("Size")
Note = Callable[[str, object], None]
"""The fixture `record_property`, by which a test tells the report of `make soak` how much of what it tried."""

TIER = "TEST_TIER"
"""The variable that chooses the tier."""
TIERS = ("quick", "full", "long")
LONG = os.environ.get(TIER) == "long"


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
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out in the quick tier what is marked `full`, and what `one_in` leaves out."""
    if os.environ[TIER] != "quick":
        return
    cases = Counter[str]()
    left_out = [item for item in items if item.get_closest_marker("full") or _is_left_out(item, cases)]
    staying = {*items} - {*left_out}
    items[:] = [item for item in items if item in staying]
    config.hook.pytest_deselected(items=left_out)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = len(left_out)


def _is_left_out(item: pytest.Item, cases: Counter[str]) -> bool:
    """Return whether a case of a test marked `one_in` is left out; the first case stays."""
    if not (mark := item.get_closest_marker("one_in")):
        return False
    test = item.nodeid.partition("[")[0]
    number: int = mark.args[0]
    cases[test] += 1
    return cases[test] % number != 1 % number


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Count in the closing line what each of several processes left out: only they collect tests."""
    if count := getattr(node, "workeroutput", {}).get("left_out"):
        reporter = node.config.pluginmanager.get_plugin("terminalreporter")  # type: ignore[attr-defined]
        reporter.stats.setdefault("deselected", [node] * count)
