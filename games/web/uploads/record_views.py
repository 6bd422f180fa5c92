"""One record of an upload: its verdict, and if it was rejected, correcting it."""

from io import BytesIO
from itertools import islice
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from engine.agn.cut import cut
from engine.agn.log import MAX_TEXT
from engine.suggesting import edited
from engine.verify import verify
from games import tasks
from games.lookup import upload_or_404
from games.models import CorrectedRecord, MoveLog, Upload
from games.platform.errors import RefusedError
from games.records.reads.games import find_log
from games.records.reads.replays import record_of
from games.records.reads.suggestions import suggestions_for
from games.uploads.corrected import correct, corrected_origin, corrected_record
from games.uploads.reads.report import first_records
from games.web.answers import SeeOther
from games.web.filters import filters
from games.web.rate_limits import SuggestionThrottle, seconds_to_wait
from games.web.uploads.correcting import correcting_of, report_at, sort_of
from games.web.uploads.verdict import verdict_panel

_JUDGED = (MoveLog.State.JUDGED, MoveLog.State.DRY_RUN)


class _TextError(Exception):
    """A text that is not one record; the argument is why."""


@require_http_methods(["GET", "HEAD", "POST"])
@filters("sort")
def record(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show a record's verdict; check a corrected text, with a change if one was chosen; or upload it."""
    upload = upload_or_404(request, pk)
    log = find_log(pk, number, request.user)
    if log is None or log.state not in _JUDGED:
        raise Http404
    if wait := seconds_to_wait(request, SuggestionThrottle()):
        answer = render(request, "429.html", {"wait": wait}, status=429)
        answer["Retry-After"] = str(wait)
        return answer
    if request.method != "POST":
        return _shown(request, upload, log)
    try:
        text = _chosen(log, _one_record(request.POST.get("text", "")), request.POST.get("use", ""))
    except _TextError as error:
        return _shown(request, upload, log, refused=str(error))
    if "upload" in request.POST:
        return _uploaded(request, upload, log, text)
    return _shown(request, upload, log, text)


def _one_record(said: str) -> str:
    """Return a text from a form, which has the line ends of forms. :raises _TextError: when it is not one record."""
    text = said.replace("\r\n", "\n")
    if len(text.encode(errors="replace")) > MAX_TEXT:
        raise _TextError(gettext("This text is too long."))
    found = list(islice(cut(BytesIO(text.encode(errors="replace"))), 2))
    if not found:
        raise _TextError(gettext("There is no game in this text."))
    if len(found) > 1:
        raise _TextError(gettext("This text holds more than one game. Correct one at a time."))
    return text


def _chosen(log: MoveLog, text: str, name: str) -> str:
    """Return a text with the change of that name; unchanged if no such change is suggested."""
    if not name:
        return text
    verdict = verify(corrected_record(record_of(log), text.encode()))
    found = suggestions_for(verdict)
    edit = next((one.edit for one in found.found if one.edit.name == name), None) if found else None
    return edited(verdict.record, edit).decode() if edit else text


def _uploaded(request: HttpRequest, upload: Upload, log: MoveLog, text: str) -> HttpResponse:
    """Upload a corrected text with the options of the first upload; return to the report, if that has more records."""
    if wait := seconds_to_wait(request):
        answer = render(request, "429.html", {"wait": wait}, status=429)
        answer["Retry-After"] = str(wait)
        return answer
    account = request.user if request.user.is_authenticated else None
    publish = request.POST["upload"] == "publish"
    origin = corrected_origin(upload, account, publish=publish)
    try:
        found = correct(log, text.encode(), origin, now=timezone.now())
    except RefusedError as error:
        return _shown(request, upload, log, text, refused=error.sentence)
    tasks.wake_workers()
    if upload.split_logs > 1 and CorrectedRecord.objects.filter(rejected=log, correction__upload=found.upload).exists():
        sort = sort_of(upload, request.GET.get("sort", ""))
        return SeeOther(report_at(upload, log.number, upload.split_logs, sort=sort, corrected=True))
    if found.again:
        messages.info(request, gettext("You have already uploaded this file. Here are its results."))
    return SeeOther(found.upload.get_absolute_url())


def _shown(
    request: HttpRequest, upload: Upload, log: MoveLog, text: str | None = None, *, refused: str = ""
) -> HttpResponse:
    in_place = "HX-Request" in request.headers
    values = {
        "panel": verdict_panel(upload, log, text, known=log.pk in first_records(upload, request.user, [log.pk])),
        "correcting": correcting_of(upload, log, request.user, sort=request.GET.get("sort", "")),
        "refused": refused,
        "in_row": request.headers.get("HX-Target", "").startswith("fix-") or "in_row" in request.POST,
    }
    template = "games/uploads/verdict.html" if in_place else "games/uploads/record.html"
    return render(request, template, values, status=200 if in_place or not refused else 422)
