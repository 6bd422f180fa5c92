"""Lists of games are sorted by the mean rating of their players: the worker finds out what is null."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0085_corrected_records"),
    ]

    operations = [
        migrations.AddField(
            model_name="acceptance",
            name="rating",
            field=models.IntegerField(
                help_text="The mean of its players’ ratings before it; null until the worker has looked.", null=True
            ),
        ),
    ]
