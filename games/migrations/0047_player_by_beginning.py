"""An index for names by their beginning, whatever its case."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("games", "0046_clubs_of_leagues")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX player_by_beginning ON games_player (upper(name) text_pattern_ops)",
            "DROP INDEX player_by_beginning",
        ),
    ]
