"""Backups of the database: written with digests of every table, restored into an empty one, and compared."""
