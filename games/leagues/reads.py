"""Reading leagues."""

from collections.abc import Iterable
from heapq import nlargest

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q, QuerySet, Sum

from games.models import Acceptance, Game, Ladder, League, Upload
from games.platform.roles import is_moderator
from games.records.reads.games import with_seats
from games.records.reads.visibility import Viewer


def list_leagues() -> "QuerySet[League, League]":
    """Return the leagues that everybody finds, by name, each with the number of games that count in `games`."""
    listed = Q(club=None) | Q(club__listed_at__isnull=False)
    return with_games(League.objects.filter(listed)).order_by("name", "pk")


def with_games(leagues: "QuerySet[League]") -> "QuerySet[League, League]":
    """Return leagues, each with the number of games that count in `games`."""
    return leagues.annotate(games=Sum("ladders__games", default=0))


def find_league(slug: str) -> League:
    """Find a league by its address. :raises League.DoesNotExist: when there is none."""
    return League.objects.get(slug=slug)


def organised_by(account: Viewer) -> "QuerySet[League]":
    """Return the leagues that an account organises."""
    return League.objects.filter(organisers=account.pk).order_by("name", "pk")


def organises(account: Viewer, league: League) -> bool:
    """Return whether an account accepts games for a league."""
    return account.pk is not None and league.organisers.filter(pk=account.pk).exists()


def may_run(account: Viewer, league: League) -> bool:
    """Return whether an account may say what a league is and who organises it."""
    return organises(account, league) or is_moderator(account)


def organisers_of(league: League) -> list[AbstractBaseUser]:
    """Return who accepts games for a league, by name."""
    return list(league.organisers.order_by("username"))


def find_account(name: str) -> AbstractBaseUser | None:
    """Return the account of a name, if there is one."""
    return get_user_model().objects.filter(username=name, is_active=True).first()


def ladders_of(league: League) -> list[Ladder]:
    """Return a league's ladders for which games count."""
    return list(league.ladders.order_by("ruleset"))


def newest_games(league: League, count: int) -> list[Game]:
    """Return the public games that a league accepted last."""
    found = nlargest(count, _newest(ladders_of(league), count), key=lambda acceptance: acceptance.number or 0)
    games = with_seats(Game.objects.filter(pk__in=[acceptance.game_id for acceptance in found], private=False))
    order = {acceptance.game_id: -(acceptance.number or 0) for acceptance in found}
    return sorted(games, key=lambda game: order[game.pk])


def _newest(ladders: Iterable[Ladder], count: int) -> list[Acceptance]:
    """Return the games of each ladder in turn: together they have no order that an index knows."""
    return [
        acceptance
        for ladder in ladders
        for acceptance in ladder.acceptances.filter(number__isnull=False).order_by("-number")[:count]
    ]


def games_for_league(upload: Upload) -> int:
    """Return how many games of an upload count, or counted, for its league."""
    mine = Acceptance.objects.filter(ladder__league=upload.league_id, game__logs__upload=upload)
    return mine.values("game").distinct().count()
