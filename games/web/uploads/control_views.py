"""The uploader's controls on an upload's page: pause, resume, cancel, retry, and removing rejected records."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from games import tasks
from games.lookup import signed_in, upload_or_404
from games.models import Upload
from games.uploads import controls, removal
from games.web.answers import SeeOther, tried


@require_POST
@login_required
def pause(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Let nothing more of it be split or judged."""
    return _done(request, pk, controls.pause)


@require_POST
@login_required
def resume(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Let it go on."""
    return _done(request, pk, controls.resume)


@require_POST
@login_required
def cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Have nothing more of it split or judged, for good."""
    return _done(request, pk, lambda upload: controls.cancel(upload, now=timezone.now()))


@require_POST
@login_required
def retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Try again what came to no end."""
    return _done(request, pk, lambda upload: controls.retry(upload, now=timezone.now()))


@require_POST
@login_required
def remove_rejected(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Remove rejected records that are not corrected."""
    return _done(request, pk, lambda upload: removal.remove_rejected(upload, signed_in(request), now=timezone.now()))


@require_POST
@login_required
def restore_removed(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Bring removed records back."""
    return _done(request, pk, lambda upload: removal.restore_removed(upload, signed_in(request), now=timezone.now()))


def _done(request: HttpRequest, pk: UUID, act: Callable[[Upload], object]) -> HttpResponse:
    """Do it, and return to the upload's page, or to the upload form if nothing of it is left."""
    upload = upload_or_404(request, pk)
    if not controls.may_control(upload, request.user):
        raise PermissionDenied
    tried(request, lambda: act(upload))
    tasks.wake_workers()
    if Upload.objects.filter(pk=pk).exists():
        return SeeOther(upload.get_absolute_url())
    messages.success(request, gettext("The unfinished file was removed."))
    return SeeOther(reverse("upload"))
