"""The panel "Make it count" on the result page of an upload: who is who, and the links for the others."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet, prefetch_related_objects
from django.urls import reverse

from games.consent.reads.given import seats_given
from games.invitations.reads.invitations import (
    Named,
    State,
    claims_among,
    games_to_count,
    invitations_to,
    names_in,
    state_of,
)
from games.invitations.reads.tokens import token_of
from games.models import Claim, Game, Invitation, InvitedName, Player, Upload
from games.records.reads.visibility import Viewer
from games.web.rows import SeatShown, seats_of

_COUNTED = 100
"""Games for which confirmations are counted."""


@dataclass(frozen=True, slots=True)
class LinkShown:
    """An invitation's link, and the page where it is shown as a QR code, sent by mail, or revoked."""

    address: str | None
    """Empty if it cannot be shown again."""
    page: str
    state: State
    until: datetime


@dataclass(frozen=True, slots=True)
class NameShown:
    """A player of these games, and the state of the name."""

    number: int
    name: str
    url: str
    games: int
    seat: SeatShown | None
    """The seat, if the upload is one game."""
    mine: bool
    preselected: bool
    claimed: bool
    confirmed: bool
    """Whether the player has confirmed all these games."""
    waits_until: datetime | None
    """When the reader's claim to the name is approved by itself."""
    link: LinkShown | None


@dataclass(frozen=True, slots=True)
class MakeItCount:
    """Everything in the panel."""

    upload: str
    """The upload's id."""
    choosing: bool
    """Whether the reader is asked who they are."""
    may_invite: bool
    signed_in: bool
    names: tuple[NameShown, ...]
    games: int
    given: int
    wanted: int
    """Confirmations: given, and needed; of the first games of a large upload."""
    group: LinkShown | None
    """The one link for everybody."""

    @property
    def complete(self) -> bool:
        """Return whether everybody has confirmed."""
        return self.given == self.wanted

    @property
    def meter(self) -> tuple[bool, ...]:
        """Return the confirmations as the pieces of a bar; nothing where there are many."""
        return (True,) * self.given + (False,) * (self.wanted - self.given) if self.wanted <= 12 else ()  # noqa: PLR2004


def make_it_count(upload: Upload, viewer: Viewer, *, now: datetime, change: bool = False) -> MakeItCount | None:
    """Return the panel for an upload's result page; nothing if its games cannot be rated, or name too many people.

    :param change: whether the uploader wants to say again which name is theirs.
    """
    games = games_to_count(upload)
    named = _named(upload, games)
    if not named:
        return None
    uploads = viewer.is_authenticated and upload.uploader_id == viewer.pk
    claims = claims_among([one.player.pk for one in named], viewer) if viewer.is_authenticated else {}
    invitations = invitations_to(upload, viewer) if uploads else []
    shown = list(games.order_by("pk")[:_COUNTED])
    answers = _answers(shown, now)
    said = _is_said(named, invitations, claims)
    seats = _seats(shown)
    links = {one.names.all()[0].player_id: one for one in invitations if not one.for_all and one.names.all()}

    def name(one: Named) -> NameShown:
        number = one.player.pk
        seat, answered = seats.get(one.player.name), answers.get(number, (0, 1))
        return _name(one, viewer, seat, claims.get(number), _link_of(links.get(number), now), answered)

    group = next((one for one in invitations if one.for_all), None)
    return MakeItCount(
        upload=str(upload.pk),
        choosing=uploads and (change or not said),
        may_invite=uploads,
        signed_in=viewer.is_authenticated,
        names=tuple(map(name, named)),
        games=len(shown),
        given=sum(given for given, _ in answers.values()),
        wanted=sum(wanted for _, wanted in answers.values()),
        group=_group(group, now),
    )


def asks_who(upload: Upload, uploader: Viewer) -> bool:
    """Return whether the panel for an upload asks its uploader which name is theirs."""
    named = _named(upload, games_to_count(upload))
    claims = claims_among([one.player.pk for one in named], uploader)
    return not _is_said(named, invitations_to(upload, uploader), claims)


def _named(upload: Upload, games: "QuerySet[Game]") -> list[Named]:
    """Return who is named in the games of an upload; nobody if they cannot be rated."""
    return [] if upload.dry_run or not upload.scored or upload.private else names_in(games)


def _is_said(named: list[Named], invitations: list[Invitation], claims: dict[int, Claim]) -> bool:
    return bool(invitations or claims) or all(one.player.rated_account_id for one in named)


def _seats(games: list[Game]) -> dict[str, SeatShown]:
    """Return the seats by name, if there is only one game."""
    prefetch_related_objects(games[:1], "seatings__player")
    return {seat.name: seat for seat in seats_of(games[0])} if len(games) == 1 else {}


def _answers(games: list[Game], now: datetime) -> dict[int, tuple[int, int]]:
    """Return, for each player, how many seats of some games are confirmed, and how many there are."""
    seats = seats_given([game.pk for game in games], now=now)
    return {player: (sum(given.values()), len(given)) for player, given in seats.items()}


def _name(
    one: Named,
    viewer: Viewer,
    seat: SeatShown | None,
    claim: Claim | None,
    link: LinkShown | None,
    answered: tuple[int, int],
) -> NameShown:
    player, account = one.player, one.player.rated_account_id
    return NameShown(
        number=player.pk,
        name=player.name,
        url=player.get_absolute_url(),
        games=one.games,
        seat=seat,
        mine=viewer.is_authenticated and (account == viewer.pk or claim is not None),
        preselected=_is_called(player, viewer),
        claimed=account is not None,
        confirmed=answered[0] == answered[1],
        waits_until=claim.approved_from if claim and claim.state == Claim.State.OPEN else None,
        link=link if account is None else None,
    )


def _is_called(player: Player, viewer: Viewer) -> bool:
    """Return whether a name is the reader's own, or the same as the account's."""
    if not viewer.is_authenticated:
        return False
    return player.rated_account_id == viewer.pk or player.name.casefold() == viewer.get_username().casefold()


def _link_of(invitation: Invitation | None, now: datetime) -> LinkShown | None:
    if invitation is None:
        return None
    name: InvitedName = invitation.names.all()[0]
    name.invitation = invitation
    return link_shown(invitation, state_of(name, now=now))


def _group(invitation: Invitation | None, now: datetime) -> LinkShown | None:
    """Return the link for everybody, as long as somebody can use it."""
    if invitation is None:
        return None
    open_names = [one for one in invitation.names.all() if not one.used_at and one.player.rated_account_id is None]
    if not open_names:
        return None
    return link_shown(invitation, "expired" if invitation.expires_at <= now else "open")


def link_shown(invitation: Invitation, state: State) -> LinkShown:
    """Return an invitation's link and what has become of it."""
    token = token_of(invitation.nonce, invitation.digest) if state == "open" else None
    address = f"{settings.SITE_URL}{reverse('invitation', args=[token])}" if token else None
    return LinkShown(address, reverse("invitation-made", args=[invitation.pk]), state, invitation.expires_at)
