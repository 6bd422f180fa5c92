"""Settings for splitting files in these tests."""

import pytest
from pytest_django import Settings


@pytest.fixture
def small_batches(settings: Settings) -> None:
    settings.SPLITTING_BATCH = 10
