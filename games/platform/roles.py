"""Who may do what."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AbstractUser, AnonymousUser, PermissionsMixin

MODERATORS = "moderators"
"""The group's name."""


def is_operator(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether somebody operates the service: Django's staff, as `manage.py createsuperuser` makes them."""
    return isinstance(user, AbstractUser) and user.is_active and user.is_staff


def is_moderator(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether somebody may moderate: members of the group, and superusers."""
    return isinstance(user, PermissionsMixin) and user.has_perm("games.moderate")
