"""Leagues: whose organisers accept whole files of games for ladders of their own."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.models import Game, League, Upload
from games.models.records import VerdictKind
from games.selectors.queue import uploads_to_accept
from games.services.acceptance import make_due


@transaction.atomic
def found(*, slug: str, name: str, about: str, organiser: AbstractBaseUser, now: datetime) -> League:
    """Founds a league with its first organiser."""
    league = League.objects.create(slug=slug, name=name, about=about, created_at=now)
    league.organisers.add(organiser.pk)
    return league


def accept_judged_uploads(*, now: datetime) -> int:
    """Accepts the games of every upload for a league of which no record waits any more, in the order of the file.

    :returns: how many uploads.
    """
    return sum(_accept(upload, now) for upload in uploads_to_accept())


@transaction.atomic
def _accept(upload: Upload, now: datetime) -> bool:
    held = Upload.objects.select_for_update().filter(pk=upload.pk, accepted_at=None).select_related(None).first()
    if held is None:
        return False
    games = Game.objects.filter(logs__upload=held, verdict=VerdictKind.VERIFIED, private=False)
    make_due(games.order_by("logs__number"), now=now, league=upload.league, by=upload.uploader)
    held.accepted_at = now
    held.save(update_fields=["accepted_at"])
    return True
