"""Reading what was reported to the moderators and is not decided yet, longest waiting first."""

from typing import Any, TypeVar

from django.db.models import Min, Model, Prefetch, Q, QuerySet

from games.models import Collection, CollectionReport, CommentReport, GameComment, Study, StudyReport

M = TypeVar("M", bound=Model)


def reported_studies() -> "QuerySet[Study]":
    """Return the studies with open reports, each with these as `open_reports`."""
    return _waiting(Study.objects.select_related("owner"), StudyReport)


def reported_comments() -> "QuerySet[GameComment]":
    """Return the comments with open reports."""
    return _waiting(GameComment.objects.select_related("author", "game"), CommentReport)


def reported_collections() -> "QuerySet[Collection]":
    """Return the collections with open reports."""
    return _waiting(Collection.objects.select_related("account"), CollectionReport)


def _waiting(things: "QuerySet[M]", kind: type[StudyReport | CommentReport | CollectionReport]) -> "QuerySet[M]":
    reports = kind.objects.filter(settled_at=None).select_related("by").order_by("raised_at", "pk")
    since = Min("reports__raised_at", filter=Q(reports__settled_at=None))
    found: QuerySet[Any] = things.annotate(waits_since=since).filter(waits_since__isnull=False)
    return found.order_by("waits_since", "pk").prefetch_related(Prefetch("reports", reports, to_attr="open_reports"))
