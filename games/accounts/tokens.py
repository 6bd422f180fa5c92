"""Tokens with which programs act for an account. Only their digests are kept."""

from django.contrib.auth.base_user import AbstractBaseUser
from knox.models import AuthToken


def make_token(account: AbstractBaseUser) -> str:
    """Makes a token. :returns: it, for the only time."""
    _, token = AuthToken.objects.create(account)
    return str(token)


def revoke_token(account: AbstractBaseUser, digest: str) -> bool:
    """Ends a token of an account. :returns: whether it had such a one."""
    removed, _ = AuthToken.objects.filter(user=account, digest=digest).delete()
    return bool(removed)
