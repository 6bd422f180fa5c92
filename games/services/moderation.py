"""Moderation: what moderators decide. Every act is written down, with who, when and why, as it is done.

Nobody decides a matter of his own: a game at which he sat, a dispute that he raised, a name that he has. Whoever runs
the service can, by command, and then nobody is named.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from engine.words import marked
from games.models import Acceptance, Act, Dispute, Flag, Game, Player, Recount
from games.selectors.consent import account_of, seats_of
from games.services import claims, consent, notices, recounts
from games.services.refusals import RefusedError

Kind = Act.Kind


class ModerationError(RefusedError):
    """A decision that cannot be taken; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decides, when and why."""

    by: AbstractBaseUser | None
    """None where it is done by whoever runs this service."""
    at: datetime
    reason: str

    def check(self) -> None:
        """Asks for the reason. :raises ModerationError: when none is given."""
        if not self.reason.strip():
            raise ModerationError("no_reason", "Give the reason: it is shown to those whom it concerns.")

    @property
    def account(self) -> int | None:
        """The number of who decides."""
        return self.by.pk if self.by else None

    @property
    def order(self) -> recounts.Order:
        """The same for a recount."""
        return recounts.Order(self.by, self.reason.strip(), self.at)


def note(kind: Act.Kind, decision: Decision, **about: Any) -> Act:  # noqa: ANN401 (the act's own fields)
    """Writes an act down."""
    return Act.objects.create(
        kind=kind, by_id=decision.account, at=decision.at, reason=decision.reason.strip(), **about
    )


def _check_apart(decision: Decision, *, game: Game | None = None, players: Iterable[Player] = ()) -> None:
    """Leaves to others what is a moderator's own. :raises ModerationError: when it is."""
    if decision.account is None:
        return
    if game and seats_of(game, decision.account):
        raise ModerationError("own_matter", "You sat at this game yourself: another moderator has to decide.")
    if any(account_of(player) == decision.account for player in players):
        raise ModerationError("own_matter", "This player is your own: another moderator has to decide.")


@transaction.atomic
def settle_dispute(dispute: Dispute, decision: Decision, *, upheld: bool) -> Dispute:
    """Ends a dispute. Upheld, a game that counts is annulled as well, wherever it counts by consent.

    :raises ModerationError: without a reason, or of who raised it, or sat at the game.
    :raises ConsentError: when it has ended before.
    """
    decision.check()
    _check_apart(decision, game=dispute.game)
    if decision.by and dispute.account_id == decision.account:
        raise ModerationError("own_matter", "You raised this dispute yourself: withdraw it, or another has to decide.")
    state = Dispute.State.UPHELD if upheld else Dispute.State.DISMISSED
    settled = consent.close_dispute(dispute, state, by=decision.by, answer=decision.reason, now=decision.at)
    kind = Kind.DISPUTE_UPHELD if upheld else Kind.DISPUTE_DISMISSED
    note(kind, decision, game=dispute.game, params={"dispute": dispute.pk})
    counting = dispute.game.acceptances.filter(ladder__league=None, number__isnull=False, counts=True).first()
    if upheld and counting and not _ordered(counting, Recount.Kind.ANNULMENT):
        annul(counting, decision)
    return settled


@transaction.atomic
def annul(acceptance: Acceptance, decision: Decision) -> Recount:
    """Has a game count no longer for a ladder.

    :raises ModerationError: when it does not count, or no reason is given, or he sat at the game.
    """
    decision.check()
    _check_apart(decision, game=acceptance.game)
    _check(acceptance, counts=True)
    note(Kind.GAME_ANNULLED, decision, game=acceptance.game, params={"number": acceptance.number})
    ordered = recounts.order_annulment(acceptance, decision.order)
    notices.recount_ordered(ordered, acceptance.game, now=decision.at)
    return ordered


@transaction.atomic
def restore(acceptance: Acceptance, decision: Decision) -> Recount:
    """Has an annulled game count again.

    :raises ModerationError: when it counts, or no reason is given, or he sat at the game.
    """
    decision.check()
    _check_apart(decision, game=acceptance.game)
    _check(acceptance, counts=False)
    note(Kind.GAME_RESTORED, decision, game=acceptance.game, params={"number": acceptance.number})
    ordered = recounts.order_restoration(acceptance, decision.order)
    notices.recount_ordered(ordered, acceptance.game, now=decision.at)
    return ordered


