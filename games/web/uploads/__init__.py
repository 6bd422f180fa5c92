"""Uploading, and the result of an upload."""
