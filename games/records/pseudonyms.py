"""Pseudonyms of deleted accounts, and the records that contain them.

An old record that is uploaded again may contain the name of a deleted account. If it became a seating of its own, the
name would be shown beside the pseudonym. So seats that differ only from a pseudonym are the same seating, whatever name
is there: nobody can try names and see which one is right. The name is removed from the record, as it was from all
others when the account was deleted. Only a name that belongs to another account makes another seating; so nobody can
block a game by deleting the account named in it.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

from django.db import connection

from engine.agn.canonical import record_digest
from engine.agn.retag import retag, retag_text
from engine.registry import ruleset_by_slug
from games.models import MoveLog

# Public games come first, and of those the one whose seating applies. Strangers can make up any number of others, so
# only some are checked: this bounds the time, and the names of a seating that does not challenge are not shown.
_SAME_BUT_FOR_PSEUDONYMS = """
SELECT game.id, game.private,
       jsonb_object_agg(seating.letter, player.name) FILTER (WHERE player.name <> given.name)
FROM (
    (SELECT * FROM games_game WHERE digest = %(digest)s AND upheld AND NOT private AND NOT %(private)s)
    UNION ALL
    (SELECT * FROM games_game WHERE digest = %(digest)s AND NOT upheld AND NOT private AND NOT %(private)s
     LIMIT %(most)s)
    UNION ALL
    (SELECT * FROM games_game WHERE digest = %(digest)s AND owner_id = %(account)s AND private AND same_as_id IS NULL
     LIMIT %(most)s)) AS game
JOIN games_seating AS seating ON seating.game_id = game.id
JOIN games_player AS player ON player.id = seating.player_id
JOIN unnest(%(letters)s::text[], %(names)s::text[]) AS given (letter, name) ON given.letter = seating.letter
GROUP BY game.id, game.private, game.upheld
HAVING bool_and(player.source = %(source)s AND (player.is_pseudonym OR player.name = given.name))
   AND bool_or(player.name <> given.name)
   AND NOT bool_or(player.name <> given.name AND EXISTS (
       SELECT FROM games_player AS named LEFT JOIN games_player AS whole ON whole.id = named.merged_into_id
       WHERE named.source = %(source)s AND named.name = given.name
         AND coalesce(whole.account_id, named.account_id) IS NOT NULL))
ORDER BY game.private, NOT game.upheld, game.id LIMIT 1
"""
_MOST = 200
"""Seatings of the same moves that are looked at."""


class NewLog(NamedTuple):
    """A new log: its moves, names and uploader."""

    digest: str
    source: str
    names: Mapping[str, str]
    """By seat letter."""
    account: int | None
    private: bool


class Known(NamedTuple):
    """A game whose seating differs only in pseudonyms."""

    game: int
    private: bool
    """Whether it is the uploader's own private one."""
    pseudonyms: dict[str, str]
    """By the letters of the seats that the log names otherwise."""


def same_but_for_pseudonyms(asked: NewLog) -> Known | None:
    """Return the game of the same moves that differs from a log only in pseudonyms, if there is one.

    For a private upload, only the uploader's own games are searched.
    """
    letters, names = list(asked.names), list(asked.names.values())
    with connection.cursor() as cursor:
        cursor.execute(_SAME_BUT_FOR_PSEUDONYMS, {**asked._asdict(), "letters": letters, "names": names, "most": _MOST})
        row = cursor.fetchone()
    if row is None:
        return None
    game, private, pseudonyms = row
    return Known(game, private, json.loads(pseudonyms) if isinstance(pseudonyms, str) else pseudonyms)


def replace_names(log: MoveLog, names: Mapping[str, str]) -> None:
    """Write new names, by seat letter, into a log object, without saving it."""
    ruleset = ruleset_by_slug(log.game.ruleset) if log.game and log.game.ruleset else None
    tags = {ruleset.seat(letter).tag: name for letter, name in names.items()} if ruleset else {}
    log.data = retag(bytes(log.data), log.form, tags)
    log.seats = [[letter, names.get(letter, name)] for letter, name in log.names.items()]
    if log.text:
        log.text = retag_text(log.text, tags)
        log.record_digest = record_digest(log.text)


def take_names_out(log: int, pseudonyms: Mapping[str, str]) -> None:
    """Write pseudonyms, by seat letter, into a stored log that has other names."""
    stored = MoveLog.objects.select_related("game").get(pk=log)
    replace_names(stored, pseudonyms)
    stored.save(update_fields=["data", "seats", "text", "record_digest"])
