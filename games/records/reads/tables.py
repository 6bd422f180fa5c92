"""Reading the tables that allow an account to vouch for a player.

A table that the account could have made up alone does not count: the game must be public, its seating must apply, and
another account must have uploaded it first or confirmed it.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from games.models import Confirmation, Game, MoveLog, Player, Seating


def tables_of(account: int) -> "QuerySet[Game]":
    """Return games of an account's players that another account confirmed."""
    theirs = Q(player__account=account) | Q(player__merged_into__account=account)
    first = MoveLog.objects.filter(game=OuterRef("pk")).order_by("pk").values("upload__uploader")[:1]
    confirmed = Confirmation.objects.filter(game=OuterRef("pk"), withdrawn_at=None).exclude(account=account)
    games = Game.objects.filter(pk__in=Seating.objects.filter(theirs).values("game"), private=False, same_as=None)
    others = Q(first__isnull=False) & ~Q(first=account)
    return games.annotate(first=Subquery(first)).filter(others | Q(Exists(confirmed)))


def players_beside(account: int) -> "QuerySet[Player]":
    """Return the players who sat at such tables."""
    return Player.objects.filter(
        pk__in=Seating.objects.filter(game__in=tables_of(account).values("pk")).values("player")
    )


def sat_together(account: int, player: int) -> bool:
    """Return whether an account's players sat at such a table with a player."""
    return players_beside(account).filter(pk=player).exists()


def accounts_beside(player: int) -> set[int]:
    """Return the accounts whose players sat at public games with a player."""
    games = Seating.objects.filter(player=player, game__private=False, game__same_as=None).values("game")
    beside = Seating.objects.filter(game__in=games).exclude(player=player)
    own = beside.filter(player__merged_into=None, player__account__isnull=False).values_list("player__account")
    merged = beside.filter(player__merged_into__account__isnull=False).values_list("player__merged_into__account")
    return {account for (account,) in own.union(merged)}
