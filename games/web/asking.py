"""Who asks."""

from django.contrib.auth.models import User
from django.http import HttpRequest


def signed_in(request: HttpRequest) -> User:
    """Whoever is signed in, behind a door that lets nobody else in."""
    assert isinstance(request.user, User)  # noqa: S101 - for the types
    return request.user
