"""Accounts and their seats."""

from datetime import datetime

from django.contrib.auth.models import User

from games.models import Claim, Game, Player, Vouch


def give_seat(game: Game, seat: int, user: User, now: datetime, *, vouched: bool = True) -> Player:
    """Assign the player of a seat to an account with an approved claim, by a moderator if it is vouched for."""
    player = game.seatings.get(seat=seat).player
    claim = Claim.objects.create(player=player, account=user, made_at=now, state=Claim.State.APPROVED, decided_at=now)
    if vouched:
        Vouch.objects.create(claim=claim, role=Vouch.Role.MODERATOR, at=now)
    player.account = user
    player.save(update_fields=["account"])
    return player
