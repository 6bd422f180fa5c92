"""Reading the games at which an account and a player sat together, and who finished ahead."""

from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, FilteredRelation, Q, QuerySet

from games.models import Game, Player
from games.models.records import VerdictKind
from games.records.reads.games import with_seats
from games.records.reads.visibility import Viewer, games_for


class Meeting(NamedTuple):
    """A game of an account and a player, and their places."""

    game: Game
    own: int
    other: int


@dataclass(frozen=True, slots=True)
class Together:
    """How often an account finished before a player, level with them and behind them, and their newest games."""

    own: tuple[Player, ...]
    """The account's players, without those that were merged into another."""
    ahead: int
    level: int
    behind: int
    newest: tuple[Meeting, ...]

    @property
    def games(self) -> int:
        """Return how many games there were."""
        return self.ahead + self.level + self.behind


def together(player: Player, viewer: Viewer, *, newest: int) -> Together | None:
    """Return the verified games that a viewer may see and at which they sat with a player; nothing of their own player.

    :param newest: how many of the newest games are wanted.
    """
    if isinstance(viewer, AnonymousUser) or player.rated_account_id == viewer.pk:
        return None
    own = list(Player.objects.filter(Q(account=viewer.pk) | Q(merged_into__account=viewer.pk)).order_by("name", "pk"))
    if not own:
        return None
    games = _games(own, player, viewer)
    counts = games.aggregate(
        ahead=Count("pk", filter=Q(mine__place__lt=F("theirs__place"))),
        level=Count("pk", filter=Q(mine__place=F("theirs__place"))),
        behind=Count("pk", filter=Q(mine__place__gt=F("theirs__place"))),
    )
    placed = games.annotate(own=F("mine__place"), other=F("theirs__place"))
    rows = with_seats(placed).order_by("-received_at", "-pk")[:newest]
    meetings = tuple(Meeting(game, game.own, game.other) for game in rows)  # type: ignore[attr-defined]
    kept = tuple(one for one in own if one.merged_into_id is None)
    return Together(kept, **counts, newest=meetings) if meetings else None


def _games(own: list[Player], player: Player, viewer: Viewer) -> "QuerySet[Game]":
    """Return the games with a seat of each: `mine` and `theirs`."""
    names = Player.objects.filter(Q(pk=player.rated_id) | Q(merged_into=player.rated_id)).values_list("pk", flat=True)
    seats = {"mine": [one.pk for one in own], "theirs": list(names)}
    joined = {
        name: FilteredRelation("seatings", condition=Q(seatings__player__in=players)) for name, players in seats.items()
    }
    shown = Game.objects.filter(games_for(viewer), verdict=VerdictKind.VERIFIED, same_as=None)
    return shown.annotate(**joined).filter(Q(mine__place__isnull=False) & Q(theirs__place__isnull=False))
