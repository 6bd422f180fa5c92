"""The browsers in which an account gets notifications, and the script that shows them there."""

from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.lookup import signed_in
from games.push.subscriptions import PushError, subscribe, unsubscribe
from games.web.answers import SeeOther
from games.web.parameters import number_from, text_from

_WORKER = (Path(__file__).parents[2] / "static" / "games" / "js" / "push-worker.js").read_bytes()


@require_POST
@login_required
@never_cache
def notifications(request: HttpRequest) -> HttpResponse:
    """Turn notifications on for the browser that asks, or off for one of the account's."""
    account, fields = signed_in(request).pk, request.POST
    if remove := number_from(fields, "remove"):
        if unsubscribe(account, remove):
            messages.success(request, gettext("Notifications are off for that browser."))
    elif settings.VAPID_KEY:
        try:
            subscribe(
                account, text_from(fields, "endpoint"), text_from(fields, "point"), text_from(fields, "auth"),
                agent=request.headers.get("User-Agent", ""), language=get_language() or settings.LANGUAGE_CODE,
                now=timezone.now(),
            )  # fmt: skip
            messages.success(request, gettext("This browser gets notifications now."))
        except PushError as error:
            messages.error(request, error.sentence)
    return SeeOther(f"{reverse('account-mails')}#notifications")


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Send the service worker: its address decides which pages it controls, so it is not a static file."""
    return HttpResponse(_WORKER, content_type="text/javascript", headers={"Cache-Control": "no-cache"})
