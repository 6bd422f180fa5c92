"""What the pages of invitations show to the person who opens a link, and to the account that made it."""

from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.agn.dates import Days
from games.clubs.reads.clubs import clubs_visible_to
from games.consent.reads.given import seats_given
from games.invitations.answering import may_undo
from games.invitations.reads.invitations import State, games_for, invitations_of, names_of, state_of
from games.models import Claim, Game, Invitation, InvitedName
from games.records.reads.begun import played
from games.records.reads.visibility import Viewer
from games.web.boards import Drawn
from games.web.invitations.panel import LinkShown, link_shown
from games.web.invitations.qr import qr_code
from games.web.links import Link
from games.web.lists import Part, part_of
from games.web.rows import GameRow, rows_of

WRONG: dict[str, str | Promise] = {
    "places": _("The places are wrong"),
    "not-played": _("I did not play this game"),
    "other-seat": _("Somebody else sat in my seat"),
    "move": _("A move is not what we played"),
}
"""What can be wrong with a game."""
STATES: dict[State, str | Promise] = {
    "open": _("not answered yet"),
    "used": _("confirmed"),
    "taken": _("belongs to an account"),
    "expired": _("expired"),
    "revoked": _("revoked"),
    "gone": _("games no longer public"),
}


_FEW = 8
"""Invitations on the account's first page."""


@dataclass(frozen=True, slots=True)
class PlayerAnswer:
    """A player of these games, and whether they have confirmed them."""

    name: str
    confirmed: bool
    you: bool


@dataclass(frozen=True, slots=True)
class InvitedGame:
    """A game to confirm, and the invited player's place."""

    row: GameRow
    place: str | Promise


@dataclass(frozen=True, slots=True)
class Choice:
    """A name in an invitation for several."""

    number: int
    name: str
    state: State
    games: int


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """What a link opens."""

    by: str
    played: Days | datetime | None
    state: State
    name: str
    number: int
    """Of the name in the invitation; 0 while one is to be chosen."""
    names: tuple[Choice, ...]
    """To choose from, in an invitation for several."""
    games: tuple[InvitedGame, ...]
    all_games: int
    """Games of the name on the whole site."""
    others: tuple[PlayerAnswer, ...]
    missing: tuple[str, ...]
    """Who else has to confirm."""
    until: datetime
    used_at: datetime | None
    mine: bool
    """Whether the reader used it."""
    own: bool
    """Whether the reader made it."""
    decided: bool
    """Whether the name belongs to the account that used it."""
    club: Link | None
    """Where the games count, if the reader may see it."""
    may_undo: bool
    wrong: dict[str, str | Promise]


def invitation_page(invitation: Invitation, viewer: Viewer, *, chosen: int | None, now: datetime) -> InvitationPage:
    """Return what a link opens for a reader.

    :param chosen: which of several names, by its number in the invitation; 0 for none, None for the likely one.
    """
    names = names_of(invitation)
    for one in names:
        one.invitation = invitation
    name = _chosen(names, viewer, chosen, now)
    own = viewer.is_authenticated and invitation.by_id == viewer.pk
    games = games_for(invitation, name.player) if name else []
    others = _others(games, name, now)
    return InvitationPage(
        by=invitation.by.get_username(),
        played=next((when for when in map(played, games) if when), None),
        state=state_of(name, now=now) if name else _state_of_all(names, now),
        name=name.player.name if name else "",
        number=name.pk if name else 0,
        names=tuple(_choice(one, now) for one in names) if invitation.for_all else (),
        games=tuple(map(_game, rows_of(games), games, [name] * len(games))),
        all_games=name.player.seatings.filter(game__private=False, game__same_as=None).count() if name else 0,
        others=others,
        missing=tuple(one.name for one in others if not one.confirmed and not one.you),
        until=invitation.expires_at,
        used_at=name.used_at if name else None,
        mine=bool(name and viewer.is_authenticated and name.account_id == viewer.pk),
        own=own,
        decided=bool(name and name.account_id and name.player.rated_account_id == name.account_id),
        club=_club_of(invitation, viewer),
        may_undo=bool(name and viewer.is_authenticated and may_undo(name, viewer, now=now)),
        wrong=WRONG,
    )


def _club_of(invitation: Invitation, viewer: Viewer) -> Link | None:
    if invitation.upload is None or invitation.upload.club_id is None:
        return None
    club = clubs_visible_to(viewer).filter(pk=invitation.upload.club_id).first()
    return Link(club.name, reverse("club", args=[club.slug])) if club else None


def _chosen(names: list[InvitedName], viewer: Viewer, chosen: int | None, now: datetime) -> InvitedName | None:
    """Return the name that a reader answers for: the only one, the chosen one, the one they used before, or theirs."""
    if len(names) == 1 and not names[0].invitation.for_all:
        return names[0]
    used = (one for one in names if viewer.is_authenticated and one.account_id == viewer.pk)
    found = next((one for one in names if one.pk == chosen), None) or next(used, None)
    return found or (_likely(names, viewer, now) if chosen is None else None)


