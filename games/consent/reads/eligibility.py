"""Reading consent: whether all players have confirmed a game, and what is missing."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet

from games.holds.reads.ineligible import SeatingReason, lapsing_from, seating_reason
from games.models import (
    Acceptance,
    Challenge,
    Claim,
    Confirmation,
    Correction,
    Dispute,
    Game,
    MoveLog,
    Player,
    Seating,
    Upload,
)
from games.models.records import VerdictKind
from games.platform.paging import Page, Span, newest_first
from games.records.reads.games import first_uploaded_in, with_seats

State = Literal["pending", "partly", "confirmed", "disputed"]
IneligibleReason = Literal["unfinished", "rejected", "training", "private", "bot", "same-person"] | SeatingReason


@dataclass(frozen=True, slots=True)
class SeatConsent:
    """A seat, its player, and its confirmation."""

    seat: int
    letter: str
    player: Player
    account: int | None
    """Who has claimed the player; nobody can confirm for a name without an account."""
    confirmation: Confirmation | None
    """The one that is valid."""


@dataclass(frozen=True, slots=True)
class Consent:
    """How far a game is from counting on the whole site's ladder."""

    state: State
    ineligible_reason: IneligibleReason
    """Why it can never count as things are; empty when only consent is missing."""
    seats: tuple[SeatConsent, ...]
    disputes: tuple[Dispute, ...]
    """All of them, the newest first."""
    acceptance: Acceptance | None
    """On the whole site's ladder."""

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return self.state == "confirmed" and not self.ineligible_reason

    @property
    def until(self) -> datetime | None:
        """When the first confirmation expires."""
        return min((seat.confirmation.until for seat in self.seats if seat.confirmation), default=None)


def consent_of(game: Game, *, now: datetime) -> Consent:
    """Return how far a game is from counting."""
    disputes = tuple(game.disputes.select_related("account", "settled_by").order_by("-pk"))
    acceptance = game.acceptances.filter(ladder__club=None).first()
    placed = acceptance is not None and acceptance.number is not None
    seats = _seats(game, now, lapse=acceptance is None, given_for_good=placed)
    return Consent(_state(seats, disputes), _ineligible_reason(game, seats), seats, disputes, acceptance)


def _seats(game: Game, now: datetime, *, lapse: bool, given_for_good: bool) -> tuple[SeatConsent, ...]:
    valid = {one.seat: one for one in _valid_confirmations(game, now, lapse=lapse)}
    return tuple(_seat(seating, valid.get(seating.seat), given_for_good) for seating in seatings_of(game))


def seatings_of(game: Game) -> "QuerySet[Seating]":
    """Return who sat at a game, in turn order."""
    return game.seatings.select_related("player__account", "player__merged_into__account").order_by("seat")


def _valid_confirmations(game: Game, now: datetime, *, lapse: bool) -> "QuerySet[Confirmation]":
    given = game.confirmations.filter(withdrawn_at=None, digest=game.digest or "", ruleset=game.ruleset)
    return (given.filter(until__gt=lapsing_from(game, now=now)) if lapse else given).select_related("account")


def _seat(seating: Seating, confirmation: Confirmation | None, given_for_good: bool) -> SeatConsent:  # noqa: FBT001 (of this file)
    """Return a seat with its valid confirmation: the account's, or, once the game is rated, the one that counted."""
    account = seating.player.rated_account_id
    by_its_account = confirmation is not None and account is not None and confirmation.account_id == account
    holds = given_for_good or by_its_account
    return SeatConsent(seating.seat, seating.letter, seating.player, account, confirmation if holds else None)


def _state(seats: tuple[SeatConsent, ...], disputes: tuple[Dispute, ...]) -> State:
    if any(dispute.state in (Dispute.State.OPEN, Dispute.State.UPHELD) for dispute in disputes):
        return "disputed"
    given = sum(seat.confirmation is not None for seat in seats)
    return "pending" if not given else "confirmed" if given == len(seats) else "partly"


def _ineligible_reason(game: Game, seats: tuple[SeatConsent, ...]) -> IneligibleReason:
    if game.verdict != VerdictKind.VERIFIED:
        return "unfinished" if game.verdict == VerdictKind.UNFINISHED else "rejected"
    if not game.scored:
        return "training"
    if game.private:
        return "private"
    if any(is_bot(seat.player) for seat in seats):
        return "bot"
    accounts = [seat.account for seat in seats if seat.account]
    return "same-person" if len(set(accounts)) < len(accounts) else seating_reason(game)


