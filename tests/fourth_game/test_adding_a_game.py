"""A game is added to a copy of the project with only its folder, its fixtures and a line in the registry."""

import shutil
from pathlib import Path

import pytest

from engine.registry import RULESETS
from tests.copies import FILES, PARTS, PROJECT, copy_to, run
from tests.strategies import package
from tests.tiers import LONG

HERE = Path(__file__).parent
REGISTRATION = (
    ("from engine.ruleset import", "from engine.picnic.ruleset import PICNIC\nfrom engine.ruleset import"),
    ("ARMY_ANTS)\n", "ARMY_ANTS, PICNIC)\n"),
)
OTHERS = {f"--ignore=tests/engine/{package(ruleset)}" for ruleset in RULESETS}
"""Tests of one game each."""
TESTS = ("tests/engine", *sorted(OTHERS), "tests/games/test_messages.py", "tests/fourth_game/visits.py")
KEPT = ("-o", f"cache_dir={PROJECT / '.pytest_cache'}")
"""Where the tests of the copy find the migrated database."""
OF_ALL_GAMES = "visits or every_rule or golden_file_is_missing or schema_is_one or many_games"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with one more game."""
    house = copy_to(tmp_path_factory.mktemp("house"))
    shutil.copytree(HERE / "picnic", house / "engine" / "picnic")
    shutil.copytree(HERE / "fixtures", house / "fixtures" / "picnic")
    register(house / "engine" / "registry.py")
    run(house, "-m", "tests.golden")
    return house


def register(registry: Path) -> None:
    text = registry.read_text()
    for line, with_picnic in REGISTRATION:
        assert text.count(line) == 1
        text = text.replace(line, with_picnic)
    registry.write_text(text)


@pytest.mark.full
def test_what_is_tested_of_every_game_holds_for_it_and_a_site_verifies_shows_and_ranks_it(house: Path) -> None:
    said = run(house, "-m", "pytest", "-q", *KEPT, *TESTS, "-k", f"picnic or {OF_ALL_GAMES}")

    assert int(said.split(" passed")[0].split()[-1]) > 100


@pytest.mark.full
def test_import_contracts_hold_inside_the_new_game(house: Path) -> None:
    said = run(house, "-c", "from importlinter.cli import lint_imports_command as check; check()", "--no-logo")

    assert "Inside a game KEPT" in said


@pytest.mark.skipif(not LONG, reason="no game says how its board is clicked, and other games try that")
def test_new_game_can_be_played_on_a_board_in_the_browser(house: Path, private_servers: None) -> None:
    said = run(house, "-m", "pytest", "-q", "tests/browser/test_board.py", "-k", "picnic")

    assert "3 passed" in said


@pytest.mark.full
def test_adding_the_game_changes_only_the_registry(house: Path) -> None:
    before, after = contents(PROJECT), contents(house)
    changed = {path for path in before | after if before.get(path) != after.get(path)}

    own = {path for path in changed if path.startswith(("engine/picnic/", "fixtures/picnic/"))}
    assert changed - own == {"engine/registry.py"}


def contents(folder: Path) -> dict[str, bytes]:
    paths = [path for part in PARTS for path in (folder / part).rglob("*") if path.is_file()]
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in (*paths, *(folder / file for file in FILES))
        if "__pycache__" not in path.parts and path.suffix != ".so"
    }
