"""Leagues: whose organisers accept whole files of games for ladders of their own."""

from datetime import datetime
from typing import Protocol

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, Q

from games.models import Act, Game, League, Upload
from games.models.records import VerdictKind
from games.selectors.queue import uploads_to_accept
from games.services.acceptance import make_due
from games.services.refusals import RefusedError


class OnOrganiser(Protocol):
    """Something that is done with an organiser."""

    def __call__(self, league: League, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
        """Does it. :raises LeagueError: when that cannot be."""


class LeagueError(RefusedError):
    """What cannot be done with a league; nothing has changed."""


@transaction.atomic
def found(
    *, slug: str, name: str, about: str, organiser: AbstractBaseUser, by: AbstractBaseUser | None = None, now: datetime
) -> League:
    """Founds a league with its first organiser.

    :param by: the moderator; nobody where whoever runs the server does it.
    :raises LeagueError: when its address is another league's.
    """
    league, fresh = League.objects.get_or_create(
        slug=slug, defaults={"name": name.strip(), "about": about.strip(), "created_at": now}
    )
    if not fresh:
        raise LeagueError("slug_taken", "There is a league at this address already: {name}.", name=league.name)
    league.organisers.add(organiser.pk)
    _note(Act.Kind.LEAGUE_FOUNDED, league, organiser, by=by, now=now)
    return league


def describe(league: League, *, name: str, about: str) -> None:
    """Gives a league another name and says what it is; its address stays."""
    League.objects.filter(pk=league.pk).update(name=name.strip(), about=about.strip())


@transaction.atomic
def name_organiser(league: League, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
    """Makes an account an organiser. :raises LeagueError: when it is one."""
    league = League.objects.select_for_update().get(pk=league.pk)
    if league.organisers.filter(pk=account.pk).exists():
        raise LeagueError("organiser", "{name} is an organiser already.", name=account.get_username())
    league.organisers.add(account.pk)
    _note(Act.Kind.ORGANISER_NAMED, league, account, by=by, now=now)


def organised_alone(account: AbstractBaseUser) -> list[League]:
    """The leagues that would have no organiser without an account."""
    leagues = League.objects.annotate(others=Count("organisers", filter=~Q(organisers=account.pk)))
    return list(leagues.filter(organisers=account.pk, others=0).order_by("name"))


@transaction.atomic
def dismiss_organiser(league: League, account: AbstractBaseUser, *, by: AbstractBaseUser, now: datetime) -> None:
    """Has an account organise no longer. :raises LeagueError: when it does not, or nobody else does."""
    league = League.objects.select_for_update().get(pk=league.pk)
    if not league.organisers.filter(pk=account.pk).exists():
        raise LeagueError("no_organiser", "{name} is no organiser.", name=account.get_username())
    if league.organisers.count() == 1:
        raise LeagueError("last_organiser", "A league always has an organiser: name another one first.")
    league.organisers.remove(account.pk)
    _note(Act.Kind.ORGANISER_DISMISSED, league, account, by=by, now=now)


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
    games = Game.objects.filter(logs__upload=held, verdict=VerdictKind.VERIFIED, private=False, scored=True)
    make_due(games.order_by("logs__number"), now=now, league=upload.league, by=upload.uploader)
    held.accepted_at = now
    held.save(update_fields=["accepted_at"])
    return True
