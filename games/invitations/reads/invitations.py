"""Reading invitations: what they hold, what has become of them, and who may see them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Q, QuerySet

from games.invitations.reads.tokens import digest_of
from games.models import Acceptance, Claim, Game, Invitation, InvitedName, MoveLog, Player, Seating, Upload
from games.models.records import VerdictKind
from games.records.reads.games import with_seats
from games.records.reads.visibility import Viewer

MOST_NAMES = 24
"""Names for which an upload offers invitations: enough for a large evening, too few for an archive."""
MOST_SEATS = 200
"""Seats in its games: a hundred games of two, or fifty of four."""

State = Literal["open", "used", "taken", "expired", "revoked", "gone"]
"""Of a name in an invitation. Taken: it belongs to an account by other means. Gone: none of its games is public."""


@dataclass(frozen=True, slots=True)
class Named:
    """A player in the games of an upload."""

    player: Player
    games: int


def games_to_count(upload: Upload) -> "QuerySet[Game]":
    """Return the games of an upload that can be rated once their players confirm them."""
    logs = MoveLog.objects.filter(upload=upload.repeats_id or upload.pk, game__isnull=False)
    return Game.objects.filter(_COUNTABLE, pk__in=logs.values("game"))


_COUNTABLE = Q(verdict=VerdictKind.VERIFIED, scored=True, private=False, same_as=None, ruleset__gt="")


def names_in(games: "QuerySet[Game]") -> list[Named]:
    """Return who played in some games, in the order of their seats; nobody if there are too many."""
    seatings = Seating.objects.filter(game__in=games.values("pk")).select_related("player__merged_into")
    found: dict[int, Named] = {}
    rows = list(seatings.order_by("game", "seat")[: MOST_SEATS + 1])
    if len(rows) > MOST_SEATS:
        return []
    for seating in rows:
        before = found.get(seating.player_id, Named(seating.player, 0))
        found[seating.player_id] = Named(seating.player, before.games + 1)
    return list(found.values()) if len(found) <= MOST_NAMES else []


def find_invitation(token: str) -> Invitation:
    """Find an invitation by the token in its link. :raises Invitation.DoesNotExist: when there is none."""
    return Invitation.objects.select_related("by").get(digest=digest_of(token))


def invitations_of(account: Viewer) -> "QuerySet[Invitation]":
    """Return an account's invitations, newest first."""
    found = Invitation.objects.filter(by=account.pk).order_by("-made_at", "-pk")
    return found.select_related("by", "upload").prefetch_related("names__player__merged_into", "names__account")


def invitations_to(upload: Upload, account: Viewer) -> list[Invitation]:
    """Return an account's invitations to the games of an upload, oldest first; not those that were revoked."""
    found = invitations_of(account).filter(upload=upload.repeats_id or upload.pk, revoked_at=None)
    return list(found.order_by("pk"))


def names_of(invitation: Invitation) -> list[InvitedName]:
    """Return the names in an invitation, in the order in which they were given."""
    return list(invitation.names.select_related("player__merged_into", "account", "claim").order_by("pk"))


def games_for(invitation: Invitation, player: Player) -> list[Game]:
    """Return the games of an invitation in which a player sits and that can still be confirmed, oldest first.

    Games that have become private since are not among them.
    """
    games = invitation.games.filter(_COUNTABLE, seatings__player=player)
    return list(with_seats(games).order_by("pk"))


def state_of(name: InvitedName, *, now: datetime) -> State:
    """Return what has become of a name in an invitation."""
    invitation = name.invitation
    if name.used_at:
        return "used"
    if invitation.revoked_at:
        return "revoked"
    if invitation.expires_at <= now:
        return "expired"
    if name.player.rated_account_id is not None or name.player.is_pseudonym:
        return "taken"
    return "open" if invitation.games.filter(_COUNTABLE, seatings__player=name.player).exists() else "gone"


def rated_for(account: int, player: Player) -> bool:
    """Return whether games that an account confirmed as a player are rated on the site's ladders, or were."""
    theirs = Q(game__seatings__player=player) & Q(game__confirmations__account=account)
    return Acceptance.objects.filter(theirs, ladder__club=None, number__isnull=False).exists()


def claims_among(players: Iterable[int], account: Viewer) -> dict[int, Claim]:
    """Return an account's claims to some players that are open or approved, by player."""
    states = (Claim.State.OPEN, Claim.State.APPROVED)
    found = Claim.objects.filter(player__in=list(players), account=account.pk, state__in=states)
    return {claim.player_id: claim for claim in found}
