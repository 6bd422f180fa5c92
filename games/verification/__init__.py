"""Verification: logs that wait are claimed, judged and stored."""
