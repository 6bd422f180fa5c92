"""Loaded by Python itself, before the site that a test starts: it draws by the test's name."""

from tests import chance

chance.fix()