def is_bot(player: Player) -> bool:
    """Return whether a player, or the one into which it was merged, is marked as a bot."""
    return player.is_bot or (player.merged_into is not None and player.merged_into.is_bot)


def ladders_of(game: Game) -> "list[Acceptance]":
    """Return the ladders for which a game counts or will, the site's first, with later corrections."""
    acceptances = game.acceptances.select_related("ladder__club").order_by(F("ladder__club").asc(nulls_first=True))
    return list(acceptances.prefetch_related(Prefetch("corrections", Correction.objects.order_by("pk"))))


def seats_of(game: Game, account: int) -> list[Seating]:
    """Return the seats of a game in which an account's players sit."""
    return [seating for seating in seatings_of(game) if seating.player.rated_account_id == account]


def claimed_before(account: int, player: Player, moment: datetime) -> bool:
    """Return whether an account's claim to a player's name had been approved before a moment."""
    either = Q(player=player) | Q(player=player.rated_id)
    claims = Claim.objects.filter(either, account=account, state=Claim.State.APPROVED)
    return claims.filter(decided_at__lt=moment).exists()


def first_uploader(game: Game) -> int | None:
    """Return who uploaded a game first; nobody when it came without an account."""
    first = game.logs.select_related("upload").order_by("pk").first()
    return first.upload.uploader_id if first else None


def sole_uploader(game: Game) -> int | None:
    """Return the account that uploaded a game if nobody else did."""
    first = first_uploader(game)
    return None if first is None or game.logs.exclude(upload__uploader=first).exists() else first


def first_uploaders(games: Iterable[int]) -> dict[int, int | None]:
    """Return who uploaded each of some games first, as far as they have been uploaded."""
    logs = MoveLog.objects.filter(game__in=games).order_by("game", "pk").distinct("game")
    return dict(logs.values_list("game", "upload__uploader"))


def seated_accounts(games: Iterable[int]) -> set[tuple[int, int]]:
    """Return those of some games at which accounts sat, each with the account."""
    players = Seating.objects.filter(game__in=games).values_list(
        "game", "player__merged_into", "player__account", "player__merged_into__account"
    )
    accounts = ((game, merged if into else own) for game, into, own, merged in players)
    return {(game, account) for game, account in accounts if account}


def games_waiting(account: int, span: Span, *, now: datetime) -> Page[Game]:
    """Return a page of the games that an account can confirm, newest first.

    :raises CursorError: when the span's mark is none.
    """
    return newest_first(with_seats(waiting_for(account, now=now)), "received_at", span)


def waiting_for(account: int, *, now: datetime) -> "QuerySet[Game]":
    """Return the games in which an account's players sat and that it has not confirmed."""
    holding = Challenge.objects.filter(
        game=OuterRef("game"), state=Challenge.State.OPEN, holds=True, raised_at__lt=OuterRef("until")
    )
    valid = Q(until__gt=now) | Exists(holding)
    said = Confirmation.objects.filter(valid, game=OuterRef("pk"), account=account, withdrawn_at=None)
    counted = Acceptance.objects.filter(game=OuterRef("pk"), ladder__club=None)
    against = Q(state=Dispute.State.UPHELD) | Q(state=Dispute.State.OPEN, account=account)
    # Starting from the seats: fast however many games there are and however few are the account's.
    return Game.objects.filter(
        ~Exists(said),
        ~Exists(counted),
        ~Exists(Dispute.objects.filter(against, game=OuterRef("pk"))),
        pk__in=Seating.objects.filter(player__in=players_of(account)).values("game"),
        verdict=VerdictKind.VERIFIED,
        scored=True,
        private=False,
        same_as=None,
    )


def waiting_in(uploads: Iterable[Upload], account: int, *, now: datetime) -> int:
    """Return how many of the games that some uploads brought wait for an account's confirmation."""
    return waiting_for(account, now=now).filter(pk__in=first_uploaded_in(uploads)).count()


def players_of(account: int) -> list[int]:
    """Return the ids of an account's players, and of players merged into them."""
    own = Player.objects.filter(account=account, merged_into=None).values_list("pk", flat=True)
    return list(own.union(Player.objects.filter(merged_into__account=account).values_list("pk", flat=True)))
