"""The API, version 1."""
