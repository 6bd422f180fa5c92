"""What readers reported: cases for the moderators' queue, and the pages on which some are decided."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from games.comments.markdown import as_html
from games.lookup import collection_or_404, signed_in
from games.models import Collection, CollectionReport, CommentReport, GameComment, Study, StudyReport
from games.moderation.decisions import Decision
from games.moderation.reported import Ruling, decide
from games.platform.errors import RefusedError
from games.platform.reports import Reported
from games.web.answers import SeeOther
from games.web.collections.pages import name_of
from games.web.links import Link
from games.web.moderation.guarding import moderators_only
from games.web.parameters import text_from


@dataclass(frozen=True, slots=True)
class ReportShown:
    """Why somebody reported something."""

    by: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ReportedCase:
    """Something reported."""

    link: Link
    """Where readers find it."""
    author: str
    decide: str
    """Where a moderator decides about it."""
    html: SafeString
    """What it says, if that is short."""
    version: str
    is_hidden: bool
    hidden_for: str
    reports: tuple[ReportShown, ...]
    """Those that are open."""


def study_case(study: Study) -> ReportedCase:
    """Return a study with its open reports, which are loaded."""
    url = study.get_absolute_url()
    return _case(study, Link(study.title, url), study.owner.get_username(), f"{url}#moderation", study.open_reports)  # type: ignore[attr-defined] # prefetched


def comment_case(comment: GameComment) -> ReportedCase:
    """Return a comment with its open reports, which are loaded."""
    decided = reverse("moderation-comment", args=[comment.pk])
    link = Link(gettext("Comment on game {key}").format(key=comment.game.key), comment.get_absolute_url())
    return _case(comment, link, comment.author.get_username(), decided, comment.open_reports, as_html(comment.text))  # type: ignore[attr-defined] # prefetched


def collection_case(collection: Collection) -> ReportedCase:
    """Return a collection with its open reports, which are loaded."""
    decided = reverse("moderation-collection", args=[collection.key])
    link = Link(name_of(collection), collection.get_absolute_url())
    return _case(collection, link, collection.account.get_username(), decided, collection.open_reports)  # type: ignore[attr-defined] # prefetched


def _case(
    thing: Reported,
    link: Link,
    author: str,
    decided: str,
    reports: Iterable[StudyReport | CommentReport | CollectionReport],
    html: SafeString = SafeString(),  # noqa: B008 - it never changes
) -> ReportedCase:
    return ReportedCase(
        link=link,
        author=author,
        decide=decided,
        html=html,
        version=thing.read_version,
        is_hidden=thing.hidden_at is not None,
        hidden_for=thing.hidden_for,
        reports=tuple(ReportShown(one.by.get_username(), one.reason, one.raised_at) for one in reports),
    )


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def comment(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a comment of another account with its reports, and decide about it."""
    others = GameComment.objects.select_related("author", "game").exclude(author=signed_in(request).pk)
    return _decided(request, get_object_or_404(others, pk=pk))


@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def collection(request: HttpRequest, key: str) -> HttpResponse:
    """Show a collection of another account with its reports, and decide about it."""
    found = collection_or_404(request, key)
    if found.account_id == signed_in(request).pk:
        raise Http404
    return _decided(request, found)


def _decided(request: HttpRequest, found: GameComment | Collection) -> HttpResponse:
    refusal = ""
    if request.method == "POST":
        refusal = _ruled(request, found)
        if not refusal:
            return SeeOther(reverse("moderation"))
    found.open_reports = list(found.reports.filter(settled_at=None).select_related("by").order_by("raised_at", "pk"))  # type: ignore[union-attr]
    case = comment_case(found) if isinstance(found, GameComment) else collection_case(found)
    values = {"case": case, "refusal": refusal, "reason": text_from(request.POST, "reason")}
    return render(request, "games/moderation/reported.html", values, status=422 if refusal else 200)


def _ruled(request: HttpRequest, found: Reported) -> str:
    """Decide as a form says. :returns: why that cannot be done; empty when it was."""
    act = text_from(request.POST, "act")
    if act not in ("hide", "keep"):
        return gettext("Nothing was selected.")
    ruling = Ruling(hide=act == "hide", version=text_from(request.POST, "version"))
    try:
        decide(found, ruling, Decision(signed_in(request), timezone.now(), text_from(request.POST, "reason")))
    except RefusedError as error:
        return error.sentence
    return ""
