"""Ladders: leaderboards now and as of a day, their snapshots, and players' careers."""
