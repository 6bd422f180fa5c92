"""Claims: accounts that say which names in logs are theirs, what was decided, and who vouches for them.

Who may decide and vouch is written down as a table in `docs/guide/when-a-game-counts.md`.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from engine.agn.names import name_key
from games.holds import flags
from games.holds.reads.vouching import depends, is_known, is_named_organiser
from games.models import Act, Claim, Player, Vouch
from games.notices import events
from games.platform.errors import RefusedError
from games.platform.locks import wait_for
from games.platform.roles import is_moderator
from games.players.handing_over import hand_over
from games.players.home import home_source
from games.players.promises import keep_promises
from games.players.reads.own_names import claim_version, claimed_by, has_another, has_rivals, is_only_theirs
from games.players.reads.players import is_public
from games.records.introductions import PRIVATE_FROM
from games.records.reads.tables import sat_together

CONTESTED_WITHIN = timedelta(days=14)
"""How long others can contest a claim to a name that the claimant uploaded first."""
_VOUCHING = "vouching"
"""Names the lock under which players vouch for each other, so that no two close a circle at the same moment."""


class ClaimError(RefusedError):
    """A claim that cannot be made or decided so; nothing has changed."""


@transaction.atomic
def make_claim(
    player: Player, account: AbstractBaseUser, *, reason: str = "", invited_by: int | None = None, now: datetime
) -> Claim:
    """Claim a name for an account; somebody else decides.

    :param invited_by: who invited the account to do so, and needs no mail about it.
    :raises ClaimError: when the name is somebody's already, or cannot be claimed.
    """
    player = _locked(player)
    _check_free(player)
    if player.source == home_source() and player.name != name_key(account.get_username()):
        raise ClaimError(
            "other_name", "{name} is a name of this site: only the account of that name can claim it.", name=player.name
        )
    if player.claims.filter(account_id=account.pk, state=Claim.State.OPEN).exists():
        raise ClaimError("asked", "You have already claimed {name}. The claim is still open.", name=player.name)
    own = is_only_theirs(player, account.pk) and not has_another(player, account.pk)
    claim = Claim.objects.create(
        player=player,
        account_id=account.pk,
        reason=reason.strip(),
        made_at=now,
        approved_from=now + CONTESTED_WITHIN if own else None,
    )
    if invited_by is None or player.introduced_by_id != invited_by:
        events.claim_made(claim, now=now)
    return claim


def _check_free(player: Player) -> None:
    if player.is_pseudonym:
        raise ClaimError("pseudonym", "The account behind {name} has been deleted.", name=player.name)
    if player.account_id is not None:
        raise ClaimError("taken", "{name} already belongs to an account.", name=player.name)
    if player.merged_into is not None:
        other = player.merged_into.name
        raise ClaimError(
            "merged", "{name} was merged into {other}: claim that name instead.", name=player.name, other=other
        )
    if not is_public(player):
        raise ClaimError(
            "not_public",
            "{name} has played in no public game. Only names in public games can be claimed.",
            name=player.name,
        )


def may_decide(claim: Claim, account: AbstractBaseUser) -> bool:
    """Return whether an account may decide a claim: it first uploaded the name, or moderates, and is not involved.

    Involved are accounts that claim the name, or once did, and those for whom the claimant vouches.
    """
    return _is_in_charge(claim, account) and not _party(claim, account)


def _is_in_charge(claim: Claim, account: AbstractBaseUser) -> bool:
    return is_moderator(account) or claim.player.introduced_by_id == account.pk


def _party(claim: Claim, account: AbstractBaseUser) -> ClaimError | None:
    """Return why an account may not decide a claim; empty if it may."""
    name = claim.player.name
    if account.pk == claim.account_id:
        return ClaimError("own_case", "This is your own claim: somebody else has to decide it.")
    if claimed_by(account.pk).filter(pk=claim.player_id).exists():
        return ClaimError("rival", "You have claimed {name} yourself: somebody else has to decide.", name=name)
    if depends(account.pk, claim.account_id):
        return ClaimError(
            "circle", "This account vouches for your own name, so somebody else has to decide about {name}.",
            name=name,
        )  # fmt: skip
    return None


def _role(by: AbstractBaseUser | None) -> Vouch.Role:
    """Return the role in which somebody decides or vouches."""
    if by is None or is_moderator(by):
        return Vouch.Role.MODERATOR
    return Vouch.Role.ORGANISER if is_named_organiser(by) else Vouch.Role.PLAYER


@transaction.atomic
def decide_claim(
    claim: Claim,
    *,
    approve: bool,
    by: AbstractBaseUser | None,
    answer: str = "",
    seen: str | None = None,
    now: datetime,
) -> Claim:
    """Decide a claim. Long because it has a line for each argument, and each reason to refuse.

    :param by: none where it is done by the operator.
    :param seen: the version of the claim that was read; none where nobody read it before.
    :raises ClaimError: when `by` may not decide it, it is already decided or has another version by now, the name
        belongs to somebody else, or a moderator who did not upload the name gives no reason.
    """
    player = _locked(claim.player)
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    wait_for(_VOUCHING)
    if by:
        _check_may_decide(claim, by)
    if claim.state != Claim.State.OPEN:
        raise ClaimError("decided", "This claim is already decided.")
    if seen is not None and seen != claim_version(claim):
        raise ClaimError(
            "changed_meanwhile",
            "This claim was contested, or others claimed the name, since you read it. Read it again, then decide.",
        )
    if (by is None or player.introduced_by_id != by.pk) and not answer.strip():
        raise ClaimError("no_reason", "Give a reason.")
    if approve:
        _check_free(player)
    claim.state = Claim.State.APPROVED if approve else Claim.State.REFUSED
    decided_by = by.pk if by else None
    claim.decided_by_id, claim.decided_at, claim.answer = decided_by, now, answer.strip()
    claim.save()
    if approve:
        Vouch.objects.create(claim=claim, by_id=decided_by, role=_role(by), at=now)
        hand_over(player, claim.account_id, now)
        flags.look_at_vouched(claim.account_id, now=now)
        keep_promises(claim, now=now)
    kind = Act.Kind.CLAIM_APPROVED if approve else Act.Kind.CLAIM_REFUSED
    Act.objects.create(
        kind=kind, by_id=decided_by, at=now, reason=claim.answer, player=player, params={"claim": claim.pk}
    )
    events.claim_decided(claim, now=now)
    return claim


def _check_may_decide(claim: Claim, by: AbstractBaseUser) -> None:
    """Check that an account may decide a claim. :raises ClaimError: when it may not."""
    party = _party(claim, by)
    if party and (party.code == "own_case" or _is_in_charge(claim, by)):
        raise party
    if not _is_in_charge(claim, by):
        raise ClaimError(
            "not_allowed", "Only the account that uploaded {name} first, or a moderator, can decide.",
            name=claim.player.name,
        )  # fmt: skip


def may_vouch(claim: Claim, account: AbstractBaseUser) -> bool:
    """Return whether an account may vouch for an approved claim.

    A moderator may, and so may a known account that sat at a table with that player and depends on nobody there.
    """
    if claim.state != Claim.State.APPROVED or account.pk == claim.account_id:
        return False
    if claim.vouches.filter(by=account.pk).exists():
        return False
    if depends(account.pk, claim.account_id):
        return False
    return is_moderator(account) or (is_known(account.pk) and sat_together(account.pk, claim.player_id))


@transaction.atomic
def vouch(claim: Claim, *, by: AbstractBaseUser | None, reason: str, now: datetime) -> Vouch:
    """Vouch for the person behind a name, so that its games need not wait.

    :param by: none where it is done by the operator.
    :raises ClaimError: when `by` may not vouch, or gives no reason.
    """
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    wait_for(_VOUCHING)
    if claim.state != Claim.State.APPROVED:
        raise ClaimError("not_approved", "This claim was not approved.")
    if by and not may_vouch(claim, by):
        raise ClaimError("not_allowed", "You cannot vouch for {name}.", name=claim.player.name)
    if not reason.strip():
        raise ClaimError("no_reason", "Give a reason.")
    given = Vouch.objects.create(claim=claim, by_id=by.pk if by else None, role=_role(by), at=now)
    Act.objects.create(
        kind=Act.Kind.NAME_VOUCHED, by_id=given.by_id, at=now, reason=reason.strip(), player=claim.player,
        params={"claim": claim.pk},
    )  # fmt: skip
    flags.look_at_vouched(claim.account_id, now=now)
    return given


def may_contest(claim: Claim, account: AbstractBaseUser) -> bool:
    """Return whether an account may contest a claim: its players sat at a table with that player."""
    waits = claim.state == Claim.State.OPEN and claim.approved_from is not None and claim.contested_at is None
    return waits and account.pk != claim.account_id and sat_together(account.pk, claim.player_id)


@transaction.atomic
def contest(claim: Claim, account: AbstractBaseUser, *, reason: str, now: datetime) -> Claim:
    """Contest a claim that would be approved automatically; then a moderator decides.

    :raises ClaimError: when the account may not, gives no reason, or the claim does not wait for that.
    """
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    if not may_contest(claim, account):
        raise ClaimError("not_allowed", "You cannot contest this claim.")
    if not reason.strip():
        raise ClaimError("no_reason", "Give a reason.")
    claim.contested_at, claim.contested_by_id = now, account.pk
    claim.save(update_fields=["contested_at", "contested_by"])
    Act.objects.create(
        kind=Act.Kind.CLAIM_CONTESTED, by_id=account.pk, at=now, reason=reason.strip(), player=claim.player,
        params={"claim": claim.pk},
    )  # fmt: skip
    events.claim_contested(claim, now=now)
    return claim


def approve_uncontested(*, now: datetime, has_time: Callable[[], bool]) -> int:
    """Approve claims to names that their claimants uploaded first and nobody contested in time.

    Nobody vouches for the claimant by that. :returns: how many.
    """
    due = Claim.objects.filter(
        state=Claim.State.OPEN, approved_from__lte=now, contested_at=None,
        player__account=None, player__merged_into=None, player__is_pseudonym=False,
    )  # fmt: skip
    count = 0
    while has_time() and (claim := due.order_by("approved_from", "pk").first()):
        count += _approve(claim, now)  # one that is not approved is due no more
    return count


@transaction.atomic
def _approve(claim: Claim, now: datetime) -> bool:
    player = _locked(claim.player)
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    wait_for(_VOUCHING)
    if claim.state != Claim.State.OPEN or claim.contested_at or player.account_id:
        return False
    one = not has_another(player, claim.account_id, [Claim.State.APPROVED])
    if has_rivals(claim) or not (one and is_only_theirs(player, claim.account_id)):  # since it was made
        claim.approved_from = None
        claim.save(update_fields=["approved_from"])
        return False
    claim.state, claim.decided_at = Claim.State.APPROVED, now
    claim.save(update_fields=["state", "decided_at"])
    hand_over(player, claim.account_id, now)
    keep_promises(claim, now=now)
    Act.objects.create(kind=Act.Kind.CLAIM_APPROVED, at=now, player=player, params={"claim": claim.pk})
    events.claim_decided(claim, now=now)
    return True


@transaction.atomic
def withdraw_claim(claim: Claim, account: AbstractBaseUser, *, now: datetime) -> Claim:
    """Withdraw an account's own claim. :raises ClaimError: when it was decided before."""
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    if claim.account_id != account.pk:
        raise ClaimError("not_yours", "This claim belongs to another account.")
    if claim.state != Claim.State.OPEN:
        raise ClaimError("decided", "This claim is already decided.")
    claim.state, claim.decided_by_id, claim.decided_at = Claim.State.WITHDRAWN, account.pk, now
    claim.save()
    return claim


