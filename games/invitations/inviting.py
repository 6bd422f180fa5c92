"""Inviting: the uploader says which name is theirs, and gives the others links.

An invitation is the uploader's decision on a claim, given in advance: using the link claims the name, and the
claim is approved if the uploader could approve it by hand. It vouches for no more than that approval would.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.invitations.reads.invitations import (
    MOST_NAMES,
    Named,
    claims_among,
    games_to_count,
    invitations_to,
    names_in,
)
from games.invitations.reads.tokens import digest_of, new_nonce, token_from
from games.models import Claim, Game, Invitation, InvitedName, Player, Upload
from games.platform.errors import RefusedError
from games.players.claims import make_claim, withdraw_claim
from games.players.promises import give, promise

LIVES = timedelta(days=14)
"""How long an invitation can be used: as long as a confirmation lasts."""
MOST_OPEN = 200
"""Invitations of an account that can be used at the same time."""


class InvitationError(RefusedError):
    """What cannot be done with an invitation; nothing has changed."""


@transaction.atomic
def say_who(upload: Upload, account: AbstractBaseUser, *, me: int | None, now: datetime) -> list[Invitation]:
    """Say which name in an upload is the uploader's, and invite everybody else who has no account.

    The uploader's own games are confirmed as soon as the name is theirs. Invitations that exist are kept.

    :param me: the player's number; none for somebody who only kept the log.
    :raises InvitationError: when the upload is not the account's, or does not name that player.
    :raises ClaimError: when the name cannot be claimed.
    """
    if upload.uploader_id != account.pk:
        raise InvitationError("not_uploader", "Only the account that uploaded these games can invite their players.")
    games = games_to_count(upload)
    named = names_in(games)
    if not named:
        raise InvitationError(
            "nobody", "These games cannot be rated, or name more than {most} people.", most=MOST_NAMES
        )
    mine = next((one for one in named if one.player.pk == me), None)
    if me is not None and mine is None:
        raise InvitationError("not_named", "No player with this number is named in these games.")
    _forget_other_choices([one.player.pk for one in named if one != mine], account, now)
    if mine:
        _confirm_mine(mine.player, games.filter(seatings__player=mine.player), account, now)
    return _invite_others(upload, named, mine, account, now)


def _forget_other_choices(players: list[int], account: AbstractBaseUser, now: datetime) -> None:
    """Withdraw what the account chose before, as far as it is not decided."""
    for claim in claims_among(players, account).values():
        if claim.state == Claim.State.OPEN and claim.promises.exists():
            withdraw_claim(claim, account, now=now)


def _confirm_mine(player: Player, games: Iterable[Game], account: AbstractBaseUser, now: datetime) -> None:
    answers = {game.pk: "" for game in games}
    if player.rated_account_id == account.pk:
        give(account, answers, now=now)
        return
    own = Claim.objects.filter(player=player, account_id=account.pk, state=Claim.State.OPEN).first()
    promise(own or make_claim(player, account, now=now), answers)


def _invite_others(
    upload: Upload, named: list[Named], mine: Named | None, account: AbstractBaseUser, now: datetime
) -> list[Invitation]:
    """Make one link for each name without an account, and one for all of them; those that exist are kept."""
    free = [one.player for one in named if one != mine and _is_free(one.player)]
    if mine:
        _leave_out(mine.player, upload, account)
    there = invitations_to(upload, account)
    single = {one.names.all()[0].player_id for one in there if not one.for_all}
    made = [invite([player], upload, account, now=now) for player in free if player.pk not in single]
    if made and len(free) > 1:
        there = _without_group(there, now)
        made.append(invite(free, upload, account, now=now))
    return there + made


def _leave_out(player: Player, upload: Upload, account: AbstractBaseUser) -> None:
    """Take a name out of an account's unused invitations, and remove those that are for nobody then."""
    there = [one.pk for one in invitations_to(upload, account)]
    InvitedName.objects.filter(invitation__in=there, player=player, used_at=None).delete()
    Invitation.objects.filter(pk__in=there, names=None).delete()


def _without_group(invitations: list[Invitation], now: datetime) -> list[Invitation]:
    """End the links for everybody: another one takes their place."""
    for one in invitations:
        if one.for_all:
            revoke(one, now=now)
    return [one for one in invitations if not one.for_all]


def _is_free(player: Player) -> bool:
    return player.account_id is None and player.merged_into_id is None and not player.is_pseudonym and not player.is_bot


def invite(players: list[Player], upload: Upload, account: AbstractBaseUser, *, now: datetime) -> Invitation:
    """Make a link for some players of an upload, to all its games in which they sit.

    :raises InvitationError: when the account has too many open invitations.
    """
    there = Invitation.objects.filter(by=account.pk, revoked_at=None, expires_at__gt=now)
    unused = there.filter(names__isnull=False, names__used_at=None)
    if unused.distinct().count() >= MOST_OPEN:
        raise InvitationError(
            "too_many", "You have {most} open invitations: revoke some, or wait until some expire.", most=MOST_OPEN
        )
    nonce = new_nonce()
    made = Invitation.objects.create(
        by_id=account.pk, upload_id=upload.repeats_id or upload.pk, nonce=nonce, digest=digest_of(token_from(nonce)),
        made_at=now, expires_at=now + LIVES, for_all=len(players) > 1,
    )  # fmt: skip
    made.games.set(games_to_count(upload).filter(seatings__player__in=players).distinct())
    InvitedName.objects.bulk_create(InvitedName(invitation=made, player=player) for player in players)
    return made


@transaction.atomic
def revoke(invitation: Invitation, *, now: datetime) -> None:
    """Revoke a link. What was done with it stays."""
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=now)


@transaction.atomic
def renew(invitation: Invitation, *, now: datetime) -> Invitation:
    """Give an invitation another link, and its full time again; the old link ends.

    :raises InvitationError: when every name in it is used.
    """
    held = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if not held.names.filter(used_at=None).exists():
        raise InvitationError("used", "This invitation has been used.")
    held.nonce = new_nonce()
    held.digest, held.expires_at, held.revoked_at = digest_of(token_from(held.nonce)), now + LIVES, None
    held.save(update_fields=["nonce", "digest", "expires_at", "revoked_at"])
    return held
