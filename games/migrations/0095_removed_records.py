"""Rejected records that their uploader removed."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0094_boards_by_day"),
    ]

    operations = [
        migrations.CreateModel(
            name="RemovedRecord",
            fields=[
                (
                    "log",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="removed",
                        serialize=False,
                        to="games.movelog",
                    ),
                ),
                ("was_private", models.BooleanField(help_text="Whether its game was private before.")),
            ],
        ),
    ]
