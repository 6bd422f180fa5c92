"""Comments on games, which accounts write and moderators can hide."""