def _check(acceptance: Acceptance, *, counts: bool) -> None:
    """Refuses what is so already, or will be in a moment."""
    held = Acceptance.objects.select_for_update(no_key=True).get(pk=acceptance.pk)
    if held.number is None:
        raise ModerationError("not_accepted", "The game does not count yet.")
    if held.counts is not counts:
        sentence = marked("The game is annulled already.") if counts else marked("The game counts already.")
        raise ModerationError("as_asked", sentence)
    if Recount.objects.filter(acceptance=held, order=None).exists():
        raise ModerationError("under_way", "Another decision on this game is being carried out. Try again in a moment.")


def _ordered(acceptance: Acceptance, kind: Recount.Kind) -> bool:
    return Recount.objects.filter(acceptance=acceptance, kind=kind, order=None).exists()


@transaction.atomic
def merge(player: Player, into: Player, decision: Decision) -> Recount:
    """Has a player's games count as another's.

    :raises ModerationError: when they are one, or no reason is given, or one of them is his own.
    """
    decision.check()
    player, into = _held(player, into)
    _check_apart(decision, players=(player, into))
    if player.rated_id == into.rated_id:
        raise ModerationError("one_already", "These two are one player already.")
    note(Kind.PLAYERS_MERGED, decision, player=player, params={"into": into.rated_id})
    return recounts.order_merge(player.merged_into or player, into, decision.order)


@transaction.atomic
def part(player: Player, decision: Decision) -> Recount:
    """Has a merged player's games count as his own again.

    :raises ModerationError: when he is not merged, or no reason is given, or he is the moderator's own.
    """
    decision.check()
    (player,) = _held(player)
    _check_apart(decision, players=(player,))
    if player.merged_into_id is None:
        raise ModerationError("not_merged", "This player is not merged with another.")
    note(Kind.PLAYERS_PARTED, decision, player=player, params={"from": player.merged_into_id})
    return recounts.order_parting(player, decision.order)


def _held(*players: Player) -> list[Player]:
    """Players as they are now. :raises ModerationError: when something about them is being carried out."""
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=[player.pk for player in players]).order_by("pk")
    held = {player.pk: player for player in rows}
    ids = [*held, *[player.rated_id for player in held.values()]]
    moving = Recount.objects.filter(order=None, player__isnull=False)
    if moving.filter(player__in=ids).exists() or moving.filter(into__in=ids).exists():
        raise ModerationError(
            "under_way", "Another decision on these players is being carried out. Try again in a moment."
        )
    return [held[player.pk] for player in players]


@transaction.atomic
def mark_bot(player: Player, decision: Decision, *, is_bot: bool) -> None:
    """Says of a player that a program plays under this name, or that none does.

    :raises ModerationError: when that is known already, or no reason is given.
    """
    decision.check()
    if player.is_bot == is_bot:
        sentence = marked("This player is marked as a bot already.") if is_bot else marked("This player bears no mark.")
        raise ModerationError("as_asked", sentence)
    claims.mark_bot(player, decision.by, is_bot=is_bot, reason=decision.reason, now=decision.at)


@transaction.atomic
def settle_flag(flag: Flag, decision: Decision) -> Flag:
    """Says of a flag what came of looking.

    :raises ModerationError: when that was done before, or nothing is said, or it points at him.
    """
    decision.check()
    _check_apart(decision, game=flag.game, players=(flag.player,) if flag.player else ())
    held = Flag.objects.select_for_update(no_key=True).get(pk=flag.pk)
    if held.settled_at:
        raise ModerationError("settled", "This flag has been settled before.")
    held.settled_at, held.settled_by_id, held.answer = decision.at, decision.account, decision.reason.strip()
    held.save(update_fields=["settled_at", "settled_by", "answer"])
    note(Kind.FLAG_SETTLED, decision, game=held.game, player=held.player, params={"flag": held.pk, "kind": held.kind})
    return held