def _likely(names: list[InvitedName], viewer: Viewer, now: datetime) -> InvitedName | None:
    """Return the open name that is a reader's already, or is spelled as their account."""
    if not viewer.is_authenticated:
        return None
    account = viewer.get_username().casefold()
    open_names = [one for one in names if state_of(one, now=now) == "open" and one.invitation.by_id != viewer.pk]
    own = (one for one in open_names if one.player.rated_account_id == viewer.pk)
    return next(own, None) or next((one for one in open_names if one.player.name.casefold() == account), None)


def _state_of_all(names: list[InvitedName], now: datetime) -> State:
    states = [state_of(one, now=now) for one in names]
    return "open" if "open" in states or not states else states[0]


def _choice(name: InvitedName, now: datetime) -> Choice:
    games = len(games_for(name.invitation, name.player))
    return Choice(name.pk, name.player.name, state_of(name, now=now), games)


def _game(row: GameRow, game: Game, name: InvitedName | None) -> InvitedGame:
    sits = {seating.letter for seating in game.seatings.all() if name and seating.player_id == name.player_id}
    return InvitedGame(row, next((seat.place_word for seat in row.seats if seat.letter in sits), ""))


def _others(games: list[Game], name: InvitedName | None, now: datetime) -> tuple[PlayerAnswer, ...]:
    """Return who played, each with whether they have confirmed all these games."""
    seats = seats_given([game.pk for game in games], now=now)
    names = {seating.player_id: seating.player.name for game in games for seating in game.seatings.all()}
    return tuple(
        PlayerAnswer(names[player], all(given.values()), name is not None and player == name.player_id)
        for player, given in seats.items()
    )


@dataclass(frozen=True, slots=True)
class InvitedShown:
    """A name that was invited, for the account that invited it."""

    number: int
    name: str
    state: State
    said: str | Promise
    by: str
    """Whose account used it."""
    used_at: datetime | None
    waits: bool
    """Whether the claim is still to be decided."""
    declined: bool
    doubted: bool
    may_undo: bool


@dataclass(frozen=True, slots=True)
class MadePage:
    """An invitation, for the account that made it."""

    number: int
    names: tuple[InvitedShown, ...]
    link: LinkShown
    code: Drawn | None
    """The link as a QR code."""
    upload: str | None
    """The page of the upload."""
    games: int
    made_at: datetime
    for_all: bool


def made_page(invitation: Invitation, *, now: datetime) -> MadePage:
    """Return one invitation, for the account that made it."""
    names = names_of(invitation)
    for one in names:
        one.invitation = invitation
    link = link_shown(invitation, _state_of_all(names, now))
    return MadePage(
        number=invitation.pk,
        names=tuple(_invited(one, invitation, now) for one in names),
        link=link,
        code=qr_code(link.address) if link.address else None,
        upload=reverse("upload-result", args=[invitation.upload_id]) if invitation.upload_id else None,
        games=invitation.games.count(),
        made_at=invitation.made_at,
        for_all=invitation.for_all,
    )


def _invited(name: InvitedName, invitation: Invitation, now: datetime) -> InvitedShown:
    state = state_of(name, now=now)
    return InvitedShown(
        number=name.pk,
        name=name.player.name,
        state=state,
        said=STATES[state],
        by=name.account.get_username() if name.account else "",
        used_at=name.used_at,
        waits=bool(name.claim and name.claim.state == Claim.State.OPEN),
        declined=name.declined_at is not None and not name.used_at,
        doubted=name.doubted_at is not None,
        may_undo=may_undo(name, invitation.by, now=now),
    )


@dataclass(frozen=True, slots=True)
class MadeRow:
    """An invitation in the list of all."""

    url: str
    names: tuple[InvitedShown, ...]
    made_at: datetime
    until: datetime
    for_all: bool


def made_rows(account: Viewer, query: QueryDict, *, now: datetime) -> Part[MadeRow]:
    """Return some of an account's invitations, newest first."""
    return part_of("invitations", invitations_of(account), lambda one: _made_row(one, now), query)


def unanswered(account: Viewer, *, now: datetime) -> tuple[MadeRow, ...]:
    """Return the newest of an account's invitations for one name that can still be used."""
    there = invitations_of(account).filter(for_all=False, revoked_at=None, expires_at__gt=now)
    found = there.filter(names__isnull=False, names__used_at=None)
    return tuple(row for row in (_made_row(one, now) for one in found[:_FEW]) if row.names[0].state == "open")


def _made_row(invitation: Invitation, now: datetime) -> MadeRow:
    names = list(invitation.names.all())
    for one in names:
        one.invitation = invitation
    shown = tuple(_invited(one, invitation, now) for one in names)
    url = reverse("invitation-made", args=[invitation.pk])
    return MadeRow(url, shown, invitation.made_at, invitation.expires_at, invitation.for_all)
