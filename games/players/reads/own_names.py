"""Reading whether an account is involved with a name, and whether a claim can be approved automatically.

Only public games matter here, and the claimant's own: an answer that depended on others' private games would reveal
them.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Claim, Game, MoveLog, Player, Seating

_CLAIMED = (Claim.State.OPEN, Claim.State.APPROVED)


def claimed_by(account: int) -> "QuerySet[Player]":
    """Return the names that an account claims or once claimed, and names merged with them."""
    own = Claim.objects.filter(account=account).values("player")
    whole = Player.objects.filter(pk__in=own).values(whole=Coalesce("merged_into", "pk"))
    return Player.objects.filter(Q(pk__in=whole) | Q(merged_into__in=whole))


def _claims_to(player: Player) -> "QuerySet[Claim]":
    whole = player.rated_id
    return Claim.objects.filter(Q(player=whole) | Q(player__merged_into=whole))


def has_rivals(claim: Claim) -> bool:
    """Return whether another account claims the name, or was refused it by an account that claims it, or once did.

    An account's own decisions about its rivals have no effect here.
    """
    claims = _claims_to(claim.player)
    others = claims.exclude(account=claim.account_id)
    refused = Q(state=Claim.State.REFUSED, decided_by__in=claims.values("account"))
    return others.filter(Q(state=Claim.State.OPEN) | refused).exists()


def claim_version(claim: Claim) -> str:
    """Return a text that changes when a claim is contested, or when others claim the name or no longer do."""
    return claim_versions([claim])[claim.pk]


def claim_versions(claims: Sequence[Claim]) -> dict[int, str]:
    """Return the same for many claims, by number, in one statement; their players are read already."""
    names = {claim.player.rated_id for claim in claims}
    either = Q(player__in=names) | Q(player__merged_into__in=names)
    open_ = Claim.objects.filter(either, state=Claim.State.OPEN).order_by("pk")
    to = defaultdict[int, list[tuple[int, int]]](list)
    for name, pk, account in open_.values_list(Coalesce("player__merged_into", "player"), "pk", "account"):
        to[name].append((pk, account))
    return {
        claim.pk: _version(claim, [pk for pk, account in to[claim.player.rated_id] if account != claim.account_id])
        for claim in claims
    }


def _version(claim: Claim, rivals: list[int]) -> str:
    contested = f"{claim.contested_at.timestamp():.6f}" if claim.contested_at else ""
    return sha256(f"{contested} {rivals}".encode()).hexdigest()[:16]


def is_only_theirs(player: Player, account: int) -> bool:
    """Return whether an account introduced a name, and uploaded every public game with it before anybody else."""
    if player.introduced_by_id != account:
        return False
    first = MoveLog.objects.filter(game=OuterRef("pk")).order_by("pk").values("upload__uploader")[:1]
    games = Game.objects.filter(pk__in=_tables(player), private=False).annotate(first=Subquery(first))
    return not games.filter(~Q(first=account) | Q(first=None)).exists()


def has_another(player: Player, account: int, states: Iterable[Claim.State] = _CLAIMED) -> bool:
    """Say whether an account has another name beside this one, or got, or will get, one of the same source by itself.

    Nobody has two names at a table, and an uploader is one person: only the first name is theirs without a decision.

    :param states: of the claims that matter.
    """
    others = Claim.objects.filter(account=account, state__in=states).exclude(player=player)
    if others.filter(approved_from__isnull=False, player__source=player.source).exists():
        return True
    own = Q(game__in=MoveLog.objects.filter(upload__uploader=account).values("game"))
    seats = Seating.objects.filter(Q(game__private=False) | own, game__in=_tables(player))
    theirs = Q(player__account=account) | Q(player__merged_into__account=account)
    claimed = others.values("player")
    beside = seats.exclude(Q(player=player) | Q(player__merged_into=player))
    return beside.filter(theirs | Q(player__in=claimed) | Q(player__merged_into__in=claimed)).exists()


def _tables(player: Player) -> "QuerySet[Seating, int]":
    """Return the games at which a name, or one merged with it, sat."""
    return Seating.objects.filter(Q(player=player) | Q(player__merged_into=player)).values("game")  # type: ignore[return-value]
