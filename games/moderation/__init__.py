"""Moderation: what moderators look at and decide."""
