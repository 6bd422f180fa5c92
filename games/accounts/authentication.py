"""Authentication by token: whose token comes with a request, and whether it is valid for the address."""

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication
from rest_framework.exceptions import PermissionDenied

from games.accounts.token_use import note_use
from games.accounts.tokens import Scope, is_good_for, scope_of

_NARROW = {
    Scope.PLAY: "This token is for playing at tables only.",
    Scope.MODERATE: "This token is for moderating only.",
}


class Tokens(TokenAuthentication):  # type: ignore[misc] # it has no types
    """Tokens of accounts, each valid for certain addresses."""

    def authenticate(self, request: HttpRequest) -> tuple[AbstractBaseUser, Any] | None:
        """Return the owner of the request's token, and note that it was used; None without a token.

        :raises AuthenticationFailed: when it is unknown or has expired.
        :raises PermissionDenied: when it is not valid for this address.
        """
        found: tuple[AbstractBaseUser, Any] | None = super().authenticate(request)
        if found:
            note_use(found[1], now=timezone.now())
        if found and not is_good_for(found[1], request.path):
            raise PermissionDenied(_NARROW[scope_of(found[1])])
        return found


class TokensDescribed(KnoxTokenScheme):  # type: ignore[no-untyped-call] # it has no types
    """How the API's description names these tokens."""

    target_class = "games.accounts.authentication.Tokens"
