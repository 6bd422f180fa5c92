"""Corrections: games annulled or restored, players merged or split, and the ladders folded again from there.

An act is recorded first and performed later by a worker, because a long ladder takes a while. Until then nothing
changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Max, Min, Q

from engine.fold import Change, Changed, Refold, merge_change, split_change
from engine.rating import Rating
from games.consent.challenges import hold_seatings
from games.consent.confirmations import settle
from games.consent.reads.challenges import upheld_of
from games.models import Acceptance, Correction, Game, Player, Seating
from games.ratings.best_ranks import find_again
from games.ratings.ledger import Entered, enter
from games.ratings.reads.ledger import rated_games, rating_before
from games.ratings.sequence import Now, last_place, latest_moment, lock_order
from games.ratings.standings import Line, StandingChanges, standing_lines, update_standings

_CHUNK = 2000
"""Games written at once."""
Kind = Correction.Kind


@dataclass(frozen=True, slots=True)
class Folded:
    """The effect of a change on a ladder."""

    ladder: int
    changed: list[Changed]
    ratings: dict[Line, Rating]
    """Of everybody whose last rating is another now."""
    published: dict[Line, Rating]
    """What the ledger says of them."""
    whole: bool
    """Whether all games were looked at; if not, both are the ratings after those that were."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """Who ordered a correction, when and why."""

    by: AbstractBaseUser | None
    reason: str
    at: datetime


def order_annulment(acceptance: Acceptance, order: Instruction) -> Correction:
    """Order that a rated game no longer counts. :raises ValueError: when it is not rated yet."""
    return _order_of_game(Kind.ANNULMENT, acceptance, order)


def order_restoration(acceptance: Acceptance, order: Instruction) -> Correction:
    """Order that an annulled game counts again. :raises ValueError: when it was never rated."""
    return _order_of_game(Kind.RESTORATION, acceptance, order)


def _order_of_game(kind: Correction.Kind, acceptance: Acceptance, order: Instruction) -> Correction:
    if not Acceptance.objects.filter(pk=acceptance.pk, number__isnull=False).exists():
        raise ValueError(f"{acceptance} has no place in the order yet")
    return _ordered(order, kind=kind, acceptance=acceptance)


def order_merge(player: Player, into: Player, order: Instruction) -> Correction:
    """Order that a player's games count as another's. :raises ValueError: when they are merged already."""
    if player.rated_id == into.rated_id:
        raise ValueError(f"{player} and {into} are one player already")
    return _ordered(order, kind=Kind.MERGE, player=player, into_id=into.rated_id)


def order_split(player: Player, order: Instruction) -> Correction:
    """Order that a merged player's games count separately again. :raises ValueError: when not merged."""
    if player.merged_into_id is None:
        raise ValueError(f"{player} is not merged")
    return _ordered(order, kind=Kind.SPLIT, player=player, into_id=player.pk)


def _ordered(order: Instruction, **what: Any) -> Correction:  # noqa: ANN401 (the correction's own fields)
    return Correction.objects.create(
        by_id=order.by.pk if order.by else None, reason=order.reason, ordered_at=order.at, **what
    )


def perform_waiting(*, now: Now) -> int:
    """Perform all waiting corrections in order, unless another worker does so already.

    :returns: how many.
    """
    count = 0
    while (waiting := Correction.objects.filter(order=None).order_by("pk").first()) and perform(
        waiting, now=now, wait=False
    ):
        count += 1
    return count


@transaction.atomic
def perform(correction: Correction, *, now: Now, wait: bool = True) -> bool:
    """Perform a correction completely or not at all.

    :param wait: whether to wait for a transaction that writes the ledger.
    :returns: whether it was done here: it may have been done before.
    """
    if not lock_order(wait=wait):
        return False
    correction = Correction.objects.select_for_update(of=("self",)).select_related("acceptance").get(pk=correction.pk)
    if correction.order is not None:
        return False
    if correction.acceptance:
        hold_seatings(correction.acceptance.game)
    _finish(correction, latest_moment(now))
    change = change_of(correction)
    correction.changed = sum(_fold(ladder, first, change, correction) for ladder, first in _touched(change))
    correction.save()
    _take_over(correction, change)
    return True


