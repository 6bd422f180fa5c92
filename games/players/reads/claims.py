"""Reading claims: an account's own, and those it can decide."""

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from games.holds.reads.vouching import behind
from games.models import Claim, Player
from games.platform.roles import is_moderator
from games.players.reads.own_names import claimed_by
from games.players.reads.players import is_public
from games.records.reads.tables import players_beside
from games.records.reads.visibility import Viewer

_CONTESTABLE = Q(state=Claim.State.OPEN, approved_from__isnull=False, contested_at=None)
"""Claims that are approved by themselves unless somebody contests them."""


def players_of(user: User) -> "QuerySet[Player]":
    """Return an account's players, by name."""
    return Player.objects.filter(account=user).select_related("merged_into").order_by("name", "source", "pk")


def claims_of(user: User) -> "QuerySet[Claim]":
    """Return an account's claims, newest first."""
    return Claim.objects.filter(account=user).select_related("player").order_by("-made_at", "-pk")


def claims_to_decide(user: User) -> "QuerySet[Claim]":
    """Open claims to names that an account first uploaded, except its own; oldest first.

    Those that it must leave to a moderator are not among them: to names that it claims, or did, and of accounts on
    which it depends.
    """
    claims = Claim.objects.filter(state=Claim.State.OPEN, player__introduced_by=user).exclude(
        account__in=behind(user.pk)
    )
    return claims.exclude(player__in=claimed_by(user.pk)).select_related("player", "account").order_by("made_at", "pk")


def claims_to_contest(user: User) -> "QuerySet[Claim]":
    """Return claims that will be approved unless somebody at the same tables contests them, oldest first."""
    claims = Claim.objects.filter(_CONTESTABLE, player__in=players_beside(user.pk)).exclude(account=user)
    return claims.select_related("player", "account").order_by("made_at", "pk")


def find_claim(pk: int, user: User) -> Claim:
    """Find a claim.

    :raises Claim.DoesNotExist: when no claim of this number concerns the viewer: the claimant, those who may decide,
    contest or vouch, and moderators. Of claims to names beside theirs, others see what they can contest or vouch for,
    and what they have contested.
    """
    claims = Claim.objects.select_related("player__introduced_by", "account", "decided_by")
    if not is_moderator(user):
        shown = _CONTESTABLE | Q(state=Claim.State.APPROVED)
        claims = claims.filter(
            Q(account=user)
            | Q(player__introduced_by=user)
            | Q(contested_by=user)
            | Q(player__in=players_beside(user.pk)) & shown
        )
    return claims.get(pk=pk)


def may_read_texts(claim: Claim, reader: Viewer) -> bool:
    """Return whether a reader may see a claim's texts: its maker, those who decide or decided, and moderators."""
    concerned = {claim.account_id, claim.player.introduced_by_id, claim.decided_by_id}
    return reader.is_authenticated and (reader.pk in concerned or is_moderator(reader))


def open_claim(player: Player, viewer: Viewer) -> Claim | None:
    """Return the open claim of an account to a player."""
    if not viewer.is_authenticated:
        return None
    return Claim.objects.filter(player=player, account=viewer.pk, state=Claim.State.OPEN).first()


def may_claim(player: Player, viewer: Viewer) -> bool:
    """Return whether a player can be claimed: a public name without an account, not merged with another."""
    nobodys = player.account_id is None and player.merged_into_id is None and not player.is_pseudonym
    return viewer.is_authenticated and nobodys and open_claim(player, viewer) is None and is_public(player)
