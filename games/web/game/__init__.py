"""The page of one game, made of several rooms: its replay, its record, and whether it counts."""
