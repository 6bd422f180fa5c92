"""Flags: what is unusual about games that count for the whole site, by stated thresholds.

A flag changes nothing: it asks a moderator to look. Leagues answer for their own ladders. What was looked at is kept as
a place in the sequence, so that nothing is left out when somebody is interrupted, and nothing is flagged twice.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from games.models import Acceptance, Flag, Ladder

BATCH = 500
"""Games looked at in one transaction."""

PAIRINGS_A_DAY = 10
PAIRINGS_A_MONTH = 40
"""So many games of the same two within a day, or thirty days, are unusual; and every further so many."""
FARMED = 3
"""So many games within a week in which the same player won because the same rival gave up early are unusual."""
EARLY = 12
"""Actions before which giving up is early."""
NEW = timedelta(days=7)
"""An account younger than this is brand-new."""

Kind = Flag.Kind

_FRESH = """
WITH fresh AS (
    SELECT acceptance.number, acceptance.game_id, acceptance.ladder_id, acceptance.accepted_at
    FROM games_acceptance AS acceptance
    WHERE acceptance.ladder_id = %(ladder)s AND acceptance.number > %(after)s AND acceptance.number <= %(last)s
),
seats AS (
    SELECT fresh.*, event.player_id, event.place, event.seat
    FROM fresh JOIN games_ratingevent AS event ON event.number = fresh.number AND event.recount_id IS NULL
)
"""

_SAME_PERSON = """
SELECT DISTINCT one.game_id, one.player_id, jsonb_build_object('seats', 2)
FROM seats AS one JOIN seats AS other ON other.number = one.number AND other.seat > one.seat
JOIN games_player AS player ON player.id = one.player_id
JOIN games_player AS rival ON rival.id = other.player_id
WHERE one.player_id = other.player_id OR player.account_id = rival.account_id
"""

_REPEATED_PAIRING = """,
pairs AS (
    SELECT one.*, other.player_id AS rival_id
    FROM seats AS one JOIN seats AS other ON other.number = one.number AND other.player_id > one.player_id
),
counted AS (
    SELECT pairs.*, met.day, met.month
    FROM pairs CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE mine.at > pairs.accepted_at - interval '1 day') AS day, count(*) AS month
        FROM games_ratingevent AS mine JOIN games_ratingevent AS its
            ON its.number = mine.number AND its.player_id = pairs.rival_id AND its.recount_id IS NULL
        WHERE mine.player_id = pairs.player_id AND mine.ladder_id = pairs.ladder_id AND mine.recount_id IS NULL
            AND mine.number <= pairs.number AND mine.at > pairs.accepted_at - interval '30 days'
    ) AS met
)
SELECT game_id, player_id, jsonb_build_object('rival', rival_id, 'day', day, 'month', month)
FROM counted WHERE day %% %(a_day)s = 0 OR month %% %(a_month)s = 0
"""

_RESIGN_FARMING = """,
gifts AS (
    SELECT winner.number, winner.game_id, winner.ladder_id, winner.accepted_at, winner.player_id,
           loser.player_id AS rival_id
    FROM seats AS winner JOIN seats AS loser ON loser.number = winner.number AND loser.place > winner.place
    JOIN games_game AS game ON game.id = winner.game_id
    WHERE winner.place = 1 AND game.ended LIKE '%%-LEAVE-%%' AND game.plies < %(early)s
        -- of three or more it is not told who gave up
        AND NOT EXISTS (SELECT FROM games_seating AS third WHERE third.game_id = game.id AND third.seat > 1)
),
counted AS (
    SELECT gifts.*, (
        SELECT count(*)
        FROM games_ratingevent AS mine
        JOIN games_ratingevent AS its ON its.number = mine.number AND its.player_id = gifts.rival_id
            AND its.recount_id IS NULL AND its.place > mine.place
        JOIN games_game AS game ON game.id = mine.game_id
        WHERE mine.player_id = gifts.player_id AND mine.ladder_id = gifts.ladder_id AND mine.recount_id IS NULL
            AND mine.place = 1 AND mine.number <= gifts.number AND mine.at > gifts.accepted_at - interval '7 days'
            AND game.ended LIKE '%%-LEAVE-%%' AND game.plies < %(early)s
    ) AS week
    FROM gifts
)
SELECT game_id, player_id, jsonb_build_object('rival', rival_id, 'week', week)
FROM counted WHERE week %% %(farmed)s = 0
"""

_NEW_ACCOUNT = """
SELECT DISTINCT ON (seats.player_id) seats.game_id, seats.player_id,
       jsonb_build_object('days', extract(day FROM seats.accepted_at - account.date_joined)::int)
