"""Reading claims: what an account has asked for, and what is for it to decide."""

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from games.models import Claim, Player
from games.selectors.roles import is_moderator
from games.selectors.visibility import Viewer


def players_of(user: User) -> "QuerySet[Player]":
    """Players who are an account's own, by name."""
    return Player.objects.filter(account=user).select_related("merged_into").order_by("name", "source", "pk")


def claims_of(user: User) -> "QuerySet[Claim]":
    """What an account has claimed, newest first."""
    return Claim.objects.filter(account=user).select_related("player").order_by("-made_at", "-pk")


def claims_to_decide(user: User) -> "QuerySet[Claim]":
    """Open claims to names that an account's uploads introduced, but for its own; the oldest first."""
    claims = Claim.objects.filter(state=Claim.State.OPEN, player__introduced_by=user).exclude(account=user)
    return claims.select_related("player", "account").order_by("made_at", "pk")


def find_claim(pk: int, user: User) -> Claim:
    """Find a claim.

    :raises Claim.DoesNotExist: when none has the number whom it concerns: claimant, who may decide, and moderators.
    """
    claims = Claim.objects.select_related("player__introduced_by", "account", "decided_by")
    if not is_moderator(user):
        claims = claims.filter(Q(account=user) | Q(player__introduced_by=user))
    return claims.get(pk=pk)


def open_claim(player: Player, viewer: Viewer) -> Claim | None:
    """The claim by which somebody has asked for a player, as long as nobody has decided."""
    if not viewer.is_authenticated:
        return None
    return Claim.objects.filter(player=player, account=viewer.pk, state=Claim.State.OPEN).first()


def may_claim(player: Player, viewer: Viewer) -> bool:
    """Whether somebody may say that a player is he: a name that is nobody's, and not merged with another."""
    nobodys = player.account_id is None and player.merged_into_id is None and not player.is_pseudonym
    return viewer.is_authenticated and nobodys and open_claim(player, viewer) is None
