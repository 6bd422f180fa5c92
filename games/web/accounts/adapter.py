"""Adapters that change django-allauth's behaviour."""

from datetime import timedelta
from hashlib import sha256
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext

from engine.agn.names import name_key
from games.mail.account_mails import keep
from games.notices.preferences import keep_preferences
from games.platform.lookalikes import is_held, is_taken, keep_skeleton
from games.platform.rate_limits import Limit, count, is_noted, network_of, note, uncount
from games.web.answers import SeeOther
from games.web.comments import unsent
from games.web.invitations import joining, pending

_log = structlog.get_logger()

_MINUTE = 60
_HERE = Limit(5, timedelta(minutes=5))
"""Failed tries with one name from one address."""
_ADDRESS = Limit(20, timedelta(minutes=5))
"""Failed tries from one address, whatever the name."""
_NAME = Limit(100, timedelta(hours=1))
"""Failed tries with one name from all addresses together at which nobody has signed in with it before."""
_KNOWN = timedelta(days=180)
"""How long an address is known for a name after a sign-in; failed tries elsewhere lock nobody out there."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # it brings no types
    """Names are composed first, and failed tries are counted in a statement each."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": gettext_lazy("The address or the password is wrong."),
        "username_password_mismatch": gettext_lazy("The name or the password is wrong."),
        "username_blacklisted": gettext_lazy("This name cannot be used. Choose another one."),
        "username_taken": gettext_lazy("Another account has this name."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:  # noqa: FBT001, FBT002 (the framework's own)
        """Return a name in its stored form, or refuse it."""
        name = str(super().clean_username(name_key(username), shallow))
        if not shallow and is_taken(name):
            raise ValidationError(gettext("Another account has a name that looks the same."), code="name_alike")
        if not shallow and is_held(name, now=timezone.now()):
            raise ValidationError(self.error_messages["username_blacklisted"], code="name_held")
        return name

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:  # noqa: ANN401, FBT001, FBT002 (the framework's own)
        """Save an account, with the language for its mails: the one in which it was made."""
        with transaction.atomic():
            saved: User = super().save_user(request, user, form, commit)
            if commit:
                keep_preferences(saved.pk, language=get_language())
                keep_skeleton(saved)
        return saved

    def get_login_stages(self) -> list[str]:
        """Return the steps between the password and being signed in, including this site's own check of the address."""
        theirs, ours = "allauth.account.stages.EmailVerificationStage", "games.web.accounts.stages.EmailStage"
        return [ours if stage == theirs else stage for stage in super().get_login_stages()]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Keep a mail for the worker, so that no request waits for a mail server or reveals its answer."""
        context = {"request": self.request, "email": email} | context | {"current_site": _site()}
        keep(self.render_mail(template_prefix, email, context), now=timezone.now())

    def is_safe_url(self, url: str) -> bool:
        """Return whether a form may redirect to an address: only to paths on this site, whatever host is named."""
        return url_has_allowed_host_and_scheme(url, allowed_hosts=None)

    def pre_authenticate(self, request: HttpRequest, **credentials: str) -> None:
        """Count a try before the password is checked, and refuse too many."""
        for key, limit in self._limits(request, credentials).items():
            # In this order: a refused request is not counted for the name, or one address could lock the name for
            # everybody.
            if wait := count(key, limit, now=timezone.now()):
                raise ValidationError(_too_many(wait), code="too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: str) -> AbstractBaseUser | None:
        """Return the account with this name and password; a successful try is not counted."""
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user:
            for key in self._limits(request, credentials):
                uncount(key)
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: str) -> None:  # noqa: ARG002 (the framework's own)
        """Log a failed try, without the name, which may be a mistyped password; the request's line has the address."""
        _log.warning("sign_in.failed")

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **how: Any) -> HttpResponseBase:  # noqa: ANN401 (the framework's own)
        """Go on once somebody is signed in, by a password, a passkey or a link."""
        self._make_known(request, user)
        _log.info("sign_in.done", account=user.pk, factors=_factors(request, user))
        answer: HttpResponseBase = super().post_login(request, user, **how)
        if not isinstance(user, User):
            return answer
        now, wanted = timezone.now(), how.get("redirect_url") or get_next_redirect_url(request) or ""
        unsent.forget_unless_for(request, wanted)
        joined = joining.finish(request, user, wanted, now=now)
        onward = pending.finish(request, user, wanted, now=now) or joined
        return SeeOther(onward) if onward else answer

    def _make_known(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Remember that an account has signed in from here, under its name and its addresses."""
        network = network_of(self.get_client_ip(request))
        addresses = EmailAddress.objects.filter(user_id=user.pk).values_list("email", flat=True)
        for name in (user.get_username(), *addresses):
            note(_known(network, _digest(name)), timezone.now() + _KNOWN)

    def _limits(self, request: HttpRequest, credentials: dict[str, str]) -> dict[str, Limit]:
        address = network_of(self.get_client_ip(request))
        name = _digest(credentials.get("email") or credentials.get("username") or "")
        limits = {f"sign-in {address} {name}": _HERE, f"sign-in {address}": _ADDRESS}
        known = is_noted(_known(address, name), now=timezone.now())
        return limits if known else limits | {f"sign-in {name}": _NAME}


def _site() -> SimpleNamespace:
    """Return the site's name for mails."""
    name = urlsplit(settings.SITE_URL).netloc
    return SimpleNamespace(domain=name, name=name)


def _factors(request: HttpRequest, user: AbstractBaseUser) -> list[str]:
    """Return by what somebody signed in, in its order: `password`, `totp`, `recovery_codes`, `webauthn` and so on."""
    return [one.get("type") or one["method"] for one in get_authentication_records(request, user)]


def _known(network: str, name: str) -> str:
    """Return a key for an address and a name that reveals neither."""
    return f"signed in {salted_hmac('signed in', f'{network} {name}').hexdigest()}"


def _digest(name: str) -> str:
    """Return a digest of a name for use in a key, whatever its length and spelling."""
    return sha256(name_key(name).casefold().encode()).hexdigest()[:32]


def _too_many(wait: int) -> str:
    if wait <= _MINUTE:
        sentence = ngettext(
            "Too many failed tries. Try again in {wait} second.",
            "Too many failed tries. Try again in {wait} seconds.",
            wait,
        )
        return sentence.format(wait=wait)
    minutes = -(-wait // _MINUTE)
    sentence = ngettext(
        "Too many failed tries. Try again in {wait} minute.",
        "Too many failed tries. Try again in {wait} minutes.",
        minutes,
    )
    return sentence.format(wait=minutes)
