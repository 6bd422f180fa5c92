"""Two tiers of the same tests: `make test` is the quick one, `make soak` runs them all with larger numbers."""

import os
from typing import TypeVar

Size = TypeVar("Size")

LONG = os.environ.get("TEST_TIER") == "long"


def by_tier(*, quick: Size, long: Size) -> Size:
    """Return how much of something this tier tests."""
    return long if LONG else quick