FROM seats JOIN games_player AS player ON player.id = seats.player_id
JOIN auth_user AS account ON account.id = player.account_id
WHERE account.date_joined > seats.accepted_at - %(new)s
  AND NOT EXISTS (SELECT FROM games_flag WHERE kind = 'new-account' AND games_flag.player_id = seats.player_id)
ORDER BY seats.player_id, seats.number
"""

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

_QUESTIONS = {
    Kind.SAME_PERSON: _SAME_PERSON,
    Kind.REPEATED_PAIRING: _REPEATED_PAIRING,
    Kind.RESIGN_FARMING: _RESIGN_FARMING,
    Kind.NEW_ACCOUNT: _NEW_ACCOUNT,
}


def look(*, now: datetime) -> int:
    """Looks at all games that were accepted since the last look. :returns: how many flags it raised."""
    raised = 0
    for ladder in _ladders_to_look_at():
        while (found := _look_at_some(ladder, now)) is not None:
            raised += found
    return raised


def _ladders_to_look_at() -> list[int]:
    newer = Acceptance.objects.filter(ladder=OuterRef("pk"), number__gt=OuterRef("looked_to"))
    return list(Ladder.objects.filter(Exists(newer), league=None).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def _look_at_some(ladder: int, now: datetime) -> int | None:
    """Looks at the next games of a ladder. :returns: how many flags it raised; none when nothing was left."""
    held = Ladder.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=ladder).first()
    numbers = list(_next_numbers(held)) if held else []
    if held is None or not numbers:
        return None
    flags = [flag for kind in _QUESTIONS for flag in _answers(kind, held, numbers[-1], now)]
    Flag.objects.bulk_create(flags, ignore_conflicts=True)
    Ladder.objects.filter(pk=ladder).update(looked_to=numbers[-1])
    return len(flags)


def _next_numbers(ladder: Ladder) -> Iterable[int | None]:
    accepted = Acceptance.objects.filter(ladder=ladder, number__gt=ladder.looked_to).order_by("number")
    return accepted.values_list("number", flat=True)[:BATCH]


def look_back(player: int, *, now: datetime) -> None:
    """Looks at the games of the past once more in which somebody may hold two seats.

    Within the transaction that gives a name to an account, or finds two players to be one.

    :param player: the number under which he is rated.
    """
    Flag.objects.bulk_create(_raised(Kind.SAME_PERSON, _HELD_TWICE, {"player": player}, now), ignore_conflicts=True)


def _answers(kind: Flag.Kind, ladder: Ladder, last: int | None, now: datetime) -> Sequence[Flag]:
    asked: dict[str, Any] = {
        "ladder": ladder.pk, "after": ladder.looked_to, "last": last, "new": NEW, "early": EARLY, "farmed": FARMED,
        "a_day": PAIRINGS_A_DAY, "a_month": PAIRINGS_A_MONTH,
    }  # fmt: skip
    return _raised(kind, _FRESH + _QUESTIONS[kind], asked, now)


def _raised(kind: Flag.Kind, question: str, asked: Mapping[str, Any], now: datetime) -> list[Flag]:
    with connection.cursor() as cursor:
        cursor.execute(question, asked)
        rows = cursor.fetchall()
    return [
        Flag(kind=kind, game_id=game, player_id=player, params=json.loads(params), raised_at=now)
        for game, player, params in rows
    ]
