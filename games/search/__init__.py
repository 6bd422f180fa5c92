"""Search: games are found by the positions that they reached."""
