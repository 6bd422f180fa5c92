"""An account's pages. Registration, sign-in and the like are django-allauth's, with our templates."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.stagekit import get_pending_stage
from allauth.account.models import EmailAddress, get_emailconfirmation_model
from allauth.account.views import ConfirmEmailView as TheirConfirmEmailView
from allauth.account.views import LoginView, LogoutView
from allauth.mfa.base.views import IndexView as TheirSecondFactorView
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.agn.names import name_key
from games.accounts.deletion import delete_account
from games.accounts.reads.own_data import own_data
from games.accounts.tokens import Scope, make_token, revoke_token
from games.clubs.errors import ClubError
from games.guests import forget_guest, person_of
from games.lookup import signed_in
from games.platform.roles import is_moderator
from games.playing.reads.lists import count_as_guest
from games.records.reads.streams import ExportError, whole_or_stream
from games.web.accounts.forms import SignupForm
from games.web.accounts.home import home_page
from games.web.accounts.pages import deletion_page, sessions_shown, settings_page, tokens_shown
from games.web.answers import SeeOther
from games.web.json_stream import json_of
from games.web.parameters import text_from
from games.webhooks.deliveries import make_secret
from games.webhooks.reads import secret_made_at


@require_safe
@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Show what waits for the account, its ratings and games, and whom it follows."""
    return render(
        request,
        "games/accounts/home.html",
        {"page": home_page(signed_in(request), person_of(request), now=timezone.now())},
    )


@require_safe
@login_required
@never_cache
def settings(request: HttpRequest) -> HttpResponse:
    """Show how the account signs in, which mails it gets, and what it has uploaded."""
    page = settings_page(signed_in(request), now=timezone.now())
    return render(request, "games/accounts/settings.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def tokens(request: HttpRequest) -> HttpResponse:
    """Show tokens for programs; a new one is shown in the answer to the form that asked for it, and never again."""
    user = signed_in(request)
    scope = next((scope for scope in Scope if scope == request.POST.get("scope")), Scope.ALL)
    made = make_token(user, scope) if request.method == "POST" else None
    shown = tokens_shown(user, request.GET, now=timezone.now())
    values = {"tokens": shown, "made": made, "moderates": is_moderator(user)}
    return render(request, "games/accounts/tokens.html", values, status=201 if made else 200)


class SessionsView(ListUserSessionsView):  # type: ignore[misc] # it has no types
    """Where the account is signed in, some browsers at a time."""

    def get_context_data(self, **kwargs: object) -> dict[str, Any]:
        """Add the requested part of the list."""
        values: dict[str, Any] = super().get_context_data(**kwargs)
        return values | {"sessions": sessions_shown(values["sessions"], self.request.GET)}


class SignInView(LoginView):  # type: ignore[misc] # it has no types
    """Signs in; who was on the way to somewhere else can create an account right there."""

    def get_context_data(self, **kwargs: object) -> dict[str, Any]:
        """Add the form of a new account, where one is asked to sign in."""
        values: dict[str, Any] = super().get_context_data(**kwargs)
        return values | {"new_account": SignupForm() if values["redirect_field_value"] else None}


class SignOutView(LogoutView):  # type: ignore[misc] # it has no types
    """Signs out, and has the browser forget the guest as whom the account played before it signed in."""

    def post(self, *args: object, **kwargs: object) -> HttpResponse:
        """Sign out; who only gives up signing in stays the guest."""
        was_signed_in = self.request.user.is_authenticated
        answer: HttpResponse = super().post(*args, **kwargs)
        if was_signed_in:
            forget_guest(answer)
        return answer

    def get_context_data(self, **kwargs: object) -> dict[str, Any]:
        """Add at how many tables nobody could go on afterwards."""
        values: dict[str, Any] = super().get_context_data(**kwargs)
        return values | {"guest_games": count_as_guest(person_of(self.request).earlier)}


class ConfirmEmailView(TheirConfirmEmailView):  # type: ignore[misc] # it has no types
    """A link in a mail: confirms the address at once in the account's own browser, and asks first in any other.

    Programs that open the links of mails have neither the account's session nor one that waits for its address.
    """

    def get(self, *args: object, **kwargs: object) -> HttpResponse:
        """Confirm, or ask."""
        confirmation = get_emailconfirmation_model().from_key(self.kwargs["key"])
        own = confirmation and confirmation.email_address.user_id == _browser_of(self.request)
        answer: HttpResponse = self.post(*args, **kwargs) if own else super().get(*args, **kwargs)
        return answer


def _browser_of(request: HttpRequest) -> int | None:
    """Return the account that is signed in, or has given its password and must confirm its address."""
    if request.user.is_authenticated:
        return request.user.pk
    stage = get_pending_stage(request)
    return stage.login.user.pk if stage and stage.login.user else None


class SecondFactorView(TheirSecondFactorView):  # type: ignore[misc] # it has no types
    """An account's second factors, and whether an address has to be confirmed before there can be one."""

    def get_context_data(self, **kwargs: object) -> dict[str, Any]:
        """Add the addresses that are not confirmed."""
        values: dict[str, Any] = super().get_context_data(**kwargs)
        unconfirmed = EmailAddress.objects.filter(user_id=self.request.user.pk, verified=False).order_by("pk")
        return values | {"unconfirmed": [row.email for row in unconfirmed]}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show the secret of the account's webhooks; a new one is shown in the answer to the form that asked for it."""
    user = signed_in(request)
    made = make_secret(user, now=timezone.now()) if request.method == "POST" else None
    values = {"made": made, "since": secret_made_at(user.pk)}
    return render(request, "games/accounts/webhooks.html", values, status=201 if made else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@reauthentication_required  # type: ignore[untyped-decorator]
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the account, once its name was typed."""
    user = signed_in(request)
    wrong = request.method == "POST" and name_key(request.POST.get("name", "")) != user.username
    if request.method != "POST" or wrong:
        page = deletion_page(user)
        return render(
            request, "games/accounts/delete.html", {"page": page, "wrong": wrong}, status=422 if wrong else 200
        )
    try:
        delete_account(user, now=timezone.now())
    except ClubError as error:
        messages.error(request, error.sentence)
        return SeeOther(request.path)
    logout(request)
    messages.success(request, gettext("Your account is deleted."))
    answer = SeeOther(reverse("home"))
    forget_guest(answer)
    return answer


@require_safe
@login_required
@never_cache
@reauthentication_required  # type: ignore[untyped-decorator]
def export(request: HttpRequest) -> HttpResponseBase:
    """Send everything stored about the account as a file."""
    now = timezone.now()
    try:
        body = whole_or_stream(piece.encode() for piece in json_of(own_data(signed_in(request), now=now)))
    except ExportError as error:
        messages.error(request, error.sentence)
        return SeeOther(reverse("account-settings"))
    answer = (HttpResponse if isinstance(body, bytes) else StreamingHttpResponse)(body, content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="atta-account-{now:%Y-%m-%d}.json"'
    return answer


@require_POST
@login_required
def revoke(request: HttpRequest) -> HttpResponse:
    """Revoke a token."""
    if not revoke_token(signed_in(request), text_from(request.POST, "token")):
        raise Http404
    return SeeOther(reverse("account-tokens"))
