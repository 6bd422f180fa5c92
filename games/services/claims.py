"""Claims: accounts that say which names in logs are theirs, and what was decided."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.models import Acceptance, Act, Claim, Player
from games.selectors.roles import is_moderator
from games.services import consent
from games.services.refusals import RefusedError


class ClaimError(RefusedError):
    """A claim that cannot be made or decided so; nothing has changed."""


@transaction.atomic
def make_claim(player: Player, account: AbstractBaseUser, *, reason: str = "", now: datetime) -> Claim:
    """Takes an account's word that a name is its own, to be decided by somebody else.

    :raises ClaimError: when the name is somebody's already, or cannot be claimed.
    """
    player = _held(player)
    if player.is_pseudonym:
        raise ClaimError("pseudonym", "Whoever stood behind {name} has gone.", name=player.name)
    if player.account_id is not None or player.claims.filter(state=Claim.State.APPROVED).exists():
        raise ClaimError("taken", "{name} is claimed by an account already.", name=player.name)
    if player.claims.filter(account_id=account.pk, state=Claim.State.OPEN).exists():
        raise ClaimError("asked", "You have claimed {name}; it is still to be decided.", name=player.name)
    return Claim.objects.create(player=player, account_id=account.pk, reason=reason.strip(), made_at=now)


def may_decide(claim: Claim, account: AbstractBaseUser) -> bool:
    """Whether an account may decide a claim: it introduced the name by an upload, or moderates; never its own."""
    introduced = claim.player.introduced_by_id == account.pk
    return account.pk != claim.account_id and (introduced or is_moderator(account))


@transaction.atomic
def decide_claim(claim: Claim, *, approve: bool, by: AbstractBaseUser, answer: str = "", now: datetime) -> Claim:
    """Says whether a name is the claimant's.

    :raises ClaimError: when `by` may not say, or it was said before, or the name is somebody else's.
    """
    player = _held(claim.player)
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    if not may_decide(claim, by):
        raise ClaimError("not_allowed", "Only who uploaded {name} first, or a moderator, can say.", name=player.name)
    if claim.state != Claim.State.OPEN:
        raise ClaimError("decided", "This claim has been decided before.")
    if approve and player.account_id is not None:
        raise ClaimError("taken", "{name} is claimed by an account already.", name=player.name)
    claim.state = Claim.State.APPROVED if approve else Claim.State.REFUSED
    claim.decided_by_id, claim.decided_at, claim.answer = by.pk, now, answer.strip()
    claim.save()
    if approve:
        _hand_over(player, claim.account_id, now)
    kind = Act.Kind.CLAIM_APPROVED if approve else Act.Kind.CLAIM_REFUSED
    Act.objects.create(kind=kind, by_id=by.pk, at=now, reason=claim.answer, player=player, params={"claim": claim.pk})
    return claim


def _hand_over(player: Player, account: int, now: datetime) -> None:
    """Makes a player an account's own; games that are due are looked at again, for one person may sit there twice."""
    player.account_id = account
    player.save(update_fields=["account"])
    due = Acceptance.objects.filter(number=None, ladder__league=None, game__seatings__player=player)
    for acceptance in due.select_related("game").order_by("game"):
        consent.settle(acceptance.game, now=now)


def _held(player: Player) -> Player:
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)
