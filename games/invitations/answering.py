"""Answering an invitation: claiming the name and confirming its games in one step, declining, and undoing."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from engine.words import marked
from games.consent import confirmations
from games.invitations.inviting import InvitationError
from games.invitations.reads.invitations import games_for, rated_for, state_of
from games.models import Claim, Confirmation, Dispute, Game, Invitation, InvitedName, Player
from games.players.claims import decide_claim, give_back, make_claim, may_decide
from games.players.promises import give, promise

UNDONE_WITHIN = timedelta(days=7)
"""How long an answer can be undone, as long as nothing is rated by it."""
_REFUSED = {
    "used": marked("This invitation has been used."),
    "taken": marked("{name} already belongs to an account."),
    "expired": marked("This invitation has expired. Ask for a new link."),
    "revoked": marked("This invitation has been revoked."),
    "gone": marked("The games of this invitation are no longer public."),
}


@transaction.atomic
def answer(name: InvitedName, account: AbstractBaseUser, *, answers: Mapping[str, str], now: datetime) -> InvitedName:
    """Claim a name by an invitation, confirm its games, and report those that are wrong.

    If the inviting account cannot approve the claim, it stays open, and the answers count once it is approved.

    :param answers: by the keys of the games that were shown: what is wrong, which is disputed, or nothing to confirm.
        Other games of the invitation, such as those that were private until now, are left open.
    :raises InvitationError: when the invitation cannot be used, or was made by the same account.
    :raises ClaimError: when the account cannot claim the name.
    """
    name = _held(name)
    by = name.invitation.by
    _check_usable(name, account, now)
    games = games_for(name.invitation, name.player)
    said = {game.pk: answers[game.key].strip() for game in games if game.key in answers}
    claim = None
    if name.player.rated_account_id == account.pk:
        give(account, said, now=now)
    else:
        claim = _claim(name.player, account, by, now)
        promise(claim, said)
        if may_decide(claim, by):
            decide_claim(claim, approve=True, by=by, answer="Invited by the uploader of the games.", now=now)
    name.account_id, name.claim, name.used_at = account.pk, claim, now
    name.declined_at = name.doubted_at = None
    name.save()
    return name


def _held(name: InvitedName) -> InvitedName:
    """Lock the invitation, so that two people cannot use one name, and return the name's current state."""
    Invitation.objects.select_for_update().get(pk=name.invitation_id)
    found = InvitedName.objects.select_related("invitation__by", "player__merged_into", "account", "claim")
    return found.get(pk=name.pk)


def _check_usable(name: InvitedName, account: AbstractBaseUser, now: datetime) -> None:
    if name.invitation.by_id == account.pk:
        raise InvitationError("own", "This is your own invitation: send it to somebody else.")
    state = state_of(name, now=now)
    if state == "taken" and name.player.rated_account_id == account.pk:
        return
    if state != "open":
        raise InvitationError(state, _REFUSED[state], name=name.player.name)


def _claim(player: Player, account: AbstractBaseUser, by: AbstractBaseUser, now: datetime) -> Claim:
    own = Claim.objects.filter(player=player, account_id=account.pk, state=Claim.State.OPEN).first()
    return own or make_claim(player, account, invited_by=by.pk, now=now)


def decline(name: InvitedName, *, now: datetime) -> None:
    """Note that the person who opened the link is not this player. The link can still be used."""
    InvitedName.objects.filter(pk=name.pk, used_at=None).update(declined_at=now)


def report_misuse(name: InvitedName, *, now: datetime) -> None:
    """Record that somebody says another person has used the link."""
    InvitedName.objects.filter(pk=name.pk, used_at__isnull=False).update(doubted_at=now)


def may_undo(name: InvitedName, account: AbstractBaseUser, *, now: datetime) -> bool:
    """Return whether an account may undo an answer: it gave the answer or let it count, and nothing is rated."""
    if not name.used_at or name.account_id is None or name.used_at < now - UNDONE_WITHIN:
        return False
    own = account.pk == name.account_id
    return (own or _let_it_count(name, account)) and not rated_for(name.account_id, name.player)


def _let_it_count(name: InvitedName, account: AbstractBaseUser) -> bool:
    """Return whether an account sent the invitation and approved the claim, or the claim was made by it and is open."""
    claim = name.claim
    if claim is None or name.used_at is None or account.pk != name.invitation.by_id:
        return False
    open_by_it = claim.state == Claim.State.OPEN and claim.made_at >= name.used_at
    return open_by_it or claim.decided_by_id == account.pk


@transaction.atomic
def undo(name: InvitedName, by: AbstractBaseUser, *, now: datetime) -> None:
    """Undo an answer: the confirmations and the claim are withdrawn, and the link can be used again.

    Reports are withdrawn only by the account that made them.

    :raises InvitationError: when it is too late, games are rated by it, or it is not the account's to undo.
    :raises ClaimError: when somebody else has decided the claim meanwhile.
    """
    name = _held(name)
    if not may_undo(name, by, now=now):
        raise InvitationError("final", "This can no longer be undone. Dispute the games, or ask a moderator.")
    assert name.account  # noqa: S101 - for the types: it may be undone
    for game in name.invitation.games.filter(seatings__player=name.player).order_by("pk"):
        _take_back(game, name.account, by, now)
    if name.claim:
        name.claim.promises.all().delete()
        give_back(name.claim, by=by, now=now)
    name.account = name.claim = name.used_at = name.doubted_at = None
    name.save()


def _take_back(game: Game, account: AbstractBaseUser, by: AbstractBaseUser, now: datetime) -> None:
    words = game.confirmations.filter(account_id=account.pk, withdrawn_at=None)
    if words.exclude(how=Confirmation.How.SEAT).exists():  # a seat at a rated table is no answer
        confirmations.withdraw(game, account, now=now)
    if by.pk != account.pk:
        return
    for own in game.disputes.filter(account_id=account.pk, state=Dispute.State.OPEN):
        confirmations.withdraw_dispute(game, account, pk=own.pk, now=now)
