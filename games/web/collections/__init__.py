"""Favourites and other collections of games."""
