"""Notices: what accounts are to be told, written down as it happens, and who wants to know."""
