"""Forms that never reveal whether an address has an account, not even by timing."""

from typing import Any
from uuid import uuid4

from allauth.account.forms import LoginForm as TheirLoginForm
from allauth.account.forms import ResetPasswordForm as TheirResetPasswordForm
from allauth.account.forms import SignupForm as TheirSignupForm
from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.email_verification import get_address_for_user
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from engine.agn.names import name_key
from games.web.answers import SeeOther


class LoginForm(TheirLoginForm):  # type: ignore[misc] # it brings no types
    """Signs in; a text with `@` is an address and not a name, so that a password is tried only once."""

    def user_credentials(self) -> dict[str, str]:
        """Return the typed text as a name, in its stored form, or an address."""
        typed: dict[str, str] = super().user_credentials()
        typed |= {"username": name_key(typed["username"])} if "username" in typed else {}
        return {name: text for name, text in typed.items() if name != "username" or "email" not in typed}


class SignupForm(TheirSignupForm):  # type: ignore[misc] # it brings no types
    """Registers; for an address that has an account, the same work is done and then rolled back."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Return the new account; or None and the next page, if the address has one."""
        if self.account_already_exists:
            self._save_in_vain(request)
        try:
            saved: tuple[User | None, HttpResponse | None] = super().try_save(request)
        except IntegrityError:
            messages.error(request, gettext("This name, or one that looks the same, was just taken."))
            return None, SeeOther(request.get_full_path())
        return saved

    def _save_in_vain(self, request: HttpRequest) -> None:
        """Hash the password, write the rows of an account with another address, and roll everything back."""
        address, self.account_already_exists = self.cleaned_data["email"], False
        self.cleaned_data["email"] = f"{uuid4().hex}@nobody.invalid"
        with transaction.atomic():
            user = self.save(request)
            User.objects.get(pk=user.pk)
            for _ in range(3):  # as many lookups of the address as for signing in a new account
                get_address_for_user(user)
            transaction.set_rollback(True)
        self.cleaned_data["email"], self.account_already_exists = address, True


class ResetPasswordForm(TheirResetPasswordForm):  # type: ignore[misc]
    """Sends a link; for an address without an account a link is made as well, and not sent."""

    def save(self, request: HttpRequest, **kwargs: Any) -> str:  # noqa: ANN401 (the framework's own)
        """Send the mail."""
        if not self.users:
            nobody = User(pk=0)
            get_address_for_user(nobody)
            default_token_generator.make_token(nobody)
        return str(super().save(request, **kwargs))
