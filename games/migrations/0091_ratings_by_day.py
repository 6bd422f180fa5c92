"""Ratings by the day played. Each reference to a busy table is a migration of its own."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0090_sorted_games"),
    ]

    operations = [
        migrations.CreateModel(
            name="DayLedger",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "upto",
                    models.PositiveBigIntegerField(
                        default=0, help_text="The last entry by order of acceptance that it knows."
                    ),
                ),
                (
                    "stale",
                    models.BooleanField(default=True, help_text="True when dates changed since it was computed."),
                ),
                ("made_at", models.DateTimeField(null=True)),
                ("games", models.PositiveIntegerField(default=0)),
                (
                    "undated",
                    models.PositiveIntegerField(
                        default=0, help_text="Games left out, as not even their year is known."
                    ),
                ),
                ("began_on", models.DateField(help_text="The first day of a game.", null=True)),
            ],
        ),
        migrations.CreateModel(
            name="DayRating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField(help_text="The game's place in this order, from 1.")),
                ("day", models.DateField(help_text="The day played; of a range of days, the last.")),
                ("number", models.PositiveBigIntegerField(help_text="The game's number by order of acceptance.")),
                ("seat", models.PositiveSmallIntegerField()),
                ("place", models.PositiveSmallIntegerField()),
                ("mu_before", models.FloatField()),
                ("sigma_before", models.FloatField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
            ],
        ),
        migrations.AddField(
            model_name="dayledger",
            name="ladder",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="by_day", to="games.ladder"
            ),
        ),
        migrations.AddField(
            model_name="dayrating",
            name="ladder",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.ladder"
            ),
        ),
    ]