@transaction.atomic
def give_back(claim: Claim, *, by: AbstractBaseUser, now: datetime) -> None:
    """Undo a claim that an invitation led to, for its account or for the one that invited it.

    The caller has checked who it is, and that no game of the name was rated for the account.

    :raises ClaimError: when another account than these two decided the claim.
    """
    player = _locked(claim.player)
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    was_approved = claim.state == Claim.State.APPROVED
    if not was_approved and claim.state != Claim.State.OPEN:
        return
    own = claim.account_id == by.pk
    if was_approved and not own and claim.decided_by_id != by.pk:
        raise ClaimError("decided", "This claim is already decided.")
    claim.state = Claim.State.WITHDRAWN if own or not was_approved else Claim.State.REVOKED
    claim.decided_by_id, claim.decided_at = by.pk, now
    claim.save()
    if was_approved:
        hand_over(player, None, now)
        Act.objects.create(kind=Act.Kind.CLAIM_REVOKED, by_id=by.pk, at=now, player=player, params={"claim": claim.pk})
        if not own:
            events.claim_decided(claim, now=now)


def may_revoke(claim: Claim, account: AbstractBaseUser) -> bool:
    """Return whether an account may revoke a claim: it moderates and is not involved."""
    return claim.state == Claim.State.APPROVED and is_moderator(account) and not _party(claim, account)


