"""Property tests of the engine try the same examples in every run: a failure is the change's, and no matter of luck."""

from hypothesis import settings

settings.register_profile("engine", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("engine")
