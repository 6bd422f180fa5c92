"""Acceptance: which games count, and their place in the one order in which they are rated."""

from datetime import datetime

from django.db import connection, transaction
from django.db.models import Max

from games.models import Game
from games.services.standings import rate_game

_ORDER_LOCK = 0x61747461
"""Names the lock under which places in the order are given, one at a time."""


def counts(game: Game) -> bool:
    """Whether a game counts for the ladders: every finished, verified one. The one place where this is decided."""
    return game.verdict == "verified"


@transaction.atomic
def accept_if_due(game: Game, *, now: datetime) -> None:
    """Gives a game that counts the next place in the order and rates it, unless that was done before."""
    if not counts(game):
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ORDER_LOCK])
    if Game.objects.filter(pk=game.pk, acceptance__isnull=False).exists():
        return
    latest = Game.objects.aggregate(latest=Max("acceptance"))["latest"] or 0
    game.acceptance, game.accepted_at = latest + 1, now
    game.save(update_fields=["acceptance", "accepted_at"])
    rate_game(game)
