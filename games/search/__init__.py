"""Finding games by the positions that they reached."""
