"""Names that private uploads introduced are introduced by the first public upload that names them, or by nobody."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

INTRODUCED = """
UPDATE games_player AS player SET introduced_by_id = (
    SELECT upload.uploader_id FROM games_seating AS seating
    JOIN games_game AS game ON game.id = seating.game_id AND NOT game.private
    JOIN games_movelog AS log ON log.game_id = game.id JOIN games_upload AS upload ON upload.id = log.upload_id
    WHERE seating.player_id = player.id ORDER BY log.id LIMIT 1)
WHERE introduced_by_id IS NOT NULL
  AND EXISTS (SELECT FROM games_seating WHERE player_id = player.id)
  AND NOT EXISTS (
    SELECT FROM games_seating AS seating JOIN games_game AS game ON game.id = seating.game_id AND NOT game.private
    JOIN games_movelog AS log ON log.game_id = game.id JOIN games_upload AS upload ON upload.id = log.upload_id
    WHERE seating.player_id = player.id AND upload.uploader_id = player.introduced_by_id)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0034_games_that_wait'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(INTRODUCED, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='game',
            name='private',
            field=models.BooleanField(default=False, help_text='Seen only by its owner, and accounts to whom the owner gave a name in it.'),
        ),
        migrations.AlterField(
            model_name='player',
            name='introduced_by',
            field=models.ForeignKey(blank=True, help_text='Whose public upload named the player first; he, or a moderator, can say who it is.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='upload',
            name='private',
            field=models.BooleanField(default=False, help_text='Whether its games are private.'),
        ),
    ]
