"""The versions of games' public pages: while a game keeps its version, its public page and frames stay the same.

A version is a digest of the rows that the page reads. PostgreSQL gives each row the number of the transaction that
wrote it (`xmin`), and so whatever writes a row changes the version; nobody has to remember to invalidate anything.
"""

from collections.abc import Collection

from django.db import connection

_MOST = 1000
"""Rows of each kind that a version covers; pages of games with more are made anew each time."""
# Of accounts and ladders only what the page shows: their rows change with every sign-in and every rated game. A
# confirmation expires without a write. A game without a version waits for a decision, whose reasons come from anywhere.
_VERSIONS = """
SELECT game.key, md5(string_agg(read.line, ' ' ORDER BY read.line)), max(read.rows)
FROM games_game AS game
CROSS JOIN LATERAL (
    SELECT ROW('game', game.xmin)::text AS line, 1 AS rows
    UNION ALL
    (SELECT ROW('seat', seating.id, seating.xmin, player.xmin, merged.xmin)::text, row_number() OVER ()
     FROM games_seating AS seating
     JOIN games_player AS player ON player.id = seating.player_id
     LEFT JOIN games_player AS merged ON merged.id = player.merged_into_id
     WHERE seating.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('log', log.id, log.xmin, upload.xmin, account.username)::text, row_number() OVER ()
     FROM games_movelog AS log
     JOIN games_upload AS upload ON upload.id = log.upload_id
     LEFT JOIN auth_user AS account ON account.id = upload.uploader_id
     WHERE log.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('facts', changed.id, changed.xmin, account.username, club.name)::text, row_number() OVER ()
     FROM games_factchange AS changed
     LEFT JOIN auth_user AS account ON account.id = changed.by_id
     LEFT JOIN games_club AS club ON club.id = changed.club_id
     WHERE changed.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('verdict', verdict.id, verdict.xmin)::text, row_number() OVER ()
     FROM games_verdict AS verdict WHERE verdict.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('table', played.id)::text, row_number() OVER ()
     FROM games_table AS played WHERE played.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('acceptance', acceptance.id, acceptance.xmin, ladder.ruleset, club.xmin)::text, row_number() OVER ()
     FROM games_acceptance AS acceptance
     JOIN games_ladder AS ladder ON ladder.id = acceptance.ladder_id
     LEFT JOIN games_club AS club ON club.id = ladder.club_id
     WHERE acceptance.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('correction', correction.id, correction.xmin)::text, row_number() OVER ()
     FROM games_acceptance AS acceptance
     JOIN games_correction AS correction ON correction.acceptance_id = acceptance.id
     WHERE acceptance.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('rating', event.id, event.xmin)::text, row_number() OVER ()
     FROM games_ratingevent AS event WHERE event.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('confirmation', given.id, given.xmin, given.until > statement_timestamp(), account.username)::text,
            row_number() OVER ()
     FROM games_confirmation AS given
     LEFT JOIN auth_user AS account ON account.id = given.account_id
     WHERE given.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('dispute', dispute.id, dispute.xmin, account.username, settler.username)::text, row_number() OVER ()
     FROM games_dispute AS dispute
     LEFT JOIN auth_user AS account ON account.id = dispute.account_id
     LEFT JOIN auth_user AS settler ON settler.id = dispute.settled_by_id
     WHERE dispute.game_id = game.id LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('comment', comment.id, comment.xmin, account.username)::text, row_number() OVER ()
     FROM games_gamecomment AS comment JOIN auth_user AS account ON account.id = comment.author_id
     WHERE comment.game_id IN (
         SELECT game.id UNION ALL
         SELECT same.id FROM games_game AS same WHERE same.same_as_id = game.id AND NOT same.private
     ) LIMIT %(most)s)
    UNION ALL
    (SELECT ROW('other seating', other.id, other.xmin, acceptance.id, acceptance.xmin)::text, row_number() OVER ()
     FROM games_game AS other
     LEFT JOIN games_acceptance AS acceptance ON acceptance.game_id = other.id
     WHERE other.digest = game.digest AND NOT other.upheld AND NOT other.private LIMIT %(most)s)
) AS read
WHERE game.key = ANY(%(keys)s) AND NOT game.private AND game.same_as_id IS NULL
AND NOT EXISTS (SELECT FROM games_challenge AS open WHERE open.game_id = game.id AND open.state = 'open')
AND NOT EXISTS (SELECT FROM games_challenge AS open WHERE open.rival_id = game.id AND open.state = 'open')
AND NOT EXISTS (SELECT FROM games_acceptance AS waiting WHERE waiting.game_id = game.id AND waiting.held)
GROUP BY game.key
"""


def versions_of(keys: Collection[str]) -> dict[str, str]:
    """Return the versions of games by their keys, in one statement.

    Those of which strangers see nothing have none, nor have those that wait for a decision or have too many rows.
    """
    with connection.cursor() as cursor:
        cursor.execute(_VERSIONS, {"keys": list(keys), "most": _MOST + 1})
        return {key: version for key, version, rows in cursor if rows <= _MOST}
