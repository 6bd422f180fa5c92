"""Names that only private games tell get numbers by chance: whoever uploads one shall not see that it is known."""

from django.db import migrations

_NAMING = (
    ("games_player", "merged_into_id"),
    ("games_claim", "player_id"),
    ("games_flag", "player_id"),
    ("games_act", "player_id"),
    ("games_recount", "player_id"),
    ("games_recount", "into_id"),
    ("games_standing", "player_id"),
    ("games_bestrank", "player_id"),
    ("games_ratingevent", "player_id"),
)
_UNNAMED = " ".join(
    f"AND NOT EXISTS (SELECT FROM {table} AS naming WHERE naming.{column} = player.id)" for table, column in _NAMING
)
BY_CHANCE = f"""
WITH private AS MATERIALIZED (
    SELECT id, (1::bigint << 40) + floor(random() * ((1::bigint << 53) - (1::bigint << 40)))::bigint AS number
    FROM games_player AS player
    WHERE EXISTS (SELECT FROM games_seating WHERE player_id = player.id)
      AND NOT EXISTS (SELECT FROM games_seating AS seating JOIN games_game AS game ON game.id = seating.game_id
                      WHERE seating.player_id = player.id AND NOT game.private) {_UNNAMED}
),
seated AS (UPDATE games_seating SET player_id = private.number FROM private WHERE player_id = private.id)
UPDATE games_player SET id = private.number FROM private WHERE games_player.id = private.id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0038_names_changing_hands'),
    ]

    operations = [
        migrations.RunSQL(BY_CHANCE, migrations.RunSQL.noop),
    ]
