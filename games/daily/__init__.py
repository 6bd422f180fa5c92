"""The game of the day: chosen by what happened in it, and shown on the home page."""
