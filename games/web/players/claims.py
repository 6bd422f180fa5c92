"""What is shown of claims and of an account's players."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.http import QueryDict
from django.urls import reverse

from games.models import Claim, Player
from games.platform.roles import is_moderator
from games.players.claims import may_contest, may_decide, may_revoke, may_vouch
from games.players.reads.claims import (
    claims_of,
    claims_to_contest,
    claims_to_decide,
    may_claim,
    may_read_texts,
    open_claim,
    players_of,
)
from games.players.reads.own_names import claim_version, has_rivals
from games.records.reads.visibility import Viewer
from games.web.labels import CLAIMS, Label
from games.web.lists import Part, part_of

_FEW = 5
"""Claims of a kind on the account's first page."""


@dataclass(frozen=True, slots=True)
class PlayerShown:
    """One of an account's players."""

    number: int
    name: str
    source: str
    url: str
    is_bot: bool


@dataclass(frozen=True, slots=True)
class ClaimShown:
    """A claim, and the decision on it."""

    number: int
    url: str
    player: PlayerShown
    by: str
    reason: str
    made_at: datetime
    state: Label
    is_open: bool
    decided_by: str
    decided_at: datetime | None
    answer: str


@dataclass(frozen=True, slots=True)
class ClaimsPage:
    """An account's players, claims, and what it has to decide."""

    players: Part[PlayerShown]
    claims: Part[ClaimShown]
    decide: Part[ClaimShown]
    contest: Part[ClaimShown]
    """Claims that are approved by themselves unless somebody at the same tables contests them."""


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """One claim, and what the reader may do about it."""

    claim: ClaimShown
    may_decide: bool
    needs_reason: bool
    """Whether the reader decides as a moderator, not as the account that uploaded the name first."""
    shares: bool
    """Whether the reader's approval shows the claimant the reader's private games with the name."""
    may_withdraw: bool
    may_revoke: bool
    may_contest: bool
    may_vouch: bool
    waits_for: str
    """Who decides an open claim: `uploader`, `moderator`, or `nobody` if it will be approved automatically."""
    approved_from: datetime | None
    version: str
    """What a decision names, so that nobody decides what they have not read."""
    vouched_by: tuple[str, ...]
    """Who vouches for the account because of this name."""


@dataclass(frozen=True, slots=True)
class ClaimPanel:
    """What a player's page offers its reader."""

    player: PlayerShown
    may_claim: bool
    asked: str | None
    """Where the reader's own claim is, while it is open."""
    mine: bool


def claims_page(user: User, query: QueryDict) -> ClaimsPage:
    """Return all about an account's players and claims."""
    return ClaimsPage(
        players=part_of("players", players_of(user), _player, query),
        claims=part_of("claims", claims_of(user).select_related("decided_by"), _claim, query),
        decide=part_of("decide", claims_to_decide(user).select_related("decided_by"), _claim, query),
        contest=part_of("contest", claims_to_contest(user).select_related("decided_by"), _claim, query),
    )


def asked_claims(user: User) -> tuple[ClaimShown, ...]:
    """Return the oldest claims that an account has to decide, or may contest."""
    return tuple(map(_claim, [*claims_to_decide(user)[:_FEW], *claims_to_contest(user)[:_FEW]]))


def claim_page(claim: Claim, user: User) -> ClaimPage:
    """Return one claim, as somebody sees it whom it concerns."""
    is_open = claim.state == Claim.State.OPEN
    return ClaimPage(
        claim=_claim(claim) if may_read_texts(claim, user) else replace(_claim(claim), reason="", answer=""),
        may_decide=is_open and may_decide(claim, user),
        needs_reason=claim.player.introduced_by_id != user.pk,
        shares=not is_moderator(user),
        may_withdraw=is_open and claim.account_id == user.pk,
        may_revoke=may_revoke(claim, user),
        may_contest=may_contest(claim, user),
        may_vouch=may_vouch(claim, user),
        waits_for=_waits_for(claim),
        approved_from=claim.approved_from,
        version=claim_version(claim),
        vouched_by=tuple(vouch.by.get_username() for vouch in claim.vouches.select_related("by") if vouch.by),
    )


def _waits_for(claim: Claim) -> str:
    if claim.approved_from:
        return "moderator" if claim.contested_at or has_rivals(claim) else "nobody"
    introduced_by = claim.player.introduced_by
    return "uploader" if introduced_by and may_decide(claim, introduced_by) else "moderator"


def claim_panel(player: Player, viewer: Viewer) -> ClaimPanel:
    """Return what a player's page offers its reader."""
    asked = open_claim(player, viewer)
    return ClaimPanel(
        player=_player(player),
        may_claim=may_claim(player, viewer),
        asked=_url(asked) if asked else None,
        mine=viewer.is_authenticated and player.account_id == viewer.pk,
    )


def _player(player: Player) -> PlayerShown:
    return PlayerShown(player.pk, player.name, player.source, player.get_absolute_url(), player.is_bot)


def _claim(claim: Claim) -> ClaimShown:
    return ClaimShown(
        number=claim.pk,
        url=_url(claim),
        player=_player(claim.player),
        by=claim.account.get_username(),
        reason=claim.reason,
        made_at=claim.made_at,
        state=CLAIMS[claim.state],
        is_open=claim.state == Claim.State.OPEN,
        decided_by=claim.decided_by.get_username() if claim.decided_by else "",
        decided_at=claim.decided_at,
        answer=claim.answer,
    )


def _url(claim: Claim) -> str:
    return reverse("claim", args=[claim.pk])
