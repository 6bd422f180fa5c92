"""Ratings by the day played say of which game they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0091_ratings_by_day"),
    ]

    beside_old_code = {
        "Add field acceptance to dayrating": "Older code writes no such rows.",
    }

    operations = [
        migrations.AddField(
            model_name="dayrating",
            name="acceptance",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.acceptance"
            ),
        ),
    ]
