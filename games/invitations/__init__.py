"""Invitations: links by which people who are named in uploaded games claim their name and confirm the games."""
