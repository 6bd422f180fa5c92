"""Why a finished, public game may not count on the site's ladder."""

from datetime import datetime
from typing import Literal

from django.db.models import Min, Q, QuerySet

from games.models import Acceptance, Challenge, Game

SeatingReason = Literal["", "contested", "other-seating"]


def holding_challenges(game: int) -> "QuerySet[Challenge]":
    """Return the open challenges that hold a game back, by its number."""
    return Challenge.objects.filter(game=game, state=Challenge.State.OPEN, holds=True)


def lapsing_from(game: Game, *, now: datetime) -> datetime:
    """Return the moment up to which confirmations of a game have expired: none expires while a challenge holds it."""
    concerned = Q(game=game) | Q(rival=game)
    since = Challenge.objects.filter(concerned, state=Challenge.State.OPEN, holds=True).aggregate(at=Min("raised_at"))
    return min(since["at"] or now, now)


def seating_reason(game: Game) -> SeatingReason:
    """Return why a seating does not count: another one for the same moves is not settled yet, or applies."""
    if not game.upheld:
        return "other-seating"
    if holding_challenges(game.pk).exists():
        return "contested"
    # Until the annulment is carried out, the earlier seating continues to count.
    others = Acceptance.objects.filter(
        ladder__club=None, counts=True, game__digest=game.digest, game__upheld=False, game__private=False
    )
    return "contested" if others.exists() else ""
