"""The rating status on a game's page: who has confirmed, what is missing, and what the reader can do."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from engine.registry import ruleset_by_slug
from games.clubs.reads.clubs import organised_by
from games.consent.reads.eligibility import Consent, SeatConsent, consent_of, ladders_of
from games.holds.reads.holds import HOLDS, game_before, holds_of
from games.models import Acceptance, Confirmation, Correction, Dispute, Flag, Game
from games.models.records import VerdictKind
from games.records.reads.visibility import Viewer
from games.web.labels import DISPUTES, Label, Stamp
from games.web.links import Link, leaderboard_url, link_to_game, link_to_player
from games.web.lists import Part, part_of
from games.web.rows import SeatShown, seats_of

_STAMPS = {
    "pending": Stamp("waiting", _("not confirmed yet")),
    "partly": Stamp("unfinished", _("partly confirmed")),
    "confirmed": Stamp("verified", _("confirmed")),
    "disputed": Stamp("rejected", _("disputed")),
}
_NEVER = frozenset({"unfinished", "rejected", "training", "private", "bot"})


@dataclass(frozen=True, slots=True)
class ConfirmationView:
    """A seat and its confirmation, if there is one."""

    seat: SeatShown
    claimed: bool
    mine: bool
    by: str
    by_upload: bool
    """Whether the confirmation is an upload of the same game."""
    by_seat: bool
    """Whether it was given by taking a seat at a rated table, and cannot be withdrawn."""
    at: datetime | None
    until: datetime | None


@dataclass(frozen=True, slots=True)
class DisputeShown:
    """A dispute of the game, and the answer to it."""

    id: int
    by: str
    at: datetime
    reason: str
    state: Label
    settled_by: str
    settled_at: datetime | None
    answer: str
    mine: bool
    """Whether the reader can withdraw it."""


@dataclass(frozen=True, slots=True)
class TurnShown:
    """The game was annulled, or counts again."""

    annulled: bool
    done_at: datetime | None
    """None while that is still to be carried out."""
    reason: str


@dataclass(frozen=True, slots=True)
class HoldShown:
    """What holds a due game back, and who has to decide."""

    kind: str
    sentence: str
    player: Link | None
    like: Link | None
    """The game of the same play that came before."""
    unrated: bool
    """Whether it was looked at, and the game left unrated."""
    answer: str


@dataclass(frozen=True, slots=True)
class CountShown:
    """A ladder for which the game counts, or counted."""

    club: str
    """Empty for the ladder of the site."""
    url: str
    number: int | None
    """The place in the order; none while it is to be given."""
    at: datetime | None
    counts: bool
    turns: tuple[TurnShown, ...]
    waits: bool
    """Whether it waits for somebody, or was left unrated."""
    holds: tuple[HoldShown, ...]


@dataclass(frozen=True, slots=True)
class ConsentShown:
    """Everything in the panel."""

    state: str
    stamp: Stamp | None
    """None where nobody was asked, since the game can never count."""
    ineligible_reason: str
    confirmations: tuple[ConfirmationView, ...]
    missing: int
    """How many confirmations are missing."""
    until: datetime | None
    """When the first confirmation expires; none when none expires any more."""
    disputes: Part[DisputeShown]
    counts: tuple[CountShown, ...]
    whole_site: bool
    """Whether it counts for the whole site, or is about to."""
    signed_in: bool
    seated: bool
    may_confirm: bool
    last: bool
    """Whether only the reader's confirmation is missing."""
    may_withdraw: bool
    may_dispute: bool
    for_clubs: tuple[Link, ...]
    """Forms in which the reader, as an organiser, uploads the game for a club of which it does not count yet."""
    refused: str = ""
    """Why what the reader asked for cannot be done."""
    reason: str = ""
    """What the reader wrote then."""


