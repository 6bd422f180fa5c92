"""Clubs: their page, members, evenings and seasons."""
