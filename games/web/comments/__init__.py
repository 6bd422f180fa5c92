"""Comments on games."""
