"""The people and the games of the access matrix, for whatever walks all addresses."""

import pytest

from tests.games.test_access import cast, worlds

__all__ = ["cast", "worlds"]


@pytest.fixture(autouse=True, scope="session")
def _static_files(static_files: None) -> None:
    """Have them for every test in here."""
