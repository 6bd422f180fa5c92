"""Commands for those who run the service."""
