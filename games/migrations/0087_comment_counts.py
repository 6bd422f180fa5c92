"""Lists of games are sorted by their comments."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0086_mean_ratings"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="comment_count",
            field=models.IntegerField(
                db_default=0, default=0, help_text="Comments on it that nobody hides; the database keeps it."
            ),
        ),
    ]
