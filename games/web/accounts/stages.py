"""Steps between the password and being signed in."""

from typing import Any

from allauth.account.internal.flows.email_verification import get_address_for_user
from allauth.account.stages import EmailVerificationStage
from django.http import HttpResponseBase


class EmailStage(EmailVerificationStage):  # type: ignore[misc] # it brings no types
    """Asks for a confirmed address, but not of an account that has none: those were made on the server."""

    def handle(self) -> tuple[HttpResponseBase | None, bool]:
        """Return where to go first, if anywhere, and whether to go on."""
        user = self.login.user
        if user is not None and get_address_for_user(user) is None:
            return None, True
        answer: tuple[Any, bool] = super().handle()
        return answer
