"""Tokens with which programs act for an account. Only their digests are kept."""

from django.contrib.auth.base_user import AbstractBaseUser
from knox.models import AuthToken


def make_token(account: AbstractBaseUser) -> str:
    """Make a token and return it; it cannot be read again."""
    _, token = AuthToken.objects.create(account)
    return str(token)


def revoke_token(account: AbstractBaseUser, digest: str) -> bool:
    """Revoke a token of an account. :returns: whether there was one."""
    removed, _ = AuthToken.objects.filter(user=account, digest=digest).delete()
    return bool(removed)
