"""Recounts: games annulled or restored, players merged or parted, and the ladders folded again from there.

An act is written down first and done later, by a worker: a long ladder takes a while. Until then all stays as it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Max, Min, Q

from engine.fold import Change, Changed, Refold
from engine.rating import Rating
from games.models import Acceptance, Player, Recount, Seating
from games.selectors.ledger import rated_games, rating_before
from games.services.ledger import Entered, enter
from games.services.order import latest_moment, lock_order
from games.services.standings import Line, update_standings

_CHUNK = 2000
"""Games written at once."""
Kind = Recount.Kind


@dataclass(slots=True)
class Folded:
    """What a change makes of a ladder."""

    ladder: int
    changed: list[Changed]
    ratings: dict[Line, Rating] = field(default_factory=dict)
    """Of everybody whose last rating is another now."""


@dataclass(frozen=True, slots=True)
class Order:
    """Who orders a recount, when and why."""

    by: AbstractBaseUser | None
    reason: str
    at: datetime


def order_annulment(acceptance: Acceptance, order: Order) -> Recount:
    """Has a game that counts count no longer."""
    return _ordered(order, kind=Kind.ANNULMENT, acceptance=acceptance)


def order_restoration(acceptance: Acceptance, order: Order) -> Recount:
    """Has an annulled game count again."""
    return _ordered(order, kind=Kind.RESTORATION, acceptance=acceptance)


def order_merge(player: Player, into: Player, order: Order) -> Recount:
    """Has a player's games count as another's. :raises ValueError: when they are one already."""
    if player.rated_id == into.rated_id:
        raise ValueError(f"{player} and {into} are one player already")
    return _ordered(order, kind=Kind.MERGE, player=player, into_id=into.rated_id)


def order_parting(player: Player, order: Order) -> Recount:
    """Has a merged player's games count as his own again. :raises ValueError: when he is not merged."""
    if player.merged_into_id is None:
        raise ValueError(f"{player} is not merged")
    return _ordered(order, kind=Kind.PARTING, player=player, into_id=player.pk)


def _ordered(order: Order, **what: Any) -> Recount:  # noqa: ANN401 (the recount's own fields)
    return Recount.objects.create(
        by_id=order.by.pk if order.by else None, reason=order.reason, ordered_at=order.at, **what
    )


def perform_waiting(*, now: datetime) -> int:
    """Does all recounts that wait, in the order in which they were ordered, unless somebody is at it.

    :returns: how many.
    """
    count = 0
    while (waiting := Recount.objects.filter(order=None).order_by("pk").first()) and perform(
        waiting, now=now, wait=False
    ):
        count += 1
    return count


@transaction.atomic
def perform(recount: Recount, *, now: datetime, wait: bool = True) -> bool:
    """Does a recount, whole or not at all.

    :param wait: whether to wait for whoever is at the ledger.
    :returns: whether it was done here: it may have been done before.
    """
    if not lock_order(wait=wait):
        return False
    recount = Recount.objects.select_for_update(of=("self",)).select_related("player").get(pk=recount.pk)
    if recount.order is not None:
        return False
    change = change_of(recount)
    _finish(recount, latest_moment(now))
    for folded in fold_again(change):
        recount.changed += _write(folded, recount)
    _take_over(recount)
    recount.save()
    return True


def change_of(recount: Recount) -> Change:
    """What a recount says of games and players."""
    if recount.acceptance:
        number = recount.acceptance.number
        return Change(annulled={number: recount.kind == Kind.ANNULMENT} if number else {})
    return Change(moved=dict.fromkeys(_moving(recount), recount.into_id or 0))


def merging(player: Player, into: Player) -> Change:
    """What a merge would say of players."""
    return change_of(Recount(kind=Kind.MERGE, player_id=player.rated_id, into_id=into.rated_id))


def _moving(recount: Recount) -> list[int]:
    """The player, and at a merge whoever was merged into him before."""
    moving = Q(pk=recount.player_id)
    if recount.kind == Kind.MERGE:
        moving |= Q(merged_into=recount.player_id)
    return list(Player.objects.filter(moving).order_by("pk").values_list("pk", flat=True))


def fold_again(change: Change, *, most: int | None = None) -> Iterator[Folded]:
    """What a change makes of each ladder that it touches, in the order of the ladders. Writes nothing.

    :param most: look no further than so many games of a ladder.
    """
    for ladder, first in _touched(change):
        again = Refold(change, {player: rating_before(ladder, player, first) for player in change.arriving})
        changed = list(again.run(islice(rated_games(ladder, first), most)))
        yield Folded(ladder, changed, {(ladder, player): rating for player, rating in again.differs.items()})


def _touched(change: Change) -> list[tuple[int, int]]:
    """The ladders that a change touches, each with the place of the first game."""
    told = Q(number__in=list(change.annulled)) | Q(
        game__in=Seating.objects.filter(player__in=change.moved).values("game")
    )
    firsts = Acceptance.objects.filter(told, number__isnull=False).values("ladder").annotate(first=Min("number"))
    return list(firsts.order_by("ladder").values_list("ladder", "first"))


def _write(folded: Folded, recount: Recount) -> int:
    at = recount.done_at or recount.ordered_at
    entries = 0
    for begin in range(0, len(folded.changed), _CHUNK):
        entries += enter(list(_entered(folded, folded.changed[begin : begin + _CHUNK])), at=at, recount=recount)
    changes = [(folded.ladder, old, new) for old, new in folded.changed]
    update_standings(changes, folded.ratings, at=at, again=True)
    return entries


def _entered(folded: Folded, changed: Iterable[Changed]) -> Iterator[Entered]:
    pairs = {new.number: (old, new) for old, new in changed}
    acceptances = Acceptance.objects.filter(ladder=folded.ladder, number__in=pairs).order_by("number")
    for acceptance in acceptances:
        old, new = pairs[acceptance.number or 0]
        yield Entered(acceptance, old, new)


def _finish(recount: Recount, at: datetime) -> None:
    """Gives the recount its place among the recounts and in the sequence."""
    recount.order = (Recount.objects.aggregate(latest=Max("order"))["latest"] or 0) + 1
    recount.after = Acceptance.objects.aggregate(latest=Max("number"))["latest"] or 0
    recount.done_at = at


def _take_over(recount: Recount) -> None:
    """Writes the change where later games look for it."""
    if recount.acceptance:
        recount.acceptance.counts = recount.kind == Kind.RESTORATION
        recount.acceptance.save(update_fields=["counts"])
    elif recount.kind == Kind.MERGE:
        Player.objects.filter(pk__in=_moving(recount)).update(merged_into=recount.into_id)
    else:
        Player.objects.filter(pk=recount.player_id or 0).update(merged_into=None)
