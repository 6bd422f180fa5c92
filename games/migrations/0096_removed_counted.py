"""Removed records are counted as such."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0095_removed_records"),
    ]

    beside_old_code = {
        "Remove constraint verdict_count_verdict_known from model verdictcount": "Nothing names it in ON CONFLICT.",
        "Create constraint verdict_count_verdict_known on model verdictcount": "It allows one more value than before.",
    }

    operations = [
        migrations.RemoveConstraint(
            model_name="verdictcount",
            name="verdict_count_verdict_known",
        ),
        migrations.AlterField(
            model_name="verdictcount",
            name="verdict",
            field=models.CharField(
                choices=[
                    ("verified", "verified"),
                    ("unfinished", "unfinished"),
                    ("rejected", "rejected"),
                    ("quarantined", "quarantined"),
                    ("cancelled", "cancelled"),
                    ("removed", "removed"),
                ],
                max_length=11,
            ),
        ),
        migrations.AddConstraint(
            model_name="verdictcount",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("verdict__in", ["verified", "unfinished", "rejected", "quarantined", "cancelled", "removed"])
                ),
                name="verdict_count_verdict_known",
            ),
        ),
    ]
