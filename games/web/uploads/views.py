"""Uploading games, and the results."""

from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import tasks
from games.clubs.reads.clubs import organised_by
from games.lookup import game_or_404, signed_in, upload_or_404
from games.models import Upload
from games.platform.errors import RefusedError
from games.platform.idempotency import Kept, once
from games.platform.parameters import ParameterError
from games.platform.repeatable_read import repeatable_read
from games.records.reads.replays import first_log
from games.uploads.options import NAMES, TICKET, gather
from games.uploads.origin import Origin, UploadOptions
from games.uploads.reads.results import is_only_rejected
from games.uploads.source import MAX_BYTES, Source
from games.uploads.submit import Submission, submit
from games.web.answers import SeeOther
from games.web.filters import filters
from games.web.forms import UploadForm
from games.web.invitations.panel import make_it_count
from games.web.parameters import number_from
from games.web.rate_limits import SuggestionThrottle, seconds_to_wait
from games.web.uploads.kinds import choice_of
from games.web.uploads.result import Asked, upload_page, wait_before
from games.web.uploads.samples import find_sample, samples
from games.web.uploads.upload_form import upload_form_page
from games.webhooks.deliveries import send_again

_ALOUD = 10
"""A screen reader announces the progress once in this number of updates."""
_BESIDES = 64 * 1024
"""Bytes of a request besides what is uploaded."""
_FIELDS = frozenset({*NAMES, "file", "text", TICKET})
_STATUS = {"intake_paused": 503, "under_way": 409}
"""By what an upload was refused for; anything else is 422."""


@csrf_exempt  # _take_in checks the CSRF token, for which the whole body is read; so its length is checked first
def upload(request: HttpRequest) -> HttpResponse:
    """Accept a file or a text."""
    if _length(request) > _most(request) + _BESIDES:
        return render(
            request, "games/uploads/upload.html", _form_page(request, _form(request), too_large=True), status=413
        )
    return _take_in(request)


def _most(request: HttpRequest) -> int:
    """Return how many bytes one form may have."""
    return settings.UPLOAD_MAX_FORM if request.user.is_authenticated else MAX_BYTES


def _length(request: HttpRequest) -> int:
    length = request.headers.get("Content-Length", "")
    return int(length) if length.isascii() and length.isdigit() else 0


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def _take_in(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "games/uploads/upload.html", _form_page(request, _form(request)))
    if wait := seconds_to_wait(request):
        return _too_many(request, wait)
    form = UploadForm(request.POST, request.FILES, viewer=request.user, label_suffix="")
    try:
        gather((request.GET, ()), (request.POST, _FIELDS), (request.FILES, _FIELDS))
    except ParameterError as error:
        form.add_error(None, f"{error.parameter}: {error.sentence}")
        return render(request, "games/uploads/upload.html", _form_page(request, form), status=400)
    if form.is_valid() and (taken := _taken_in(request, form)):
        tasks.wake_workers()
        return SeeOther(taken.get_absolute_url())
    status = _STATUS.get(form.refusal, 422)
    return render(request, "games/uploads/upload.html", _form_page(request, form), status=status)


def _too_many(request: HttpRequest, wait: int) -> HttpResponse:
    answer = render(request, "429.html", {"wait": wait}, status=429)
    answer["Retry-After"] = str(wait)
    return answer


def _taken_in(request: HttpRequest, form: UploadForm) -> Upload | None:
    """Store the upload; return none when it was refused, with the reason in the form."""
    account = signed_in(request) if request.user.is_authenticated else None
    try:
        found = _submitted(request, form, account)
    except RefusedError as error:
        form.refuse(error)
        return None
    if found.again:
        messages.info(request, gettext("You have already uploaded this file. Here are its results."))
    return found.upload


def _submitted(request: HttpRequest, form: UploadForm, account: User | None) -> Submission:
    """Store the upload, once for each idempotency key: the score sheet sends one, and sends again what may be lost."""
    source, options, now = form.source, form.options, timezone.now()

    def act() -> Submission:
        return submit(source, Origin(Upload.Via.WEB, account, options), now=now)

    if (key := request.headers.get("Idempotency-Key")) is None:
        return act()
    kept = once(
        account, key, lambda: _sum(source, options), lambda: Kept(303, {"upload": str(act().upload.pk)}), now=now
    )
    return Submission(Upload.objects.get(pk=kept.body["upload"]), again=kept.again)


def _sum(source: Source, options: UploadOptions) -> str:
    return sha256(repr((options, source.digest())).encode()).hexdigest()


def _form(request: HttpRequest) -> UploadForm:
    """Return the empty form, or one filled with a sample or the record of a game, and with a club."""
    begun = {"text": _begun(request), "club": request.GET.get("club", "")}
    return UploadForm(viewer=request.user, label_suffix="", initial=begun)


def _begun(request: HttpRequest) -> str:
    if key := request.GET.get("game"):
        return first_log(game_or_404(request, key), request.user).text
    sample = find_sample(request.GET.get("sample", ""))
    return sample.text if sample else ""


def _form_page(request: HttpRequest, form: UploadForm, *, too_large: bool = False) -> dict[str, object]:
    page = upload_form_page(request.user, form_bytes=_most(request))
    slug = form["club"].value() if "club" in form.fields else ""
    club = organised_by(request.user).filter(slug=slug).first() if slug else None
    return {"form": form, "page": page, "samples": samples(), "too_large": too_large, "club": club}


@require_POST
@login_required
def notify_again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send an upload's webhook again."""
    upload = get_object_or_404(Upload, pk=pk, uploader=signed_in(request))
    if not send_again(upload, now=timezone.now()):
        raise Http404
    return SeeOther(upload.get_absolute_url())


@require_safe
@filters("show", "rule", "sort", "after", "look", "seen", "acts", "who", "corrected")
def result(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the results of an upload; to htmx only what is new.

    Suggestions are counted like those on a record's own page, before the snapshot is read, because a count inside it
    could conflict with another one and fail.
    """
    suggests = is_only_rejected(pk)
    return _result(request, pk, with_suggestions=not (suggests and seconds_to_wait(request, SuggestionThrottle())))


@repeatable_read()
def _result(request: HttpRequest, pk: UUID, *, with_suggestions: bool) -> HttpResponse:
    found = upload_or_404(request, pk)
    choice = choice_of(*(request.GET.get(name, "") for name in ("show", "rule", "sort")))
    wanted = Asked(number_from(request.GET, "after"), choice, number_from(request.GET, "corrected"))
    page = upload_page(found, request.user, wanted, with_suggestions=with_suggestions, now=timezone.now())
    look = number_from(request.GET, "look") + 1
    news = page.seen != request.GET.get("seen")
    new_acts = page.stage.acts != request.GET.get("acts", "")
    who = request.GET.get("who", "")
    count = None if page.waits else make_it_count(found, request.user, now=timezone.now(), change=who == "1")
    values = {"page": page, "count": count, "look": look, "wait": wait_before(look), "news": news, "new_acts": new_acts}
    values["count_asked"] = who != ""
    values["fresh"] = page.verdict is not None and request.GET.get("seen", "").startswith("0")
    values["aloud"] = news and (not page.waits or look % _ALOUD == 0)
    return render(
        request,
        "games/uploads/results.html" if "HX-Request" in request.headers else "games/uploads/result.html",
        values,
    )
