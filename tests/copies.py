"""Copies of the project, for tests that change it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PARTS = (".ci", "atta_site", "engine", "fixtures", "games", "tests")
FILES = ("manage.py", "pyproject.toml")


def copy_to(folder: Path) -> Path:
    """Copy what is needed to run the tests, with Python's bytecode, and without what a C compiler made."""
    for part in PARTS:
        shutil.copytree(PROJECT / part, folder / part, ignore=shutil.ignore_patterns("*.so"))
    for file in FILES:
        shutil.copy(PROJECT / file, folder)
    return folder


def run(house: Path, *arguments: str) -> str:
    """Return the output of Python in the copy; its tests have their own database and queue."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=house, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    return done.stdout


def environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "TEST_DATABASE_", "TEST_CELERY_"))
    }
