"""Flags: what moderators or a club's organisers are asked to check, and their decisions.

A game that is held back counts once every flag on it is settled in its favour. Flags on games that already count change
nothing by themselves.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from games.holds.reads.due_games import Table, tables_of
from games.holds.reads.ineligible import holding_challenges
from games.holds.reads.table_points import TablePoints
from games.holds.reads.vouching import standings_of, unvouched
from games.holds.reasons import brand_new
from games.models import Acceptance, Flag, Game, Seating, Vouch

BATCH = 200
"""Games that are looked at again together."""
Kind = Flag.Kind
PASSING = (Kind.UNVOUCHED, Kind.NEW_ACCOUNT)
"""Flags on an account that pass with time."""
_IS_PASSING = Q(kind__in=PASSING, settled_at=None)
"""And still holds a game back."""
_PASSING_HOLDS = Exists(Flag.objects.filter(_IS_PASSING, game=OuterRef("game"), ladder=OuterRef("ladder")))

_HELD_TWICE = """
WITH own AS (
    SELECT id FROM games_player
    WHERE merged_into_id IS NULL
      AND (id = %(player)s OR account_id = (SELECT account_id FROM games_player WHERE id = %(player)s))
),
names AS (
    SELECT id, id AS player_id FROM own
    UNION ALL SELECT merged.id, own.id FROM games_player AS merged JOIN own ON own.id = merged.merged_into_id
)
SELECT seating.game_id, (array_agg(names.player_id ORDER BY seating.seat))[1], jsonb_build_object('seats', count(*))
FROM games_seating AS seating JOIN names ON names.id = seating.player_id
WHERE seating.game_id = ANY(%(games)s) AND EXISTS (
    SELECT FROM games_acceptance AS acceptance JOIN games_ladder AS ladder ON ladder.id = acceptance.ladder_id
    WHERE acceptance.game_id = seating.game_id AND acceptance.number IS NOT NULL AND ladder.club_id IS NULL)
GROUP BY seating.game_id HAVING count(*) > 1
"""


def look_back(player: int, games: Sequence[int], *, now: datetime) -> None:
    """Check some past games again in which somebody may hold two seats.

    Called in the transaction that checks the games of a name with a new owner, or of merged players.

    :param player: the id under which the name is rated.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HELD_TWICE, {"player": player, "games": list(games)})
        rows = cursor.fetchall()
    found = [
        Flag(kind=Kind.SAME_PERSON, game_id=game, player_id=one, params=json.loads(params), raised_at=now)
        for game, one, params in rows
    ]
    Flag.objects.bulk_create(found, ignore_conflicts=True)


def look_at_vouched(account: int, *, now: datetime) -> None:
    """Release games that waited until somebody vouched for an account, or for one that depends on it.

    Called in the transaction in which somebody does. It releases one batch; the others follow when all are checked
    again.
    """
    accounts = [account, *Vouch.objects.filter(by=account).values_list("claim__account", flat=True).distinct()]
    theirs = Q(player__account__in=accounts) | Q(player__merged_into__account__in=accounts)
    held = Acceptance.objects.filter(
        Exists(Seating.objects.filter(theirs, game=OuterRef("game"))), _PASSING_HOLDS, held=True, ladder__club=None
    )
    _settle_passed(held.order_by("pk").values_list("pk", flat=True)[:BATCH], now)


def look_again(*, now: datetime, has_time: Callable[[], bool]) -> int:
    """Release games whose accounts have been vouched for meanwhile, or are no longer brand-new.

    This is needed because somebody may vouch before the flag of a game exists, and because nothing happens at the
    moment at which an account stops being new. The games checked longest ago come first, so that all have their turn.

    :param has_time: asked before each batch whether there is time for it.
    :returns: how many games went on.
    """
    due = Flag.objects.filter(Q(looked_at=None) | Q(looked_at__lt=now), _IS_PASSING, ladder__club=None)
    due = due.filter(ladder__isnull=False).order_by(F("looked_at").asc(nulls_first=True), "pk")
    count = 0
    while has_time() and (batch := list(due.values_list("pk", "game")[:BATCH])):
        Flag.objects.filter(pk__in=[pk for pk, _ in batch]).update(looked_at=now)
        held = Acceptance.objects.filter(game__in={game for _, game in batch}, held=True, ladder__club=None)
        count += _settle_passed(held.order_by("pk").values_list("pk", flat=True), now)
    return count


