"""Property tests of the engine try the same examples in every run: a failure is the change's, and no matter of luck."""

from hypothesis import settings

from tests.tiers import by_tier

EXAMPLES = by_tier(quick=25, long=300)

settings.register_profile("engine", deadline=None, derandomize=True, database=None, max_examples=EXAMPLES)
settings.load_profile("engine")