def change_of(correction: Correction) -> Change:
    """Return the change that a correction makes; players may have been merged since it was ordered."""
    if correction.acceptance:
        return Change(annulled={correction.acceptance.number or 0: correction.kind == Kind.ANNULMENT})
    player, into = correction.player_id or 0, correction.into_id or 0
    return merge_change(_merged(player, into), player, into) if correction.kind == Kind.MERGE else split_change(player)


def merging(player: Player, into: Player) -> Change:
    """Return the change that a merge makes."""
    return change_of(Correction(kind=Kind.MERGE, player_id=player.rated_id, into_id=into.rated_id))


def _merged(player: int, into: int) -> dict[int, int]:
    """Return the merges so far that concern two players."""
    merged = Player.objects.filter(Q(merged_into=player) | Q(pk=into), merged_into__isnull=False)
    return {one: other or 0 for one, other in merged.values_list("pk", "merged_into")}


def fold_again(change: Change, *, most: int | None = None) -> Iterator[Folded]:
    """Yield the effect of a change on each ladder that it touches, in the order of the ladders; write nothing.

    :param most: the maximum number of games to read for each ladder.
    """
    for ladder, first in _touched(change):
        again, games = _refold(ladder, first, change), rated_games(ladder, first)
        changed = list(again.run(islice(games, most)))
        published = {(ladder, player): again.published[player] for player in again.differs}
        yield Folded(ladder, changed, _by_line(ladder, again), published, whole=next(games, None) is None)


def _refold(ladder: int, first: int, change: Change) -> Refold:
    return Refold(change, {player: rating_before(ladder, player, first) for player in change.arriving})


def _by_line(ladder: int, again: Refold) -> dict[Line, Rating]:
    return {(ladder, player): rating for player, rating in again.differs.items()}


def _touched(change: Change) -> list[tuple[int, int]]:
    """Return the ladders that a change touches, each with the place of the first game."""
    published = Q(number__in=list(change.annulled)) | Q(
        game__in=Seating.objects.filter(player__in=change.moved).values("game")
    )
    firsts = Acceptance.objects.filter(published, number__isnull=False).values("ladder").annotate(first=Min("number"))
    return list(firsts.order_by("ladder").values_list("ladder", "first"))


def _fold(ladder: int, first: int, change: Change, correction: Correction) -> int:
    """Recompute a ladder and write what changed, some games at a time. :returns: how many entries."""
    again, changes, entries = _refold(ladder, first, change), StandingChanges(), 0
    at = correction.done_at or correction.ordered_at
    changed = again.run(rated_games(ladder, first))
    while chunk := list(islice(changed, _CHUNK)):
        entries += enter(list(_entered(ladder, chunk)), at=at, correction=correction)
        for old, new in chunk:
            changes.add(ladder, old, new)
    ratings = _by_line(ladder, again)
    update_standings(changes, standing_lines(changes.lines.keys() | ratings.keys()), ratings, at=at)
    find_again(ladder, first)
    return entries


def _entered(ladder: int, changed: list[Changed]) -> Iterator[Entered]:
    numbers = [new.number for _, new in changed]
    acceptances = Acceptance.objects.filter(number__in=numbers).order_by("number").values_list("pk", "game")
    for (acceptance, game), (old, new) in zip(acceptances, changed, strict=True):
        yield Entered(acceptance, ladder, game, old, new)


def _finish(correction: Correction, at: datetime) -> None:
    """Give the correction its number and its place in the sequence, and note who is merged into whom."""
    correction.order = (Correction.objects.aggregate(latest=Max("order"))["latest"] or 0) + 1
    correction.after = last_place()
    correction.done_at = at


def _take_over(correction: Correction, change: Change) -> None:
    """Write the change to the rows that later games read."""
    if correction.acceptance:
        correction.acceptance.counts = correction.kind == Kind.RESTORATION
        correction.acceptance.save(update_fields=["counts"])
        _look_at_others(correction.acceptance.game, correction.done_at or correction.ordered_at)
    for player, into in change.moved.items():
        Player.objects.filter(pk=player).update(merged_into=None if into == player else into)
    # The consent to due games, and double seats of rated ones, must be checked again now.
    Player.objects.filter(pk__in=change.arriving).update(unsettled_after=0)


def _look_at_others(game: Game, now: datetime) -> None:
    """Check the game whose seating replaced this one: it waited while this one counted."""
    if not game.upheld and (upheld := upheld_of(game)):
        settle(upheld, now=now)
