"""The way to PostgreSQL: Django's own, on which nobody waits for ever, and which may lead through a pooler."""
