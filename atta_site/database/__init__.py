"""Connections to PostgreSQL: Django's backend with timeouts, also behind a pooler."""
