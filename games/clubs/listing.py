"""Listing clubs publicly: a moderator who is not a member decides, and every decision is in the moderation log.

A decision carries the version of the texts that the moderator has read, because organisers can change them meanwhile.
"""

from datetime import datetime
from typing import Protocol

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.clubs.errors import ClubError
from games.clubs.locking import locked_club
from games.clubs.reads.clubs import may_review, texts_version
from games.models import Act, Club

MOST_LETTERS = 1000
"""Of a reason."""


class Decision(Protocol):
    """A decision about whether a club is listed."""

    def __call__(self, club: Club, *, texts: str, by: AbstractBaseUser, now: datetime, reason: str) -> None:
        """Decide. :raises ClubError: when this decision is not possible."""


@transaction.atomic
def list_publicly(club: Club, *, texts: str, by: AbstractBaseUser, now: datetime, reason: str = "") -> None:
    """List a club publicly.

    :param texts: the version of its texts that were read.
    :raises ClubError: when `by` is not a moderator or is a member, its texts have changed, or it is already listed.
    """
    held = _reviewed(club, texts, by)
    if held.listed_at:
        raise ClubError("listed", "{name} is already listed.", name=held.name)
    held.listed_at, held.listed_by_id, held.unlisted_for = now, by.pk, ""
    _save(held, Act.Kind.CLUB_LISTED, reason, by, now)


@transaction.atomic
def unlist(club: Club, *, texts: str, by: AbstractBaseUser, now: datetime, reason: str) -> None:
    """Remove a club from the public list, or refuse to list it. Its pages keep working; its organisers see the reason.

    :param texts: the version of its texts that were read.
    :raises ClubError: when `by` is not a moderator or is a member, its texts have changed, this was already decided, or
        no reason is given.
    """
    held = _reviewed(club, texts, by)
    if not held.listed_at and held.unlisted_for:
        raise ClubError("not_listed", "{name} is not listed.", name=held.name)
    if not reason.strip():
        raise ClubError("no_reason", "Give a reason: the club’s organisers will read it.")
    held.listed_at, held.listed_by_id, held.unlisted_for = None, None, reason.strip()
    _save(held, Act.Kind.CLUB_UNLISTED, reason, by, now)


def check_may_decide(club: Club, by: AbstractBaseUser) -> None:
    """Check that an account may decide whether a club is listed. :raises ClubError: when it may not."""
    if not may_review(club, by):
        raise ClubError("not_allowed", "Only a moderator who is not a member can decide whether a club is listed.")


def _reviewed(club: Club, texts: str, by: AbstractBaseUser) -> Club:
    """Return a club, locked. :raises ClubError: when `by` may not decide, or its texts are not those that were read."""
    check_may_decide(club, by)
    held = locked_club(club.pk)
    if texts_version(held) != texts:
        raise ClubError(
            "changed_meanwhile", "The name or description of this club has changed. Read it again before you decide."
        )
    return held


def _save(club: Club, kind: Act.Kind, reason: str, by: AbstractBaseUser, now: datetime) -> None:
    if len(reason.strip()) > MOST_LETTERS:
        raise ClubError("long_reason", "A reason may have at most {most} characters.", most=MOST_LETTERS)
    club.save(update_fields=["listed_at", "listed_by", "unlisted_for"])
    Act.objects.create(kind=kind, by_id=by.pk, at=now, reason=reason.strip(), params={"club": club.pk})
