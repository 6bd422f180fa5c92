"""Flags: what moderators, or a league's organisers, are asked to look at, and what comes of it.

What the sieve holds back waits: it counts once everything that holds it has been settled so. What is found about games
that count already changes nothing by itself.
"""

import json
from collections.abc import Callable, Iterable
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from games.models import Acceptance, Flag, Vouch
from games.selectors.hindrances import holding_challenges
from games.selectors.vouching import standings_of, unvouched
from games.services.sieve import Table, brand_new, tables_of

BATCH = 200
"""Games that are looked at again together."""
Kind = Flag.Kind
_PASSING = (Kind.UNVOUCHED, Kind.NEW_ACCOUNT)
"""What is so of an account only for a time."""

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
WHERE EXISTS (
    SELECT FROM games_acceptance AS acceptance JOIN games_ladder AS ladder ON ladder.id = acceptance.ladder_id
    WHERE acceptance.game_id = seating.game_id AND acceptance.number IS NOT NULL AND ladder.league_id IS NULL)
GROUP BY seating.game_id HAVING count(*) > 1
"""


def look_back(player: int, *, now: datetime) -> None:
    """Looks at the games of the past once more in which somebody may hold two seats.

    Within the transaction that gives a name to an account, or finds two players to be one.

    :param player: the number under which he is rated.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HELD_TWICE, {"player": player})
        rows = cursor.fetchall()
    found = [
        Flag(kind=Kind.SAME_PERSON, game_id=game, player_id=one, params=json.loads(params), raised_at=now)
        for game, one, params in rows
    ]
    Flag.objects.bulk_create(found, ignore_conflicts=True)


def look_at_vouched(account: int, *, now: datetime) -> None:
    """Lets games go on that waited for somebody to vouch for an account, or for one for whom that one vouches.

    Within the transaction in which somebody has.
    """
    vouched = Vouch.objects.filter(by=account).values("claim__account")
    concerned = Flag.objects.filter(kind__in=_PASSING, settled_at=None)
    theirs = concerned.filter(player__account=account) | concerned.filter(player__account__in=vouched)
    games = list(theirs.values_list("game", flat=True))
    held = Acceptance.objects.filter(game__in=games, held=True, ladder__league=None)
    _settle_passed(held.order_by("pk").values_list("pk", flat=True), now)


def look_again(*, now: datetime, go_on: Callable[[], bool]) -> int:
    """Let games go on whose accounts have been vouched for meanwhile, or are brand-new no longer.

    A word that is given while the sieve holds a game back finds no flag to settle yet, and nobody gives one when the
    days of a new account are over.

    :param go_on: asked before each batch whether there is time for it.
    :returns: how many games went on.
    """
    waiting = Flag.objects.filter(game=OuterRef("game"), ladder=OuterRef("ladder"), kind__in=_PASSING, settled_at=None)
    held = Acceptance.objects.filter(Exists(waiting), held=True, ladder__league=None).order_by("pk")
    after = count = 0
    while go_on() and (batch := list(held.filter(pk__gt=after).values_list("pk", flat=True)[:BATCH])):
        after = batch[-1]
        count += _settle_passed(batch, now)
    return count


def _settle_passed(acceptances: Iterable[int], now: datetime) -> int:
    """Settle flags on accounts that hold games back no longer. :returns: how many games go on."""
    tables = list(tables_of(acceptances))
    accounts = {one for table in tables for one in table.accounts}
    standings, young = standings_of(accounts), brand_new(accounts, now)
    return sum(_settle_table(table, unvouched(table.accounts, standings), set(young), now) for table in tables)


def _settle_table(table: Table, missing: set[int], young: set[int], now: datetime) -> int:
    """Settle what is said of a table's accounts no longer. :returns: 1 if the game goes on, 0 if not."""
    open_ = Flag.objects.filter(game=table.game, ladder=table.ladder, settled_at=None)
    over = open_.none()
    for kind, accounts in ((Kind.UNVOUCHED, missing), (Kind.NEW_ACCOUNT, young)):
        still = [seat.player for seat in table.seats if seat.account in accounts]
        over |= open_.filter(kind=kind).exclude(player__in=still)
    # A transaction for each game: flags of several that somebody settles together are waited for by none.
    with transaction.atomic():
        return release(Acceptance.objects.filter(pk=table.acceptance)) if over.update(settled_at=now) else 0


def release(acceptances: Iterable[Acceptance]) -> int:
    """Let games go on that nothing holds any more, within a transaction. :returns: how many."""
    count = 0
    for acceptance in acceptances:
        # Locked first: a challenge that is raised at this moment holds it afterwards, or is seen.
        waiting = Acceptance.objects.select_for_update(no_key=True, of=("self",)).filter(held=True)
        if (one := waiting.select_related("ladder").filter(pk=acceptance.pk).first()) and not _waits(one):
            count += Acceptance.objects.filter(pk=one.pk).update(held=False)
    return count


def _waits(acceptance: Acceptance) -> bool:
    """Whether a flag holds a game back, or, on the whole site's ladder, a challenge to its seating."""
    flags = Flag.objects.filter(game=acceptance.game_id, ladder=acceptance.ladder_id)
    if (flags.filter(settled_at=None) | flags.filter(unrated=True)).exists():
        return True
    return acceptance.ladder.league_id is None and holding_challenges(acceptance.game_id).exists()
