"""Engine and slow referees count the same sequences of actions, from every position in `fixtures/*/perft`."""

import ast
from pathlib import Path
from typing import Any

import pytest

from engine.perft import divide, perft
from engine.registry import RULESETS
from tests.counts import DEPTH, POSITIONS, counted, counts, first_line, referee, replay_of
from tests.engine.naive import SEQUENCES
from tests.strategies import FIXTURES, AnyRuleset, package
from tests.tiers import Note, by_tier

REFEREED = by_tier(quick=2_000, long=1_000_000)
"""Number of sequences up to which the slow referees count in this tier."""
COUNTED_BY_US = by_tier(quick=50_000, long=10_000_000)
"""Number of sequences up to which the engine counts in this tier."""
MANY = 100_000
"""Minimum number of sequences counted from some position of every ruleset."""
HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
HARMLESS = {"collections", "dataclasses", "functools", "itertools", "re", "typing"}
"""All library modules a referee needs; none of these imports anything by name."""
NAIVE = [
    "tests.engine.naive",
    *(f"tests.engine.{path.parent.name}.referee" for path in sorted(HERE.glob("*/referee.py"))),
]
COUNTED = [ruleset for ruleset in RULESETS if (HERE / package(ruleset) / "referee.py").exists()]
"""Every game with a referee has positions, too."""

every_position = pytest.mark.parametrize("path", POSITIONS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
every_ruleset = pytest.mark.parametrize("ruleset", COUNTED, ids=lambda ruleset: ruleset.slug)


@every_position
def test_engine_counts_match_the_perft_file(path: Path, record_property: Note) -> None:
    replay, (_, *rows) = replay_of(path), counts(path)
    ruleset, state = replay.ruleset, replay.last
    *few, last = (row for row in rows if row[SEQUENCES] <= COUNTED_BY_US)

    assert [perft(ruleset, state, row["depth"]) for row in few] == [row[SEQUENCES] for row in few]
    found = dict(divide(ruleset, state, last["depth"]))
    record_property("sequences of actions counted", sum(found.values()))
    assert sum(found.values()) == last[SEQUENCES]
    if "divide" in last:  # the file has it at its last depth alone
        assert found == last["divide"]


@every_position
def test_referee_counts_match_the_perft_file(path: Path) -> None:
    first, *rows = counts(path)
    game = referee(path, first["position"])
    depth = max(1, sum(row[SEQUENCES] <= REFEREED for row in rows))

    assert game.state() == first["state"]
    found = counted(game, depth)
    if depth < len(rows):
        del found[-1]["divide"]  # the file has it at its last depth alone
    assert found == rows[:depth]


@every_position
def test_perft_file_holds_the_position_of_its_record(path: Path) -> None:
    replay, (first, *rows) = replay_of(path), counts(path)

    assert first == first_line(replay)
    assert replay.text() == path.read_text()
    assert [row["depth"] for row in rows] == list(range(1, int(replay.tags[DEPTH]) + 1))
    assert sum(rows[-1]["divide"].values()) == rows[-1][SEQUENCES]


def test_no_perft_file_is_missing_or_left_over() -> None:
    beside = sorted(FIXTURES.glob("*/perft/*.ndjson"))

    assert beside == [path.with_suffix(".ndjson") for path in POSITIONS]
    assert {path.suffix for path in FIXTURES.glob("*/perft/*")} == {".agn", ".ndjson"}


def test_every_game_of_the_project_has_perft_counts() -> None:
    assert {package(ruleset) for ruleset in COUNTED} >= {"ant_trails", "army_ants", "atta_ants"}
    assert {path.parents[1].name for path in POSITIONS} == {package(ruleset) for ruleset in COUNTED}


def rows_of(ruleset: AnyRuleset) -> list[list[dict[str, Any]]]:
    paths = [path for path in POSITIONS if path.parents[1].name == package(ruleset)]
    return [counts(path)[1:] for path in paths if replay_of(path).ruleset is ruleset]


@every_ruleset
def test_deepest_counts_are_large_enough(ruleset: AnyRuleset) -> None:
    assert max(rows[-1][SEQUENCES] for rows in rows_of(ruleset)) >= MANY


@every_ruleset
def test_every_counted_event_occurs_in_some_position(ruleset: AnyRuleset) -> None:
    of_game = [rows for other in RULESETS if package(other) == package(ruleset) for rows in rows_of(other)]
    words = set(of_game[0][0]) - {"depth", SEQUENCES}

    assert "ends" in words
    assert {word for word in words if any(row[word] for rows in of_game for row in rows)} == words


@pytest.mark.parametrize("slug", ["atta-ants-online", "atta-ants-2003"])
def test_deep_atta_ants_counts_include_births_and_spider_choices(slug: str) -> None:
    ruleset = next(ruleset for ruleset in RULESETS if ruleset.slug == slug)
    deepest = [rows[-1] for rows in rows_of(ruleset) if rows[-1][SEQUENCES] >= MANY]

    assert any(row["births"] > 1_000 and row["choices"] > 1_000 for row in deepest)


@every_ruleset
def test_depth_zero_has_one_sequence(ruleset: AnyRuleset) -> None:
    path = next(path for path in POSITIONS if replay_of(path).ruleset is ruleset)

    assert perft(ruleset, replay_of(path).last, 0) == 1


# The second count belongs to the tests alone


def source_of(module: str) -> Path | None:
    """Return the file of a project module; none for other modules and names."""
    bare = PROJECT.joinpath(*module.split("."))
    return next((path for path in (bare.with_suffix(".py"), bare / "__init__.py") if path.exists()), None)


def named(source: Path) -> set[str]:
    """Return what a text imports, each name as if it were a module."""
    found = set[str]()
    for node in ast.walk(ast.parse(source.read_text())):
        match node:
            case ast.Import(names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(str(module), names, 0):
                found |= {module, *(f"{module}.{alias.name}" for alias in names)}
            case ast.ImportFrom() | ast.Name("__import__" | "exec" | "eval" | "compile"):
                raise AssertionError(f"{source.name} may import in a way that this does not read")
    return found


def reached(module: str) -> set[str]:
    """Return everything imported with a module: its packages, the modules it names, and their imports."""
    found, left = set[str](), {module}
    while left:
        name = left.pop()
        found.add(name)
        source, package_of_it = source_of(name), name.rpartition(".")[0]
        left |= (({package_of_it} - {""}) | named(source) if source else set()) - found
    return found


@pytest.mark.parametrize("module", NAIVE)
def test_referee_imports_nothing_that_imports_the_engine(module: str) -> None:
    everything = reached(module)

    shared = {"tests", "tests.engine", "tests.engine.referees"}
    assert {name for name in everything if source_of(name)} - shared == {module, module.rpartition(".")[0]} - shared
    assert {name.partition(".")[0] for name in everything} - {"tests"} <= HARMLESS


@pytest.mark.parametrize("module", ["tests.counts", "tests.engine.atta_ants.bots", "tests.engine.test_fixtures"])
def test_import_check_detects_modules_that_import_the_engine(module: str) -> None:
    assert reached(module) >= {"engine.registry", "engine.atta_ants.rules", "engine.atta_ants.board"}
