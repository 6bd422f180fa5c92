"""Clubs: the people of a league, their evenings, seasons and tables of points."""
