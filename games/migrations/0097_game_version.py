"""A game has a version, which the database raises from the next migration on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0096_removed_counted"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="version",
            field=models.PositiveIntegerField(
                db_default=0,
                default=0,
                help_text="Raised by the database with whatever its public page shows; it never falls.",
            ),
        ),
    ]
