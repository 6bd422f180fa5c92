"""Reporting something to the moderators, and checking texts that people write for others to read."""

from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from games.models import Collection, GameComment, Study
from games.platform.errors import RefusedError
from games.platform.lookalikes import has_invisible, is_invisible

Reported = Study | GameComment | Collection
MOST = 1000
"""Characters of a reason."""


@transaction.atomic
def report(reported: Reported, reason: str, *, by: AbstractBaseUser, now: datetime) -> None:
    """Store a report; a second open one of the same account replaces the first.

    :raises RefusedError: without a readable reason, or when what is reported was deleted meanwhile.
    """
    if shows_nothing(reason):
        raise RefusedError("no_reason", "Give a reason. The moderators read it.")
    check_visible(reason, "reason")
    if (held := locked(reported)) is None:
        raise RefusedError("deleted_meanwhile", "This was deleted meanwhile.")
    held.reports.update_or_create(
        by_id=by.pk, settled_at=None, defaults={"reason": reason.strip()[:MOST], "raised_at": now}
    )


def locked(reported: Reported) -> Reported | None:
    """Return something reported as it is now, locked until the transaction ends; none when it is gone."""
    held: Reported | None = (
        type(reported)._default_manager.select_for_update(no_key=True).filter(pk=reported.pk).first()  # noqa: SLF001
    )
    return held


def shows_nothing(text: str) -> bool:
    """Return whether nothing of a text can be seen."""
    return all(letter.isspace() or is_invisible(letter) for letter in text)


def check_visible(text: str, parameter: str) -> None:
    """Refuse characters that nobody sees. :raises RefusedError: when a text has some."""
    if has_invisible(text):
        refusal = RefusedError("unseen", "Texts cannot contain invisible or text-direction characters.")
        refusal.parameter = parameter
        raise refusal
