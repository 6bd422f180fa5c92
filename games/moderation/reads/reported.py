"""Reading what was reported and is not decided yet, longest waiting first.

A moderator sees neither what they wrote nor what they reported: who reported it is not for its author, and another
moderator has to decide.
"""

from typing import Any, TypeVar

from django.db.models import Min, Model, Prefetch, QuerySet

from games.models import Collection, GameComment, Study
from games.records.reads.visibility import Viewer

M = TypeVar("M", bound=Model)


def reported_studies(moderator: Viewer) -> "QuerySet[Study]":
    """Return the studies with open reports, each with these as `open_reports`."""
    return _waiting(Study.objects.select_related("owner").exclude(owner=moderator.pk), moderator)


def reported_comments(moderator: Viewer) -> "QuerySet[GameComment]":
    """Return the comments with open reports."""
    others = GameComment.objects.select_related("author", "game").exclude(author=moderator.pk)
    return _waiting(others, moderator)


def reported_collections(moderator: Viewer) -> "QuerySet[Collection]":
    """Return the collections with open reports."""
    others = Collection.objects.select_related("account").exclude(account=moderator.pk)
    return _waiting(others, moderator)


def _waiting(things: "QuerySet[M]", moderator: Viewer) -> "QuerySet[M]":
    own = things.filter(reports__by=moderator.pk, reports__settled_at=None).values("pk")
    found: QuerySet[Any] = things.exclude(pk__in=own).filter(reports__isnull=False, reports__settled_at=None)
    found = found.annotate(waits_since=Min("reports__raised_at")).order_by("waits_since", "pk")
    return with_open_reports(found)


def with_open_reports(things: "QuerySet[M]") -> "QuerySet[M]":
    """Return studies, comments or collections with their open reports as `open_reports`, longest waiting first."""
    kind: Any = things.model._meta.get_field("reports").related_model  # noqa: SLF001
    waiting = kind.objects.filter(settled_at=None).select_related("by").order_by("raised_at", "pk")
    return things.prefetch_related(Prefetch("reports", waiting, to_attr="open_reports"))
