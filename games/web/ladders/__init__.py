"""Leaderboards and careers."""
