"""Why a game changed a player's rating: the inputs, every term, the result, and every later correction."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import number_format
from django.utils.translation import gettext

from engine.agn.dates import Days
from engine.explained import Explained, Term
from engine.rating import BETA, DECIMALS, TAU, shown
from games.ladders.reads.careers import AnyEvent, Cause
from games.models import By, DayRating, RatingEvent
from games.records.reads.begun import played
from games.records.reads.titles import ladder_title
from games.web.labels import CAUSES, PLACES, Change, Label, Strength, strength_after
from games.web.links import Link, career_url, link_to_game, link_to_player


@dataclass(frozen=True, slots=True)
class SeatRated:
    """A player's rating before and after the game."""

    player: Link
    mine: bool
    place: Label
    mu_before: str
    sigma_before: str
    mu: str
    sigma: str
    rating: int
    change: Change


@dataclass(frozen=True, slots=True)
class TermShown:
    """One choice in which the player took part."""

    place: Label
    whose: str
    own: bool
    chance: str
    share: str
    surprise: str


@dataclass(frozen=True, slots=True)
class SumShown:
    """The player's sum in full."""

    terms: tuple[TermShown, ...]
    surprise: str
    widened: str
    spread: str
    weight: str
    points: str
    """By how much the mean moved."""
    learnt: str
    """By which part the variance shrank, in percent."""


@dataclass(frozen=True, slots=True)
class EntryShown:
    """One entry of the ledger for this game and seat."""

    number: int
    at: datetime
    cause: Label
    game: Link | None
    reason: str
    rating: int
    change: Change
    strength: str
    """In full."""
    uncertainty: str
    counts: bool


@dataclass(frozen=True, slots=True)
class CausePage:
    """All that the page shows."""

    player: Link
    ladder: Link
    game: Link
    by: By
    place: int
    """In the order."""
    accepted_at: datetime | None
    played: Days | datetime | None
    counts: bool
    rating: int
    strength: Strength
    seats: tuple[SeatRated, ...]
    sum: SumShown | None
    entries: tuple[EntryShown, ...]
    algorithm: str
    parameters: dict[str, str]


def cause_page(cause: Cause) -> CausePage:
    """Return everything about one game's effect on one rating."""
    event = cause.event
    by = By.PLAYED if isinstance(event, DayRating) else By.ACCEPTED
    mine = next(
        (explained for explained, one in zip(cause.explained, cause.seats, strict=False) if one.pk == event.pk), None
    )
    ladder = event.ladder
    return CausePage(
        player=link_to_player(event.player),
        ladder=Link(ladder_title(ladder), career_url(event.player_id, ladder, by)),
        game=link_to_game(event.game),
        by=by,
        place=event.position if isinstance(event, DayRating) else event.number,
        accepted_at=event.acceptance.accepted_at,
        played=played(event.game, event),
        counts=event.counts,
        rating=shown(event.value),
        strength=strength_after(event),
        seats=tuple(_seat(one, mine=one.pk == event.pk) for one in cause.seats),
        sum=_sum(mine, cause.seats) if mine else None,
        entries=tuple(map(_entry, cause.entries)),
        algorithm=event.algorithm,
        parameters={"beta": f"{BETA:g}", "tau": f"{TAU:g}", "decimals": f"{DECIMALS}"},
    )


def _seat(event: AnyEvent, *, mine: bool) -> SeatRated:
    return SeatRated(
        player=link_to_player(event.player),
        mine=mine,
        place=PLACES[event.place],
        mu_before=_decimal(event.mu_before, DECIMALS),
        sigma_before=_decimal(event.sigma_before, DECIMALS),
        mu=_decimal(event.mu, DECIMALS),
        sigma=_decimal(event.sigma, DECIMALS),
        rating=shown(event.value),
        change=strength_after(event).change,
    )


def _sum(explained: Explained, seats: tuple[AnyEvent, ...]) -> SumShown:
    return SumShown(
        terms=tuple(_term(term, seats[term.seat]) for term in explained.terms),
        surprise=_signed(explained.surprise, 4),
        widened=_decimal(explained.widened, 2),
        spread=_decimal(explained.spread, 2),
        weight=_decimal(explained.weight, 2),
        points=_signed(explained.weight * explained.surprise, 2),
        learnt=_decimal(explained.learnt * 100, 2),
    )


def _term(term: Term, seat: AnyEvent) -> TermShown:
    return TermShown(
        place=PLACES[seat.place],
        whose=seat.player.name,
        own=term.own,
        chance=_decimal(term.chance * 100, 1),
        share=number_format(f"{term.share:.2f}".rstrip("0").rstrip(".")),
        surprise=_signed(term.surprise, 4),
    )


def _entry(event: RatingEvent) -> EntryShown:
    correction = event.correction
    other = correction.acceptance.game if correction and correction.acceptance else None
    return EntryShown(
        number=event.pk,
        at=event.at,
        cause=CAUSES[correction.kind] if correction else gettext("the game was rated"),
        game=link_to_game(other) if other else None,
        reason=correction.reason if correction else "",
        rating=shown(event.value),
        change=strength_after(event).change,
        strength=_decimal(event.mu, DECIMALS),
        uncertainty=_decimal(event.sigma, DECIMALS),
        counts=event.counts,
    )


def _decimal(value: float, decimals: int) -> str:
    """Return a number as it is written in the reader's language."""
    return number_format(f"{value:.{decimals}f}")


def _signed(value: float, decimals: int) -> str:
    """Return a number with its sign, as it is printed."""
    return number_format(f"{value:+.{decimals}f}").replace("-", "−")
