"""Consent: the confirmations by which a game counts on the site's ladder.

Code that changes them locks the game's row, so that changes happen one after another.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from engine.agn.names import name_key
from engine.words import marked
from games.consent.challenges import hold_seatings, settle_agreed
from games.consent.reads.eligibility import Consent, claimed_before, consent_of, first_uploader, seatings_of, seats_of
from games.holds import flags
from games.models import Confirmation, Dispute, Game, MoveLog, Upload
from games.models.records import VerdictKind
from games.notices import events
from games.platform.errors import RefusedError
from games.ratings.acceptance import keep_waiting, make_due, no_longer_due, places_of

LAPSES_AFTER = timedelta(days=14)
"""A confirmation expires after this time unless all other seats have confirmed."""
_INELIGIBLE = {
    "unfinished": marked("Only a game that was played to its end can be rated."),
    "rejected": marked("A rejected record cannot be rated."),
    "training": marked("A training game is never rated."),
    "private": marked("A private game cannot be rated."),
}


class ConsentError(RefusedError):
    """A confirmation or dispute that cannot be accepted; nothing has changed."""


@transaction.atomic
def confirm(game: Game, account: AbstractBaseUser, *, now: datetime) -> Consent:
    """Confirm, for an account's seats, that a game was played as recorded.

    :raises ConsentError: when the account has no seat there, or the game cannot count.
    """
    game = _locked(game)
    seats = seats_of(game, account.pk)
    if not seats:
        raise ConsentError("not_seated", "None of your players played in this game.")
    ineligible_reason = consent_of(game, now=now).ineligible_reason
    if ineligible_reason in _INELIGIBLE:
        raise ConsentError(ineligible_reason, _INELIGIBLE[ineligible_reason])
    for seating in seats:
        _store_confirmation(game, seating.seat, account.pk, Confirmation.How.EXPLICIT, now)
    return _settle_seating(game, account.pk, now)


@transaction.atomic
def withdraw(game: Game, account: AbstractBaseUser, *, now: datetime) -> Consent:
    """Withdraw an account's confirmation.

    :raises ConsentError: when there is none, the game counts already, or it was given by taking a seat.
    """
    game = _locked(game)
    if any(place.ladder.club_id is None for place in places_of(game)):
        raise ConsentError("counted", "The game is already rated. To object, dispute it; a moderator then decides.")
    given = game.confirmations.filter(account_id=account.pk, withdrawn_at=None)
    if given.filter(how=Confirmation.How.SEAT).exists():
        raise ConsentError(
            "seat",
            "By taking a seat at a rated table you agreed that the game is rated. To object, dispute it; a moderator "
            "then decides.",
        )
    if not given.update(withdrawn_at=now):
        raise ConsentError("not_confirmed", "You have not confirmed this game.")
    return _settle(game, now)


@transaction.atomic
def dispute(game: Game, account: AbstractBaseUser, *, reason: str, now: datetime) -> Dispute:
    """Dispute a game for an account: it was not played as recorded, or should not count.

    A game with an open dispute is not accepted; one that already counts keeps counting until a moderator has decided.

    :raises ConsentError: when the account has no seat there, gives no reason, or disputes it already.
    """
    game = _locked(game)
    if not seats_of(game, account.pk):
        raise ConsentError("not_seated", "None of your players played in this game.")
    if not reason.strip():
        raise ConsentError("no_reason", "Describe what is wrong with the game.")
    if game.disputes.filter(account_id=account.pk, state=Dispute.State.OPEN).exists():
        raise ConsentError("disputed", "You have already disputed this game.")
    raised = Dispute.objects.create(game=game, account_id=account.pk, reason=reason.strip(), raised_at=now)
    events.dispute_raised(raised, now=now)
    _settle(game, now)
    return raised


def withdraw_dispute(game: Game, account: AbstractBaseUser, *, pk: int, now: datetime) -> Dispute:
    """Withdraw a dispute for the account that raised it.

    :raises Dispute.DoesNotExist: when the account has raised none of this number against the game.
    :raises ConsentError: when it has ended before.
    """
    own = game.disputes.get(pk=pk, account_id=account.pk)
    return close_dispute(own, Dispute.State.WITHDRAWN, by=account, answer="", now=now)


@transaction.atomic
def close_dispute(
    dispute: Dispute, state: Dispute.State, *, by: AbstractBaseUser | None, answer: str, now: datetime
) -> Dispute:
    """End a dispute: withdrawn by the account that raised it, or upheld or dismissed by a moderator.

    If it is upheld, the game stays disputed; whether a game that counts is annulled is decided separately.

    :raises ConsentError: when it has ended before.
    """
    game = _locked(dispute.game)
    dispute = Dispute.objects.select_for_update(no_key=True).get(pk=dispute.pk)
    if dispute.state != Dispute.State.OPEN:
        raise ConsentError("closed", "This dispute is already settled.")
    dispute.state, dispute.settled_by_id, dispute.settled_at = state, by.pk if by else None, now
    dispute.answer = answer.strip()
    dispute.save()
    events.dispute_settled(dispute, now=now)
    _settle(game, now)
    return dispute


@transaction.atomic
def settle(game: Game, *, now: datetime) -> Consent:
    """Check a game again after something changed: a claim, a merge, whether it is private."""
    return _settle(_locked(game), now)


def note_upload(game: Game, log: MoveLog, *, now: datetime) -> None:
    """Count an upload of a game as its uploader's confirmation, where that is possible.

    Within the transaction that stores the verdict. An upload counts as a confirmation only if somebody else uploaded
    the game before, public and not for training, and the uploader's claim to the seat's name was approved before that:
    so nobody makes a game count alone.
    """
    upload = log.upload
    if _counts_as_confirmation(game, upload):
        game = _locked(game)
        for seating in seats_of(game, upload.uploader_id or 0):
            named = log.names.get(seating.letter) == name_key(seating.player.name)
            if named and claimed_before(upload.uploader_id or 0, seating.player, upload.received_at):
                _store_confirmation(game, seating.seat, upload.uploader_id or 0, Confirmation.How.UPLOAD, now)
        _settle_seating(game, upload.uploader_id, now)


@transaction.atomic
def confirm_seats(game: Game, accounts: Mapping[int, int], *, now: datetime) -> Consent:
    """Store the consent that accounts gave by taking their seats at a rated table.

    :param accounts: by seat, in turn order from 0; of those that own the seat's name.
    """
    game = _locked(game)
    own = {seating.seat: seating.player.rated_account_id for seating in seatings_of(game)}
    for seat, account in accounts.items():
        if own.get(seat) == account:
            _store_confirmation(game, seat, account, Confirmation.How.SEAT, now)
    return _settle_seating(game, None, now)


def _counts_as_confirmation(game: Game, upload: Upload) -> bool:
    by_another = upload.uploader_id is not None and upload.uploader_id != first_uploader(game)
    return by_another and upload.scored and not upload.private and game.verdict == VerdictKind.VERIFIED


def _locked(game: Game) -> Game:
    # A lock that ledger entries, which only refer to the game's key, need not wait for.
    return hold_seatings(game)[0]


def _store_confirmation(game: Game, seat: int, account: int, how: Confirmation.How, now: datetime) -> None:
    """Store a confirmation, or renew a valid one."""
    until = now + LAPSES_AFTER
    given = game.confirmations.filter(seat=seat, withdrawn_at=None)
    same = given.filter(account=account, digest=game.digest or "", ruleset=game.ruleset)
    renewed = {"until": until} | ({"how": how} if how == Confirmation.How.SEAT else {})  # that is not withdrawn
    if not same.update(**renewed):
        given.update(withdrawn_at=now)
        Confirmation.objects.create(
            game=game, seat=seat, account_id=account, digest=game.digest or "", ruleset=game.ruleset, how=how, at=now,
            until=until,
        )  # fmt: skip


def _settle_seating(game: Game, account: int | None, now: datetime) -> Consent:
    """Settle who sat at a game if all agree now, and check this game and the one that applies."""
    applies = settle_agreed(game, by=account, now=now)
    if applies.pk != game.pk:
        _settle(applies, now)
    game.refresh_from_db()
    return _settle(game, now)


def _settle(game: Game, now: datetime) -> Consent:
    """Let the game count, or not yet, according to its confirmations."""
    consent = consent_of(game, now=now)
    if consent.complete:
        make_due([game], now=now)
        flags.release(game.acceptances.filter(ladder__club=None, held=True))
    elif consent.state == "confirmed" and consent.ineligible_reason == "contested":
        keep_waiting(game)
    else:
        no_longer_due(game)
    return consent
