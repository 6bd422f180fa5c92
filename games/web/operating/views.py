"""The operators' page, and what can be done there."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import tasks
from games.lookup import signed_in
from games.models import Upload
from games.platform import pauses
from games.platform.roles import is_operator
from games.uploads import controls
from games.web.answers import SeeOther, tried
from games.web.operating.page import operating_page

View = Callable[..., HttpResponse]


def operators_only(view: View) -> View:
    """Hide a page from all others; who is not signed in is asked to."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_operator(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@operators_only
@require_safe
@never_cache
def overview(request: HttpRequest) -> HttpResponse:
    """Show what waits, what failed, what runs and what is paused."""
    return render(request, "games/operating/operating.html", {"page": operating_page()})


@operators_only
@require_POST
def switch(request: HttpRequest, part: str) -> HttpResponse:
    """Pause or resume a part."""
    if part not in pauses.Part.values:
        raise Http404
    account = signed_in(request).pk
    if request.POST.get("do") == "resume":
        pauses.resume(pauses.Part(part), by=account)
        tasks.wake_workers()
    else:
        reason = request.POST.get("reason", "")
        pauses.pause(pauses.Part(part), reason=reason, by=account, now=timezone.now())
    return SeeOther(reverse("operating"))


@operators_only
@require_POST
def retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Verify the quarantined records of an upload again."""
    upload = get_object_or_404(Upload, pk=pk)
    tried(request, lambda: controls.retry(upload, now=timezone.now()))
    tasks.wake_workers()
    return SeeOther(reverse("operating"))
