"""Reading how much waits for an account, and in which games it is involved itself."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from games.clubs.reads.clubs import clubs_to_review
from games.consent.reads.challenges import asked_to_settle, games_contested, open_challenges
from games.consent.reads.eligibility import players_of, waiting_for
from games.holds.reads.holds import open_holds_for
from games.models import Game, MoveLog, Seating
from games.moderation.reads.cases import open_claims, open_disputes, open_flags
from games.moderation.reads.reported import reported_collections, reported_comments, reported_studies
from games.platform.roles import is_moderator
from games.players.reads.claims import claims_to_contest, claims_to_decide
from games.records.reads.visibility import Viewer


@dataclass(frozen=True, slots=True)
class Pending:
    """How many things of each kind wait for an account."""

    confirmations: int
    """Games that lack its confirmation."""
    seatings: int
    """Games for which it can choose who played."""
    claims: int
    """Claims that it can decide because it uploaded the names first."""
    contests: int
    """Claims that will be approved unless it, or another account, contests them."""
    holds: int
    """Games that wait for it as an organiser."""
    moderation: int | None
    """Cases that the account can decide as a moderator; none for other accounts."""


def pending_for(user: User, *, now: datetime) -> Pending:
    """Return what waits for an account."""
    return Pending(
        confirmations=waiting_for(user.pk, now=now).count(),
        seatings=asked_to_settle(user.pk).count(),
        claims=claims_to_decide(user).count(),
        contests=claims_to_contest(user).count(),
        holds=open_holds_for(user.pk).count(),
        moderation=_cases(user) if is_moderator(user) else None,
    )


def _cases(user: User) -> int:
    return sum(found.count() for found in cases_for(user).values())


def cases_for(moderator: Viewer) -> "dict[str, QuerySet[Any]]":
    """Return all that waits for a moderator, by kind."""
    return {
        "disputes": open_disputes(),
        "claims": open_claims(),
        "seatings": games_contested(),
        "flags": open_flags(),
        "clubs": clubs_to_review(moderator),
        "studies": reported_studies(moderator),
        "comments": reported_comments(moderator),
        "collections": reported_collections(moderator),
    }


def disputed_seatings(*games: Game) -> list[int]:
    """Return the ids of the games between which a moderator chooses: some games, and those that challenge them."""
    rivals = [rival for game in games for rival in open_challenges(game).values_list("rival", flat=True)]
    return [*(game.pk for game in games), *rivals]


def has_uploaded(account: int, games: Iterable[Game | int]) -> bool:
    """Return whether an account has uploaded one of some games."""
    return MoveLog.objects.filter(game__in=games, upload__uploader=account).exists()


def games_naming(account: int, games: Iterable[int]) -> "QuerySet[Game]":
    """Return those of some games in which an account's players sit."""
    return Game.objects.filter(
        pk__in=Seating.objects.filter(game__in=games, player__in=players_of(account)).values("game")
    )
