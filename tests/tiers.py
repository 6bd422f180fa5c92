"""Two tiers of the same tests: `make test` is the quick one, `make soak` runs all with larger numbers."""

import os
from collections.abc import Sequence
from typing import TypeVar

Size = TypeVar("Size")

LONG = os.environ.get("TEST_TIER") == "long"


def by_tier(*, quick: Size, long: Size) -> Size:
    """Return how much of something this tier tests."""
    return long if LONG else quick


def share(cases: Sequence[Size], number: int, *, of: int) -> Sequence[Size]:
    """Return all cases, or in the quick tier one share of them, so that several tests cover them together."""
    return cases if LONG else cases[number % of :: of]
