"""Players and claims."""
