"""Checking games on the visitor's own device."""
