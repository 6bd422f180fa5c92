"""Inviting people to confirm games, and answering invitations."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from allauth.account.forms import SignupForm
from allauth.account.views import signup
from allauth.utils import get_form_class
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.invitations import answering, inviting
from games.invitations.reads.invitations import find_invitation
from games.lookup import signed_in, upload_or_404
from games.models import Invitation, InvitedName
from games.platform import rate_limits
from games.run import rate_at_once
from games.web.answers import SeeOther, tried
from games.web.invitations import pending
from games.web.invitations.mails import send_invitation
from games.web.invitations.pages import WRONG, invitation_page, made_page, made_rows
from games.web.parameters import number_from, text_from
from games.web.rate_limits import InviteThrottle, seconds_to_wait

_MAILS = rate_limits.Limit(3, timedelta(days=1))
"""Invitations mailed to one address, from all accounts together."""


def _hidden(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Keep a page out of caches, and its address, which is secret, out of referrers."""

    def hidden(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # noqa: ANN401 (whatever the address holds)
        answer = view(request, *args, **kwargs)
        answer["Referrer-Policy"] = "same-origin"  # no-referrer would also remove the origin from this site's own forms
        answer["X-Robots-Tag"] = "noindex, nofollow"
        return answer

    return never_cache(hidden)


@_hidden
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show what a link opens, and take the answer."""
    try:
        found = find_invitation(token)
    except Invitation.DoesNotExist:
        raise Http404 from None
    if request.method == "POST":
        return _answered(request, token, found)
    page = invitation_page(found, request.user, chosen=_asked_name(request), now=timezone.now())
    here = request.get_full_path()
    values = {
        "page": page,
        "form": _form(page.name),
        "here": here,
        "login": _sign_in(here),
    }
    return render(request, "games/invitations/invitation.html", values)


def _asked_name(request: HttpRequest) -> int | None:
    return number_from(request.GET, "name") if "name" in request.GET else None


def _sign_in(here: str) -> str:
    return f"{reverse('account_login')}?{urlencode({'next': here})}"


def _form(name: str) -> SignupForm:
    """Return the form that registers, with the player's name as the account's."""
    form_class = get_form_class(settings.ACCOUNT_FORMS, "signup", SignupForm)
    return form_class(initial={"username": name}, label_suffix="")


def _answered(request: HttpRequest, token: str, found: Invitation) -> HttpResponseBase:
    number, now = number_from(request.POST, "name"), timezone.now()
    name = get_object_or_404(InvitedName.objects.select_related("invitation"), pk=number, invitation=found)
    here = SeeOther(f"{reverse('invitation', args=[token])}?name={number}")
    match request.POST.get("act"):
        case "confirm" if request.user.is_authenticated:
            pending.give(request, signed_in(request), token, number, _answers(request), now=now)
        case "confirm":
            pending.keep(request, token, number, _answers(request), now=now)
            return signup(request)  # type: ignore[no-any-return]
        case "sign-in":
            pending.keep(request, token, number, _answers(request), now=now)
            return SeeOther(_sign_in(here.url))
        case "not-me":
            answering.decline(name, now=now)
            messages.success(request, gettext("Thank you. Nothing was changed, and the uploader sees your answer."))
        case "misuse":
            answering.report_misuse(name, now=now)
            messages.success(request, gettext("Thank you. The uploader sees this and can undo the confirmation."))
        case "undo" if request.user.is_authenticated:
            tried(request, lambda: answering.undo(name, signed_in(request), now=now))
    return here


def _answers(request: HttpRequest) -> dict[str, str]:
    """Return what is wrong with the games that the form showed, by their keys; nothing for those that are right."""
    found = {}
    for field, kind in request.POST.items():
        if field.startswith("kind-"):
            key = field.removeprefix("kind-")
            said = text_from(request.POST, f"wrong-{key}").strip()
            found[key] = f"{WRONG[kind]}. {said}".strip()[:1000] if kind in WRONG else ""
    return found


@require_POST
@login_required
def names(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Record which name of an upload is the reader's, and make links for the others."""
    upload, user, now = upload_or_404(request, pk), signed_in(request), timezone.now()
    if seconds_to_wait(request, InviteThrottle()):
        messages.error(request, gettext("Too many invitations at once. Try again in an hour."))
    else:
        me = number_from(request.POST, "me") or None
        if tried(request, lambda: inviting.say_who(upload, user, me=me, now=now)):
            rate_at_once(upload.logs.values_list("game__key", flat=True)[:100], now=timezone.now)
    return SeeOther(f"{upload.get_absolute_url()}?who=said#count")


@require_safe
@login_required
@never_cache
def made(request: HttpRequest) -> HttpResponse:
    """List the reader's invitations."""
    rows = made_rows(request.user, request.GET, now=timezone.now())
    return render(request, "games/invitations/list.html", {"rows": rows})


@_hidden
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def one(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one of the reader's invitations: link, QR code, mail; renew, revoke, or undo what was done with it."""
    found = get_object_or_404(Invitation.objects.select_related("by"), pk=pk, by=signed_in(request))
    if request.method == "POST":
        _change(request, found)
        return SeeOther(request.path)
    page = made_page(found, now=timezone.now())
    return render(request, "games/invitations/made.html", {"page": page})


def _change(request: HttpRequest, found: Invitation) -> None:
    now = timezone.now()
    match request.POST.get("act"):
        case "revoke":
            inviting.revoke(found, now=now)
        case "renew":
            tried(request, lambda: inviting.renew(found, now=now))
        case "undo":
            name = get_object_or_404(InvitedName, pk=number_from(request.POST, "name"), invitation=found)
            tried(request, lambda: answering.undo(name, signed_in(request), now=now))
        case "mail":
            _mail(request, found)


def _mail(request: HttpRequest, found: Invitation) -> None:
    """Send the link to an address, as long as it can be used."""
    now, address = timezone.now(), text_from(request.POST, "email").strip()
    page = made_page(found, now=now)
    if not settings.MAIL_IS_ON or not page.link.address:
        return
    try:
        validate_email(address)
    except ValidationError:
        messages.error(request, gettext("This is not an e-mail address: {address}").format(address=address))
        return
    if seconds_to_wait(request, InviteThrottle()):
        messages.error(request, gettext("Too many invitations at once. Try again in an hour."))
        return
    if rate_limits.count(f"invited/{_digest(address)}", _MAILS, now=now):
        messages.error(request, gettext("Too many invitations to this address today. Try again tomorrow."))
        return
    send_invitation(address, by=found.by.get_username(), games=page.games, link=page.link.address, now=now)
    messages.success(request, gettext("The mail to {address} is on its way.").format(address=address))


def _digest(address: str) -> str:
    """Return a digest of an address for counting mails, so that the address itself is not stored."""
    return salted_hmac("games.invited", address.casefold(), algorithm="sha256").hexdigest()
