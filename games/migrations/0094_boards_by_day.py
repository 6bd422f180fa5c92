"""Boards by the day played are kept beside those by order of acceptance."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0093_ratings_by_day_of_players"),
    ]

    beside_old_code = {
        "Remove constraint board_once from model leaderboardsnapshot": "Nothing names it in ON CONFLICT.",
        "Create constraint board_once_by on model leaderboardsnapshot": (
            "Of the rows that older code makes, it allows as many as the constraint before."
        ),
    }

    operations = [
        migrations.RemoveConstraint(
            model_name="leaderboardsnapshot",
            name="board_once",
        ),
        migrations.AddField(
            model_name="leaderboardsnapshot",
            name="by",
            field=models.CharField(
                choices=[("accepted", "by order of acceptance"), ("played", "by day played")],
                db_default="accepted",
                default="accepted",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="leaderboardsnapshot",
            constraint=models.UniqueConstraint(
                fields=("ladder", "by", "after", "upto"), name="board_once_by", nulls_distinct=False
            ),
        ),
    ]
