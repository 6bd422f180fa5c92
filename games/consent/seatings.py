"""Seatings: a named account chooses the right seating of a game."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.consent import confirmations
from games.consent.challenges import hold_seatings, settle_agreed
from games.consent.reads.challenges import may_choose, open_challenges
from games.models import Game, SeatingChoice
from games.platform.errors import RefusedError


class SeatingError(RefusedError):
    """A choice that cannot be made; nothing has changed."""


@transaction.atomic
def choose(seating: Game, account: AbstractBaseUser, *, now: datetime) -> Game:
    """Note which seating an account says is right; once all accounts that are named agree, it is settled.

    :param seating: the game of these moves with the seating chosen.
    :returns: the game whose seating applies now.
    :raises SeatingError: when nothing is to be settled, or the account is not asked.
    """
    _, upheld = hold_seatings(seating)
    rivals = open_challenges(upheld)
    if not (rivals.exists() if seating.pk == upheld.pk else rivals.filter(rival=seating).exists()):
        raise SeatingError("settled", "Who played this game is already settled.")
    if not may_choose(upheld, account.pk):
        raise SeatingError("not_named", "None of your players is named in any upload of this game.")
    SeatingChoice.objects.update_or_create(
        digest=upheld.digest, account_id=account.pk, defaults={"game_id": seating.pk, "at": now}
    )
    applies = settle_agreed(upheld, by=account.pk, now=now)
    confirmations.settle(applies, now=now)
    return applies
