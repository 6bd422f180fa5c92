"""Confirming and disputing games."""
