"""Following players: whom an account follows, the account alone can see."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from games.models import Follow, Player
from games.platform.errors import RefusedError
from games.platform.locks import wait_for
from games.players.reads.following import MOST, follows_to


class FollowError(RefusedError):
    """A player whom an account cannot follow."""


@transaction.atomic
def follow(player: Player, account: User, *, now: datetime) -> None:
    """Follow a player; somebody who is followed already stays so.

    :raises FollowError: when the player is the account's own, or it follows too many.
    """
    whole = player.merged_into or player
    if whole.account_id == account.pk:
        raise FollowError("own_player", "This is your own player.")
    wait_for(f"follows of {account.pk}")  # so that there are never more, however many requests come at once
    if follows_to(player, account).exists():
        return
    if Follow.objects.filter(account=account).count() >= MOST:
        raise FollowError(
            "too_many_followed", "You follow {most} players, which is the limit. Unfollow some first.", most=MOST
        )
    Follow.objects.create(account=account, player=whole, since=now)


def unfollow(player: Player, account: User) -> None:
    """Stop following a player."""
    follows_to(player, account).delete()
