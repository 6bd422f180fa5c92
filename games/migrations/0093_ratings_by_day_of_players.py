"""Ratings by the day played say of whom they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0092_ratings_by_day_of_games"),
    ]

    beside_old_code = {
        "Create index day_rating_history on field(s) player, ladder, position of model dayrating": "Older code writes no such rows.",
        "Create index day_rating_by_day on field(s) ladder, day, position of model dayrating": "Older code writes no such rows.",
        "Add field player to dayrating": "Older code writes no such rows.",
        "Create constraint day_rating_once on model dayrating": "Older code writes no such rows.",
    }

    operations = [
        migrations.AddField(
            model_name="dayrating",
            name="player",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.player"
            ),
        ),
        migrations.AddIndex(
            model_name="dayrating",
            index=models.Index(fields=["player", "ladder", "position"], name="day_rating_history"),
        ),
        migrations.AddIndex(
            model_name="dayrating",
            index=models.Index(fields=["ladder", "day", "position"], name="day_rating_by_day"),
        ),
        migrations.AddConstraint(
            model_name="dayrating",
            constraint=models.UniqueConstraint(fields=("ladder", "position", "seat"), name="day_rating_once"),
        ),
    ]