def _settle_passed(acceptances: Iterable[int], now: datetime) -> int:
    """Settle flags on accounts that no longer hold games back. :returns: how many games go on."""
    tables = list(tables_of(acceptances))
    standings = standings_of(player for table in tables for player in table.accounts)
    young = set(brand_new((one for table in tables for one in table.accounts.values()), now))
    points = TablePoints(tables, standings, now)

    def missing(table: Table) -> set[int]:
        if points.is_played_here(table):
            return {lacks.player for lacks in points.lacking(table)}
        return unvouched(table.accounts, standings)

    return sum(_settle_table(table, missing(table), young, now) for table in tables)


def _settle_table(table: Table, missing: set[int], young: set[int], now: datetime) -> int:
    """Settle the flags on a table's accounts that no longer apply. :returns: 1 if the game goes on, 0 if not."""
    rated = Coalesce("player__merged_into", "player")
    open_ = Flag.objects.filter(game=table.game, ladder=table.ladder, settled_at=None).annotate(rated=rated)
    new = {player for player, account in table.accounts.items() if account in young}
    over = Q(kind=Kind.UNVOUCHED) & ~Q(rated__in=missing) | Q(kind=Kind.NEW_ACCOUNT) & ~Q(rated__in=new)
    # One transaction for each game, so that none waits for flags that are settled together.
    with transaction.atomic():
        settled = Flag.objects.filter(pk__in=list(open_.filter(over).values_list("pk", flat=True)), settled_at=None)
        return release(Acceptance.objects.filter(pk=table.acceptance)) if settled.update(settled_at=now) else 0


def ask_again(settled: "QuerySet[Flag]") -> None:
    """Open flags again: the reason for which they were settled no longer holds."""
    settled.update(settled_at=None, settled_by=None, answer="")


def carry_over(before: Game, chosen: Game) -> None:
    """Let another seating of the same moves wait for what the earlier one waits for on the site's ladder.

    Flags that hold an account only for a time are checked again for the players named now.
    """
    open_ = Flag.objects.filter(game=before, settled_at=None, ladder__isnull=False, ladder__club=None)
    copies = list(open_.exclude(kind__in=PASSING))
    open_.delete()
    for flag in copies:
        flag.pk, flag.game = None, chosen
    Flag.objects.bulk_create(copies, ignore_conflicts=True)


def release(acceptances: Iterable[Acceptance]) -> int:
    """Release games that nothing holds back any more, within a transaction. :returns: how many."""
    count = 0
    for acceptance in acceptances:
        # Locked first, so that a challenge raised at this moment either waits for this or is seen; like there, after
        # the game, whose version rises.
        Game.objects.select_for_update(no_key=True).get(pk=acceptance.game_id)
        waiting = Acceptance.objects.select_for_update(no_key=True, of=("self",)).filter(held=True)
        if (one := waiting.select_related("ladder").filter(pk=acceptance.pk).first()) and not _waits(one):
            count += Acceptance.objects.filter(pk=one.pk).update(held=False)
    return count


def _waits(acceptance: Acceptance) -> bool:
    """Return whether a flag holds a game back, or, on the whole site's ladder, a challenge to its seating."""
    flags = Flag.objects.filter(game=acceptance.game_id, ladder=acceptance.ladder_id)
    if (flags.filter(settled_at=None) | flags.filter(unrated=True)).exists():
        return True
    return acceptance.ladder.club_id is None and holding_challenges(acceptance.game_id).exists()
