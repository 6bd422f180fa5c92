"""Holds: games that wait until somebody has looked at them, before they count."""
