"""Players whose names look the same are found by their folded names."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the index."""

    atomic = False
    dependencies = [("games", "0078_time_zone_of_clubs")]
    operations = [
        AddIndexConcurrently(
            model_name="player", index=models.Index(fields=["folded"], name="player_by_folded")
        )
    ]
