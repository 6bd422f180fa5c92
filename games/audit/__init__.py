"""Audit: whether what is stored follows from records and acts, and its repair."""