@transaction.atomic
def revoke_claim(claim: Claim, *, by: AbstractBaseUser, answer: str, now: datetime) -> Claim:
    """Revoke a claim. Games that the account confirmed and that are rated stay rated.

    :raises ClaimError: when `by` is no moderator, or party to it, gives no reason, or the claim does not stand.
    """
    player = _locked(claim.player)
    claim = Claim.objects.select_for_update(no_key=True).select_related("player").get(pk=claim.pk)
    if not is_moderator(by):
        raise ClaimError("not_allowed", "Only a moderator can revoke a claim.")
    if party := _party(claim, by):
        raise party
    if claim.state != Claim.State.APPROVED:
        raise ClaimError("not_approved", "This claim was not approved.")
    if not answer.strip():
        raise ClaimError("no_reason", "Give a reason.")
    claim.state, claim.decided_by_id, claim.decided_at = Claim.State.REVOKED, by.pk, now
    claim.answer = answer.strip()
    claim.save()
    hand_over(player, None, now)
    Act.objects.create(
        kind=Act.Kind.CLAIM_REVOKED, by_id=by.pk, at=now, reason=claim.answer, player=player, params={"claim": claim.pk}
    )
    events.claim_decided(claim, now=now)
    return claim


@transaction.atomic
def mark_bot(
    player: Player, account: AbstractBaseUser | None, *, is_bot: bool, reason: str = "", now: datetime
) -> None:
    """Mark a player as a bot, or as a person.

    :param account: none where it is done by the operator.
    :raises ClaimError: when the account neither owns the player nor is a moderator, no public game names the player, or
    the account owns it and somebody else marked it.
    """
    player = _locked(player)
    if account and player.account_id != account.pk and not is_moderator(account):
        raise ClaimError("not_yours", "{name} is not your player.", name=player.name)
    if player.is_bot == is_bot:
        return
    if player.pk >= PRIVATE_FROM:  # an act names the player for good, and with it the number
        raise ClaimError("not_public", "{name} is in no public game yet.", name=player.name)
    if account and player.account_id == account.pk and _is_marked_by_another(player, account):
        raise ClaimError(
            "own_case", "Somebody else marked {name} as a bot: a moderator has to decide.", name=player.name
        )
    player.is_bot = is_bot
    player.save(update_fields=["is_bot"])
    kind = Act.Kind.BOT_MARKED if is_bot else Act.Kind.BOT_UNMARKED
    by = account.pk if account else None
    Act.objects.create(kind=kind, by_id=by, at=now, reason=reason.strip(), player=player)


def _is_marked_by_another(player: Player, account: AbstractBaseUser) -> bool:
    """Return whether somebody other than its owner last marked a name as a bot."""
    marked = Act.objects.filter(player=player, kind=Act.Kind.BOT_MARKED).order_by("-pk").first()
    return player.is_bot and marked is not None and marked.by_id != account.pk


def _locked(player: Player) -> Player:
    return Player.objects.select_for_update(no_key=True).get(pk=player.pk)
