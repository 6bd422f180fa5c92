"""The static files, for tests of pages that have no database."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _static_files(static_files: None) -> None:
    """Have them for every test in here."""
