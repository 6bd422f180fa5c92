"""Reading whom an account follows, and what they played last."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import BigIntegerField, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Follow, Player, RatingEvent, Standing
from games.ratings.reads.ledger import holding
from games.records.reads.visibility import Viewer, players_for

MOST = 500
"""Players whom an account can follow."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A player who is followed, and the newest game that counts for the site's ladders."""

    player: Player
    follow: Follow
    newest: RatingEvent | None


def follows_to(player: Player, account: Viewer) -> "QuerySet[Follow]":
    """Return the rows by which an account follows a player, or a name merged with that player."""
    return Follow.objects.filter(Q(player=player.rated_id) | Q(player__merged_into=player.rated_id), account=account.pk)


def is_following(player: Player, viewer: Viewer) -> bool:
    """Return whether somebody follows a player."""
    return viewer.is_authenticated and follows_to(player, viewer).exists()


def follows_of(account: Viewer) -> "QuerySet[Follow]":
    """Return whom an account follows, each player once, as far as it may know of them."""
    follows = Follow.objects.filter(account=account.pk).annotate(
        whole=Coalesce("player__merged_into", "player", output_field=BigIntegerField())
    )
    earlier = follows.filter(pk__lt=OuterRef("pk"), whole=OuterRef("whole"))
    known = Player.objects.filter(players_for(account), pk=OuterRef("whole"))
    return follows.filter(~Exists(earlier), Exists(known))


def latest_first(account: Viewer) -> "QuerySet[Follow]":
    """Return whom an account follows: first those whose newest game counted last, then those followed last."""
    lines = Standing.objects.filter(player=OuterRef("whole"), ladder__club=None).order_by("-last_number")
    follows = follows_of(account).annotate(number=Subquery(lines.values("last_number")[:1]))
    return follows.order_by(F("number").desc(nulls_last=True), "-since", "-pk")


def with_newest(found: Iterable[Follow]) -> list[Followed]:
    """Return followed players with their newest games, in as many statements for many as for few."""
    follows = list(found)
    players = Player.objects.in_bulk([follow.player_id for follow in follows])
    merged = Player.objects.in_bulk([one.merged_into_id for one in players.values() if one.merged_into_id])
    wholes = {
        follow.pk: merged.get(players[follow.player_id].rated_id, players[follow.player_id]) for follow in follows
    }
    newest = _newest([player.pk for player in wholes.values()])
    return [Followed(wholes[follow.pk], follow, newest.get(wholes[follow.pk].pk)) for follow in follows]


def _newest(players: Sequence[int]) -> dict[int, RatingEvent]:
    """Return the newest entry of each of some players that counts."""
    lines = Standing.objects.filter(player__in=players, ladder__club=None).order_by("player", "-last_number")
    numbers = lines.distinct("player").values_list("last_number", flat=True)
    events = RatingEvent.objects.filter(holding(), number__in=list(numbers), player__in=players, counts=True)
    return {
        event.player_id: event for event in events.select_related("game", "ladder", "acceptance").order_by("number")
    }
