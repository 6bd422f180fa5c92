"""Claims: accounts that say which names in logs are theirs, and what was decided."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q

from games.models import Acceptance, Act, Claim, Player, Seating
from games.selectors.roles import is_moderator
from games.services import consent, flags, notices
from games.services.refusals import RefusedError


class ClaimError(RefusedError):
    """A claim that cannot be made or decided so; nothing has changed."""


@transaction.atomic
def make_claim(player: Player, account: AbstractBaseUser, *, reason: str = "", now: datetime) -> Claim:
    """Takes an account's word that a name is its own, to be decided by somebody else.

    :raises ClaimError: when the name is somebody's already, or cannot be claimed.
    """
    player = _held(player)
    _check_free(player)
    if player.claims.filter(account_id=account.pk, state=Claim.State.OPEN).exists():
        raise ClaimError("asked", "You have claimed {name}; it is still to be decided.", name=player.name)
    claim = Claim.objects.create(player=player, account_id=account.pk, reason=reason.strip(), made_at=now)
    notices.claim_made(claim, now=now)
    return claim


def _check_free(player: Player) -> None:
    if player.is_pseudonym:
        raise ClaimError("pseudonym", "Whoever stood behind {name} has gone.", name=player.name)
    if player.account_id is not None:
        raise ClaimError("taken", "{name} is claimed by an account already.", name=player.name)
    if player.merged_into is not None:
        other = player.merged_into.name
        raise ClaimError("merged", "{name} was found to be {other}: claim that name.", name=player.name, other=other)


def may_decide(claim: Claim, account: AbstractBaseUser) -> bool:
    """Whether an account may decide a claim: it introduced the name by an upload, or moderates; never its own."""
    introduced = claim.player.introduced_by_id == account.pk
    return account.pk != claim.account_id and (introduced or is_moderator(account))


@transaction.atomic
def decide_claim(claim: Claim, *, approve: bool, by: AbstractBaseUser | None, answer: str = "", now: datetime) -> Claim:
    """Says whether a name is the claimant's.

    :param by: none where it is done by whoever runs this service.
    :raises ClaimError: when `by` may not say, or it was said before, or the name is somebody else's; or when a
        moderator, who did not hand the name in, gives no reason.
    """
    player = _held(claim.player)
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    if by and claim.account_id == by.pk:
        raise ClaimError("own_matter", "This claim is your own: somebody else has to decide.")
    if by and not may_decide(claim, by):
        raise ClaimError("not_allowed", "Only who uploaded {name} first, or a moderator, can say.", name=player.name)
    if claim.state != Claim.State.OPEN:
        raise ClaimError("decided", "This claim has been decided before.")
    if (by is None or player.introduced_by_id != by.pk) and not answer.strip():
        raise ClaimError("no_reason", "Say why.")
    if approve:
        _check_free(player)
    claim.state = Claim.State.APPROVED if approve else Claim.State.REFUSED
    decided_by = by.pk if by else None
    claim.decided_by_id, claim.decided_at, claim.answer = decided_by, now, answer.strip()
    claim.save()
    if approve:
        _hand_over(player, claim.account_id, now)
    kind = Act.Kind.CLAIM_APPROVED if approve else Act.Kind.CLAIM_REFUSED
    Act.objects.create(
        kind=kind, by_id=decided_by, at=now, reason=claim.answer, player=player, params={"claim": claim.pk}
    )
    notices.claim_decided(claim, now=now)
    return claim


@transaction.atomic
def withdraw_claim(claim: Claim, account: AbstractBaseUser, *, now: datetime) -> Claim:
    """Takes an account's own claim back. :raises ClaimError: when it was decided before."""
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    if claim.account_id != account.pk:
        raise ClaimError("not_yours", "This claim is somebody else's.")
    if claim.state != Claim.State.OPEN:
        raise ClaimError("decided", "This claim has been decided before.")
    claim.state, claim.decided_by_id, claim.decided_at = Claim.State.WITHDRAWN, account.pk, now
    claim.save()
    return claim


@transaction.atomic
def revoke_claim(claim: Claim, *, by: AbstractBaseUser, answer: str, now: datetime) -> Claim:
    """Takes a name from an account again. What it has confirmed and counts, counts on.

    :raises ClaimError: when `by` is no moderator, gives no reason, or the claim does not stand.
    """
    player = _held(claim.player)
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    if not is_moderator(by):
        raise ClaimError("not_allowed", "Only a moderator can revoke a claim.")
    if claim.state != Claim.State.APPROVED:
        raise ClaimError("not_approved", "This claim does not stand.")
    if not answer.strip():
        raise ClaimError("no_reason", "Say why.")
    claim.state, claim.decided_by_id, claim.decided_at = Claim.State.REVOKED, by.pk, now
    claim.answer = answer.strip()
    claim.save()
    _hand_over(player, None, now)
    Act.objects.create(
        kind=Act.Kind.CLAIM_REVOKED, by_id=by.pk, at=now, reason=claim.answer, player=player, params={"claim": claim.pk}
    )
    notices.claim_decided(claim, now=now)
    return claim


@transaction.atomic
def mark_bot(
    player: Player, account: AbstractBaseUser | None, *, is_bot: bool, reason: str = "", now: datetime
) -> None:
    """Says of a player that a program plays under this name, or that none does.

    :param account: none where it is done by whoever runs this service.
    :raises ClaimError: when the player is not the account's, who is no moderator either.
    """
    player = _held(player)
    if account and player.account_id != account.pk and not is_moderator(account):
        raise ClaimError("not_yours", "{name} is not your player.", name=player.name)
    if player.is_bot == is_bot:
        return
    player.is_bot = is_bot
    player.save(update_fields=["is_bot"])
    kind = Act.Kind.BOT_MARKED if is_bot else Act.Kind.BOT_UNMARKED
    by = account.pk if account else None
    Act.objects.create(kind=kind, by_id=by, at=now, reason=reason.strip(), player=player)


def _hand_over(player: Player, account: int | None, now: datetime) -> None:
    """Makes a player an account's own, or nobody's.

    Games are looked at again: one person may sit there twice now, or a word is nobody's any more.
    """
    player.account_id = account
    player.save(update_fields=["account"])
    if account:
        flags.look_back(player.pk, now=now)
    theirs = Seating.objects.filter(Q(player=player) | Q(player__merged_into=player)).values("game")
    due = Acceptance.objects.filter(number=None, ladder__league=None, game__in=theirs)
    for acceptance in due.select_related("game").order_by("game"):
        consent.settle(acceptance.game, now=now)


def _held(player: Player) -> Player:
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)
