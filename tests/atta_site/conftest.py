"""Provide the static files for tests of pages without a database."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _static_files(static_files: None) -> None:
    """Make them available to every test in this folder."""
