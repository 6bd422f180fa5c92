"""Deciding reports of studies: a study is hidden from everybody but its owner, or stays."""

from django.db import transaction
from django.db.models import QuerySet

from games.models import Act, Study, StudyReport
from games.moderation.decisions import Decision, ModerationError, note


@transaction.atomic
def decide(study: Study, decision: Decision, *, hide: bool) -> Study:
    """Hide a study, or show it again, and settle all open reports of it.

    :raises ModerationError: without a reason, or for the moderator's own study.
    """
    decision.check()
    held = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if decision.account == held.owner_id or held.reports.filter(by=decision.account, settled_at=None).exists():
        raise ModerationError("own_case", "You wrote or reported this study: another moderator has to decide.")
    held.hidden_at, held.hidden_for = (decision.at, decision.reason.strip()) if hide else (None, "")
    held.save(update_fields=["hidden_at", "hidden_for"])
    held.reports.filter(settled_at=None).update(settled_at=decision.at, answer=decision.reason.strip())
    note(Act.Kind.STUDY_HIDDEN if hide else Act.Kind.STUDY_SHOWN, decision, params={"study": held.key})
    return held


def open_reports() -> "QuerySet[StudyReport]":
    """Return the reports that nobody has decided, oldest first."""
    return StudyReport.objects.filter(settled_at=None).select_related("study", "by").order_by("raised_at", "pk")
