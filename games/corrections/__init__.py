"""Corrections: games annulled or restored, players merged or split, and ladders rated again from there."""
