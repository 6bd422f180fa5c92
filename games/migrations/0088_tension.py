"""Lists of games are sorted by changes of lead and by closeness: the worker finds out what is null."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0087_comment_counts"),
    ]

    operations = [
        migrations.AddField(
            model_name="gameevents",
            name="closeness",
            field=models.SmallIntegerField(
                help_text="What the second of the final figures is of the first, in percent; null if it was not played out.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="gameevents",
            name="lead_changes",
            field=models.SmallIntegerField(
                help_text="How often the lead passed to another seat; null until the worker has counted.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="gameevents",
            name="game",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="happened",
                serialize=False,
                to="games.game",
            ),
        ),
    ]
