"""The ledger begins anew: games count by consent now, and what was rated before was rated without it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0003_throttle")]

    operations = [
        migrations.DeleteModel("RatingEvent"),
        migrations.DeleteModel("Standing"),
        migrations.RemoveConstraint("game", "game_accepted_whole"),
        migrations.RemoveField("game", "acceptance"),
        migrations.RemoveField("game", "accepted_at"),
    ]
