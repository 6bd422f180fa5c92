"""An account with a confirmed address, and fast password hashing."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from tests.games.web.accounts.forms import PASSWORD


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def ada() -> User:
    """An account with a confirmed address."""
    user = User.objects.create_user("Ada", "ada@ants.example", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user
