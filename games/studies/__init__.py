"""Studies: games and positions with variations, comments and marks, written by accounts for others to read."""
