"""Ratings: the one sequence of rated games, the ledger, the standings that follow, and corrections."""