def consent_shown(
    game: Game, reader: Viewer, query: QueryDict, *, now: datetime, refused: str = "", reason: str = ""
) -> ConsentShown | None:
    """Return the panel for a reader; None for a rejected record, which nobody can confirm."""
    if game.verdict == VerdictKind.REJECTED:
        return None
    consent, counts = consent_of(game, now=now), ladders_of(game)
    holds = list(holds_of(game)) if any(one.held for one in counts) else []
    confirmations = _confirmations(game, consent, reader.pk)
    mine = [one for one in confirmations if one.mine]
    counted = consent.acceptance is not None
    placed = consent.acceptance is not None and consent.acceptance.number is not None
    never = consent.ineligible_reason in _NEVER
    missing = [one for one in confirmations if one.at is None]
    asked = not never or counted or len(missing) < len(confirmations) or bool(consent.disputes)
    disputing = any(_is_open(dispute, reader.pk) for dispute in consent.disputes)
    return ConsentShown(
        state=consent.state,
        # An account that confirmed may be deleted by now; a game that counts was confirmed.
        stamp=_STAMPS["confirmed" if placed and consent.state != "disputed" else consent.state] if asked else None,
        ineligible_reason=consent.ineligible_reason,
        confirmations=confirmations if asked else (),
        missing=len(missing),
        until=None if counted else consent.until,
        disputes=part_of("disputes", consent.disputes, partial(_dispute, reader=reader.pk), query),
        counts=tuple(_count(one, [hold for hold in holds if hold.ladder_id == one.ladder_id]) for one in counts),
        whole_site=counted and (placed or consent.ineligible_reason != "contested"),
        signed_in=reader.is_authenticated,
        seated=bool(mine),
        may_confirm=not (never or counted or disputing) and any(one.at is None for one in mine),
        last=bool(missing) and all(one.mine for one in missing),
        may_withdraw=not placed and any(one.at and not one.by_seat for one in mine),
        may_dispute=bool(mine) and not disputing,
        for_clubs=()
        if never
        else _for_clubs(game, reader, [one.ladder.club_id for one in counts if one.ladder.club_id]),
        refused=refused,
        reason=reason,
    )


def _for_clubs(game: Game, reader: Viewer, counted: list[int]) -> tuple[Link, ...]:
    clubs = organised_by(reader).exclude(pk__in=counted) if reader.is_authenticated else ()
    form = reverse("upload")
    return tuple(Link(club.name, f"{form}?{urlencode({'club': club.slug, 'game': game.key})}") for club in clubs)


def _confirmations(game: Game, consent: Consent, reader: int | None) -> tuple[ConfirmationView, ...]:
    return tuple(
        _confirmation(seat, seat_consent, reader)
        for seat, seat_consent in zip(seats_of(game), consent.seats, strict=True)
    )


def _confirmation(seat: SeatShown, seat_consent: SeatConsent, reader: int | None) -> ConfirmationView:
    given = seat_consent.confirmation
    return ConfirmationView(
        seat=seat,
        claimed=seat_consent.account is not None,
        mine=seat_consent.account is not None and seat_consent.account == reader,
        by=given.account.get_username() if given and given.account else "",
        by_upload=given is not None and given.how == Confirmation.How.UPLOAD,
        by_seat=given is not None and given.how == Confirmation.How.SEAT,
        at=given.at if given else None,
        until=given.until if given else None,
    )


def _is_open(dispute: Dispute, reader: int | None) -> bool:
    return dispute.state == Dispute.State.OPEN and dispute.account_id == reader


def _dispute(dispute: Dispute, reader: int | None) -> DisputeShown:
    return DisputeShown(
        id=dispute.pk,
        by=dispute.account.get_username() if dispute.account else "",
        at=dispute.raised_at,
        reason=dispute.reason,
        state=DISPUTES[dispute.state],
        settled_by=dispute.settled_by.get_username() if dispute.settled_by else "",
        settled_at=dispute.settled_at,
        answer=dispute.answer,
        mine=reader is not None and _is_open(dispute, reader),
    )


def _count(acceptance: Acceptance, holds: list[Flag]) -> CountShown:
    ruleset, club = ruleset_by_slug(acceptance.ladder.ruleset), acceptance.ladder.club
    return CountShown(
        club=club.name if club else "",
        url=leaderboard_url(ruleset.slug, club),
        number=acceptance.number,
        at=acceptance.accepted_at,
        counts=acceptance.counts,
        turns=tuple(
            TurnShown(correction.kind == Correction.Kind.ANNULMENT, correction.done_at, correction.reason)
            for correction in acceptance.corrections.all()
        ),
        waits=acceptance.held,
        holds=tuple(map(_hold, holds)) if acceptance.held else (),
    )


def _hold(flag: Flag) -> HoldShown:
    before = game_before(flag) if flag.kind == Flag.Kind.LIKENESS else None
    # A private game is not shown, but its existence is reported.
    like = link_to_game(before) if before and not before.private else None
    player = link_to_player(flag.player) if flag.player else None
    return HoldShown(flag.kind, str(HOLDS[flag.kind]), player, like, flag.unrated, flag.answer)
