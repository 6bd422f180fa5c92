"""Clubs: the people of a club, their evenings, seasons and tables of points."""
