"""Notices: what accounts are notified of, stored as it happens, and who wants to be notified."""
