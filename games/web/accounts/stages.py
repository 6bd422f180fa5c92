"""Steps between the password and being signed in."""

from typing import Any

from allauth.account.internal.flows.email_verification import get_address_for_user
from allauth.account.stages import EmailVerificationStage
from django.http import HttpResponseBase


class EmailStage(EmailVerificationStage):  # type: ignore[misc] # it brings no types
    """Asks for a confirmed address, except from accounts without any: those were made on the server."""

    def handle(self) -> tuple[HttpResponseBase | None, bool]:
        """Return the page to visit first, if any, and whether to continue."""
        user = self.login.user
        if user is not None and get_address_for_user(user) is None:
            return None, True
        answer: tuple[Any, bool] = super().handle()
        return answer
