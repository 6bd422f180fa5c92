"""What readers do with a study: follow it, or report it to the moderators."""

from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser

from games.models import Study, StudyFollow
from games.platform import reports
from games.studies.errors import StudyRefusedError

MOST_FOLLOWED = 500


def follow(study: Study, account: AbstractBaseUser, *, now: datetime) -> None:
    """Follow a study. :raises StudyRefusedError: when it is the account's own, or too many are followed."""
    if study.owner_id == account.pk:
        raise StudyRefusedError("own_study", "This is your own study.")
    if StudyFollow.objects.filter(account=account.pk).count() >= MOST_FOLLOWED:
        raise StudyRefusedError("too_many_followed", "You can follow at most {most} studies.", most=MOST_FOLLOWED)
    StudyFollow.objects.get_or_create(account_id=account.pk, study=study, defaults={"since": now})


def unfollow(study: Study, account: AbstractBaseUser) -> None:
    """Stop following a study."""
    StudyFollow.objects.filter(account=account.pk, study=study).delete()


def report(study: Study, reason: str, *, by: AbstractBaseUser, now: datetime) -> None:
    """Report a study to the moderators. :raises RefusedError: without a reason, or for the account's own study."""
    if study.owner_id == by.pk:
        raise StudyRefusedError("own_study", "This is your own study.")
    reports.report(study, reason, by=by, now=now)
