"""Reading what moderators are asked to look at, and what they did."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from games.models import Act, Claim, Club, Correction, Dispute, Flag, Player
from games.platform.paging import Page, Span, newest_first

LISTED = 100
"""Matters in a list of what is over: the newest."""


def open_disputes() -> "QuerySet[Dispute]":
    """Return the open disputes."""
    disputes = Dispute.objects.filter(state=Dispute.State.OPEN).select_related("game", "account")
    return disputes.order_by("raised_at", "pk")


def open_claims() -> "QuerySet[Claim]":
    """Return the open claims."""
    claims = Claim.objects.filter(state=Claim.State.OPEN).select_related("player__introduced_by", "account")
    return claims.order_by("made_at", "pk")


def open_flags() -> "QuerySet[Flag]":
    """Return the open flags."""
    return (
        Flag.objects.filter(settled_at=None)
        .select_related("game", "player", "ladder__club")
        .order_by("raised_at", "pk")
    )


def _corrections() -> "QuerySet[Correction]":
    return Correction.objects.select_related("acceptance__game", "acceptance__ladder", "player", "into", "by")


def open_corrections() -> "QuerySet[Correction]":
    """Return the corrections that were ordered and are not done yet."""
    return _corrections().filter(order=None).order_by("pk")


def corrections_of_game(game: int) -> list[Correction]:
    """Return the annulments and restorations of a game, newest first."""
    return list(_corrections().filter(acceptance__game=game).order_by("-pk")[:LISTED])


def corrections_of_player(player: int) -> list[Correction]:
    """Return the merges and splits of a player and of players merged into them, newest first."""
    concerns = Q(player=player) | Q(into=player)
    return list(_corrections().filter(concerns).order_by("-pk")[:LISTED])


def claims_to(player: Player) -> "QuerySet[Claim]":
    """Return the claims to a name, newest first."""
    claims = Claim.objects.filter(player=player).select_related("player__introduced_by", "account")
    return claims.order_by("-made_at", "-pk")[:LISTED]


def flags_on_player(player: int) -> list[Flag]:
    """Return the flags on a player, newest first."""
    return list(Flag.objects.filter(player=player).select_related("game", "player").order_by("-pk")[:LISTED])


def acts(span: Span) -> Page[Act]:
    """Return a page of decisions, newest first. :raises CursorError: when the span's mark is none."""
    return newest_first(_acts(), "at", span)


@dataclass(frozen=True, slots=True)
class Named:
    """Whom acts name by numbers, as far as they are still there."""

    players: dict[int, Player]
    clubs: dict[int, Club]
    accounts: dict[int, str]


def named_in(acts: Iterable[Act]) -> Named:
    """Return the players that acts name besides their own."""
    all_params = [act.params for act in acts]
    accounts = User.objects.filter(pk__in=_numbers(all_params, "organiser", "account")).values_list("pk", "username")
    return Named(
        players=Player.objects.in_bulk(_numbers(all_params, "into", "from")),
        clubs=Club.objects.in_bulk(_numbers(all_params, "club")),
        accounts=dict(accounts),
    )


def _numbers(all_params: list[dict[str, Any]], *names: str) -> set[int]:
    return {params[name] for params in all_params for name in names if params.get(name)}


def acts_on_game(game: int) -> list[Act]:
    """Return the decisions about a game, newest first."""
    return list(_acts().filter(game=game).order_by("-at", "-pk")[:LISTED])


def acts_on_player(player: int) -> list[Act]:
    """Return the decisions about a player and players merged into them, newest first."""
    concerns = Q(player=player) | Q(player__merged_into=player)
    return list(_acts().filter(concerns).order_by("-at", "-pk")[:LISTED])


def _acts() -> "QuerySet[Act]":
    return Act.objects.select_related("by", "game", "player")
