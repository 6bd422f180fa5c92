"""Sessions of an account, in all the browsers in which it is signed in."""

from importlib import import_module

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser


def end_sessions(user: AbstractBaseUser) -> int:
    """End all sessions of an account; its open streams end within seconds. :returns: how many."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    sessions = list(UserSession.objects.filter(user=user))
    for session in sessions:
        store(session_key=session.session_key).delete()
    return len(sessions)
