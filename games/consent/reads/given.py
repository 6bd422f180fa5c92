"""Reading which seats of many games are confirmed, in two questions."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q

from games.models import Acceptance, Confirmation, Seating


def seats_given(games: Iterable[int], *, now: datetime) -> dict[int, dict[int, bool]]:
    """Return, for each player in some games, by game whether the seat is confirmed by the player's account."""
    games = list(games)
    seatings = Seating.objects.filter(game__in=games).select_related("player__merged_into").order_by("game", "seat")
    given = set(_standing(games, now))
    found: dict[int, dict[int, bool]] = {}
    for seating in seatings:
        confirmed = (seating.game_id, seating.seat, seating.player.rated_account_id) in given
        found.setdefault(seating.player_id, {})[seating.game_id] = confirmed
    return found


def _standing(games: list[int], now: datetime) -> Iterable[tuple[int, int, int | None]]:
    """Return game, seat and account of the confirmations that hold; once a game is due, none of them expires."""
    due = Acceptance.objects.filter(game=OuterRef("game"), ladder__club=None)
    words = Confirmation.objects.filter(
        Q(until__gt=now) | Exists(due), game__in=games, withdrawn_at=None, account__isnull=False,
        digest=F("game__digest"), ruleset=F("game__ruleset"),
    )  # fmt: skip
    return words.values_list("game", "seat", "account")
