"""Who may do what."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, PermissionsMixin

MODERATORS = "moderators"
"""The group's name."""


def is_moderator(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether somebody may moderate: members of the group, and superusers."""
    return isinstance(user, PermissionsMixin) and user.has_perm("games.moderate")
