"""The mails and notifications of an account, and how to stop them."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.lookup import signed_in
from games.notices.preferences import keep_preferences, stop_mails, whose_mails
from games.notices.reads import address_of, preferences_of
from games.push.reads import subscriptions_of
from games.push.vapid import public_key
from games.web.answers import SeeOther
from games.web.forms import MailPreferencesForm


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def mails(request: HttpRequest) -> HttpResponse:
    """Show and change what an account is sent by mail, and in which language."""
    account = signed_in(request).pk
    form = MailPreferencesForm.of(preferences_of(account), request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        keep_preferences(account, **form.cleaned_data)
        messages.success(request, gettext("Saved."))
        return SeeOther(request.path)
    values = {
        "form": form,
        "address": address_of(account),
        "push_key": public_key(settings.VAPID_KEY) if settings.VAPID_KEY else "",
        "browsers": subscriptions_of(account),
    }
    return render(request, "games/accounts/mails.html", values, status=422 if form.errors else 200)


@csrf_exempt  # mail programs send it, too; the secret address only allows stopping these mails
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop all mails for the reader of one, without signing in."""
    try:
        account = whose_mails(token)
    except User.DoesNotExist:
        raise Http404 from None
    if request.method == "POST":
        stop_mails(account.pk)
    return render(request, "games/accounts/stop.html", {"stopped": request.method == "POST"})
