"""Loaded by Python before a site that a test starts: derives its randomness from the test's name."""

from tests import chance

chance.fix()
