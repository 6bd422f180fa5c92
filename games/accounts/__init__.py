"""Accounts: their names, tokens and data, and their deletion."""
