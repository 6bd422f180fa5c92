"""Sessions of an account, in all the browsers in which it is signed in."""

from allauth.usersessions.models import UserSession
from django.contrib.auth.base_user import AbstractBaseUser


def end_sessions(user: AbstractBaseUser) -> int:
    """End all sessions of an account; its open streams end within seconds.

    :returns: how many had not ended before.
    """
    sessions = UserSession.objects.purge_and_list(user)
    for session in sessions:
        session.end()
    return len(sessions)
