"""A game is added to a copy of the project: its folder, its fixtures, its line in the registry, and nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

HERE, PROJECT = Path(__file__).parent, Path(__file__).parents[2]
PARTS = ("atta_site", "engine", "fixtures", "games", "tests")
FILES = ("manage.py", "pyproject.toml")
REGISTRATION = (
    ("from engine.ruleset import", "from engine.picnic.ruleset import PICNIC\nfrom engine.ruleset import"),
    ("ARMY_ANTS)\n", "ARMY_ANTS, PICNIC)\n"),
)
TESTS = ("tests/engine", "tests/games/test_messages.py")
OF_ALL_GAMES = "every_rule or golden_file_is_missing or schema_is_one or many_games"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with a game more."""
    house = tmp_path_factory.mktemp("house")
    for part in PARTS:
        shutil.copytree(PROJECT / part, house / part)
    for file in FILES:
        shutil.copy(PROJECT / file, house)
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


def run(house: Path, *arguments: str) -> str:
    """What Python says in the house; its own session of tests has a database and a queue to itself."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=house, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    return done.stdout


def environment() -> dict[str, str]:
    servers = {
        "TEST_DATABASE_URL": elsewhere(os.environ["DATABASE_URL"], "/picnic"),
        "TEST_CELERY_BROKER_URL": elsewhere(os.environ["CELERY_BROKER_URL"], "/1"),
    }
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | servers


def elsewhere(address: str, path: str) -> str:
    return urlunsplit(urlsplit(address)._replace(path=path))


def test_what_is_tested_of_every_game_holds_for_it_too(house: Path) -> None:
    said = run(house, "-m", "pytest", "-q", *TESTS, "-k", f"picnic or {OF_ALL_GAMES}")

    assert int(said.split(" passed")[0].split()[-1]) > 100


def test_the_contracts_hold_inside_it(house: Path) -> None:
    said = run(house, "-c", "from importlinter.cli import lint_imports_command as check; check()", "--no-logo")

    assert "Inside a game KEPT" in said


def test_a_site_takes_it_in_and_verifies_shows_and_ranks_it(house: Path, private_servers: None) -> None:
    run(house, "-m", "pytest", "-q", "tests/fourth_game/visits.py")


def test_no_other_file_was_changed(house: Path) -> None:
    before, after = contents(PROJECT), contents(house)
    changed = {path for path in before | after if before.get(path) != after.get(path)}

    own = {path for path in changed if path.startswith(("engine/picnic/", "fixtures/picnic/"))}
    assert changed - own == {"engine/registry.py"}


def contents(folder: Path) -> dict[str, bytes]:
    paths = [path for part in PARTS for path in (folder / part).rglob("*") if path.is_file()]
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in (*paths, *(folder / file for file in FILES))
        if "__pycache__" not in path.parts
    }
