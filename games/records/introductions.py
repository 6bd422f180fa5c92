"""Introductions: whose public upload named a player first. Private uploads introduce nobody.

A name that occurs only in private games has a random id; with its first public game it gets the next id in sequence. So
the id never reveals to an uploader that somebody else has the name in a private game.

If the only public game of a name is hidden, the next account that named it in public introduces it, or nobody.
"""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import connection
from django.db.models import F

from games.models import MoveLog, Player, Seating
from games.platform.bulk_sql import columns

Name = tuple[str, str]
"""Who a player is: source and name."""

PRIVATE_FROM = 1 << 40
"""The first number for names that are in no public game yet."""
_PRIVATE_BELOW = 1 << 53
"""Numbers that every program reads as they are."""
NAMING = (
    ("games_player", "merged_into_id"),
    ("games_claim", "player_id"),
    ("games_invitedname", "player_id"),
    ("games_follow", "player_id"),
    ("games_flag", "player_id"),
    ("games_act", "player_id"),
    ("games_correction", "player_id"),
    ("games_correction", "into_id"),
    ("games_standing", "player_id"),
    ("games_bestrank", "player_id"),
    ("games_ratingevent", "player_id"),
)
"""What names players besides seats; a player named there keeps the id."""
_UNNAMED = " ".join(
    f"AND NOT EXISTS (SELECT FROM {table} AS naming WHERE naming.{column} = player.id)" for table, column in NAMING
)
# Every name takes an id, whether it is new or known only from private games, so that others see no difference. Seats
# follow.
_PUBLISH = f"""
WITH named AS MATERIALIZED (
    SELECT source, name, account, nextval(pg_get_serial_sequence('games_player', 'id')) AS number
    FROM unnest(%s::text[], %s::text[], %s::int[]) AS given (source, name, account)
),
held AS MATERIALIZED (
    SELECT player.id, named.number FROM games_player AS player JOIN named USING (source, name)
    WHERE player.id >= {PRIVATE_FROM} {_UNNAMED}
    ORDER BY player.id FOR UPDATE OF player
),
seated AS (UPDATE games_seating SET player_id = held.number FROM held WHERE player_id = held.id),
numbered AS (UPDATE games_player SET id = held.number FROM held WHERE games_player.id = held.id)
INSERT INTO games_player (id, source, name, introduced_by_id, is_bot, is_pseudonym, created_at)
SELECT number, source, name, account, false, false, %s FROM named ON CONFLICT DO NOTHING
"""  # noqa: S608 (our own number)
# Locked in order, so that this waits for others that introduce names at the same moment. A name in a public game is
# known already, even if only by an upload without an account.
_UNKNOWN = """
SELECT id FROM games_player AS player
WHERE id = ANY(%s) AND introduced_by_id IS NULL AND NOT EXISTS (
    SELECT FROM games_seating AS seating JOIN games_game AS game ON game.id = seating.game_id
    WHERE seating.player_id = player.id AND NOT game.private AND game.id <> %s)
ORDER BY id FOR NO KEY UPDATE
"""


def private_number() -> int:
    """Return an id for a name that is in no public game."""
    return PRIVATE_FROM + secrets.randbelow(_PRIVATE_BELOW - PRIVATE_FROM)


def publish(names: Mapping[Name, int | None], *, now: datetime) -> None:
    """Add the players of public games by source and name, or give them their public ids if only private games had them.

    :param names: with the accounts that introduce the new ones.
    """
    if names:
        with connection.cursor() as cursor:
            cursor.execute(_PUBLISH, [*columns([(*name, names[name]) for name in sorted(names)], 3), now])


def introduce(players: Iterable[int], account: int | None, *, by_game: int = 0) -> None:
    """Store who has introduced players that no public game has named before.

    :param by_game: the game that names them, if it has its seats already.
    """
    players = sorted(players)
    if account is None or not players:
        return
    with connection.cursor() as cursor:
        cursor.execute(_UNKNOWN, [players, by_game])
        unknown = [player for (player,) in cursor.fetchall()]
    if unknown:
        Player.objects.filter(pk__in=unknown).update(introduced_by=account)


def introduce_seats(game: int, account: int | None, *, now: datetime) -> None:
    """Do the same for the players of a game that has become public, and give them public ids."""
    private = Player.objects.filter(pk__in=_players_of(game), pk__gte=PRIVATE_FROM)
    publish(dict.fromkeys(private.values_list("source", "name")), now=now)
    introduce(_players_of(game), account, by_game=game)


def take_back(game: int, account: int) -> None:
    """Store who introduces the players now that an account introduced by a game that has become private."""
    for player in Player.objects.filter(pk__in=_players_of(game), introduced_by=account).order_by("pk"):
        public = MoveLog.objects.filter(game__private=False, game__seatings__player=player)
        first = public.order_by("pk").values_list(F("upload__uploader"), flat=True).first()
        Player.objects.filter(pk=player.pk).update(introduced_by=first)


def _players_of(game: int) -> list[int]:
    return list(Seating.objects.filter(game=game).values_list("player", flat=True))
