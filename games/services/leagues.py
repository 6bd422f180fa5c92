"""Leagues: whose organisers accept whole files of games for ladders of their own."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.models import Act, Game, League, Upload
from games.models.records import VerdictKind
from games.selectors.queue import uploads_to_accept
from games.services.acceptance import make_due


@transaction.atomic
def found(
    *, slug: str, name: str, about: str, organiser: AbstractBaseUser, by: AbstractBaseUser | None = None, now: datetime
) -> League:
    """Founds a league with its first organiser.

    :param by: the moderator; nobody where whoever runs the server does it.
    """
    league = League.objects.create(slug=slug, name=name.strip(), about=about.strip(), created_at=now)
    league.organisers.add(organiser.pk)
    _note(Act.Kind.LEAGUE_FOUNDED, league, organiser, by=by, now=now)
    return league


def _note(
    kind: Act.Kind, league: League, organiser: AbstractBaseUser, *, by: AbstractBaseUser | None, now: datetime
) -> None:
    params = {"league": league.pk, "organiser": organiser.pk}
    Act.objects.create(kind=kind, by_id=by.pk if by else None, at=now, params=params)


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
