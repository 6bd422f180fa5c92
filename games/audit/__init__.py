"""Audit: checks whether stored ratings follow from records and decisions, and repairs them."""
