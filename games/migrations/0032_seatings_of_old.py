"""Games get the digest of who sat where; uploads that name others, and others' private ones, get games of their own.

Of uploads that name the same players from another source nobody can be told without reading every record: they stay.
"""

import hashlib
import json
import re
import secrets
from pathlib import Path
from typing import Any

from django.db import migrations
from django.db.backends.utils import CursorWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from games.zstd import zstd

# What the app does changes; what this migration does stays: all that it needs is in it, but for the dictionaries,
# of which each number means the same for ever.

_FILL = """
UPDATE games_game AS game SET seating = told.seating
FROM (SELECT game_id, left(encode(sha256(convert_to(
          min(source) || E'\n' || string_agg(letter || name, E'\n' ORDER BY seat), 'UTF8')), 'hex'), 32) AS seating
      FROM games_seating JOIN games_player AS player ON player.id = player_id GROUP BY game_id) AS told
WHERE game.id = told.game_id AND game.digest IS NOT NULL
"""
# Whose upload came first has the private game.
_OWN = """
UPDATE games_game AS game SET owner_id = first.uploader_id
FROM (SELECT DISTINCT ON (log.game_id) log.game_id, upload.uploader_id FROM games_movelog AS log
      JOIN games_upload AS upload ON upload.id = log.upload_id JOIN games_game AS hidden ON hidden.id = log.game_id
      WHERE hidden.private ORDER BY log.game_id, log.id) AS first
WHERE game.id = first.game_id AND game.private
"""
# Logs that name others, and private ones of somebody else; but the first of a game is its own in any case.
_APART = """
SELECT log.id, log.game_id, log.seats, log.text, upload.private, upload.uploader_id, upload.received_at, upload.scored
FROM games_movelog AS log JOIN games_upload AS upload ON upload.id = log.upload_id
JOIN games_game AS game ON game.id = log.game_id
JOIN LATERAL (SELECT first.id, mine.uploader_id FROM games_movelog AS first
              JOIN games_upload AS mine ON mine.id = first.upload_id
              WHERE first.game_id = game.id ORDER BY mine.private AND NOT game.private, first.id LIMIT 1) AS shown ON true
JOIN LATERAL (SELECT jsonb_agg(jsonb_build_array(letter, name) ORDER BY seat) AS seats FROM games_seating
              JOIN games_player AS player ON player.id = player_id WHERE game_id = game.id) AS told ON true
WHERE game.digest IS NOT NULL AND log.id <> shown.id AND log.text <> ''
  AND (log.seats <> told.seats OR upload.private AND upload.uploader_id IS DISTINCT FROM shown.uploader_id)
ORDER BY log.id
"""
_ADD_GAME = """
INSERT INTO games_game (key, ruleset, verdict, digest, plies, result, ended, termination, likeness, played_on, received_at, scored, private,
                        owner_id, seating, upheld, same_as_id)
SELECT %(key)s, ruleset, verdict, digest, plies, result, ended, termination, likeness, played_on, %(received_at)s, %(scored)s, %(private)s,
       %(owner)s, %(seating)s, %(upheld)s, %(same_as)s
FROM games_game WHERE id = %(game)s RETURNING id
"""
_ADD_PLAYER = """
INSERT INTO games_player (name, source, introduced_by_id, is_bot, is_pseudonym, created_at)
VALUES (%s, %s, %s, false, false, %s) ON CONFLICT (source, name) DO UPDATE SET name = excluded.name RETURNING id
"""
_ADD_SEAT = """
INSERT INTO games_seating (game_id, seat, letter, player_id, place, sheet)
SELECT %s, seat, letter, %s, place, sheet FROM games_seating WHERE game_id = %s AND letter = %s
"""
# As with games of now: who is agreed on, or has a place, goes on to count; the others wait.
_CHALLENGE = """
INSERT INTO games_challenge (game_id, rival_id, raised_by_id, raised_at, holds, state, answer)
SELECT %(game)s, %(rival)s, %(account)s, now(), NOT EXISTS (
    SELECT FROM games_acceptance AS acceptance JOIN games_ladder AS ladder ON ladder.id = acceptance.ladder_id
    WHERE acceptance.game_id = %(game)s AND ladder.league_id IS NULL), 'open', ''
"""
_SITE = re.compile(r'^\[Site "((?:[^"\\\n]|\\["\\])*)"\]', re.MULTILINE)
_DICTIONARIES = Path(__file__).resolve().parent.parent / "dictionaries"
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def give_seatings(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    with editor.connection.cursor() as cursor:
        cursor.execute(_FILL)
        cursor.execute(_OWN)
        cursor.execute(_APART)
        made: dict[tuple[Any, ...], int] = {}
        for log, game, seats, packed, private, account, received, scored in cursor.fetchall():
            seats = json.loads(seats) if isinstance(seats, str) else seats
            source = _source(_unpack(bytes(packed)))
            told = "\n".join([source, *(letter + name for letter, name in seats)])
            seating = hashlib.sha256(told.encode()).hexdigest()[:32]
            known = (game, seating, account if private else None, private)
            if known not in made:
                more = {"received_at": received, "scored": scored, "private": private}
                made[known] = _add(cursor, game, seating, source, seats, account, more)
            cursor.execute("UPDATE games_movelog SET game_id = %s WHERE id = %s", [made[known], log])


def _unpack(frame: bytes) -> str:
    number = zstd.get_frame_info(frame).dictionary_id
    words = None
    if number:
        (path,) = _DICTIONARIES.glob(f"{number}-*.zdict")
        words = zstd.ZstdDict(path.read_bytes())
    return zstd.decompress(frame, zstd_dict=words).decode()


def _source(text: str) -> str:
    found = _SITE.search(text)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else ""


def _add(
    cursor: CursorWrapper,
    game: int,
    seating: str,
    source: str,
    seats: list[list[str]],
    account: int | None,
    more: dict[str, Any],
) -> int:
    private = more["private"]
    cursor.execute("SELECT id FROM games_game WHERE id = %s AND NOT private", [game])
    is_rival = not private and cursor.fetchone() is not None
    row = {
        **more, "key": "".join(secrets.choice(_LETTERS) for _ in range(8)), "owner": account if private else None,
        "seating": seating, "upheld": not is_rival, "same_as": game if is_rival else None, "game": game,
    }  # fmt: skip
    cursor.execute(_ADD_GAME, row)
    (added,) = cursor.fetchone()
    for letter, name in seats:
        cursor.execute(_ADD_PLAYER, [name, source, account, more["received_at"]])
        cursor.execute(_ADD_SEAT, [added, cursor.fetchone()[0], game, letter])
    if is_rival:
        cursor.execute(_CHALLENGE, {"game": game, "rival": added, "account": account})
    return int(added)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0031_seatings'),
    ]

    operations = [
        migrations.RunPython(give_seatings, migrations.RunPython.noop),
    ]
