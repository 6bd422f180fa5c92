"""Consent: when a game counts, who has confirmed it, and what is private."""
