"""Inviting people to confirm games, and answering invitations."""
