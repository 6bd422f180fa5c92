"""Number of an upload's records for each verdict: the table gets the name of what it holds."""

from django.db import migrations, models
from django.db.models import CASCADE, Q


class Migration(migrations.Migration):
    """Renames a table and its constraints; no row changes."""

    dependencies = [("games", "0048_clubs_in_one_table")]

    operations = [
        migrations.RenameModel("Tally", "VerdictCount"),
        migrations.AlterField(
            "verdictcount",
            "upload",
            models.ForeignKey(
                db_index=False, on_delete=CASCADE, related_name="verdict_counts", to="games.upload"
            ),
        ),
        migrations.RemoveConstraint("verdictcount", "tally_once"),
        migrations.RemoveConstraint("verdictcount", "tally_verdict_known"),
        migrations.AddConstraint(
            "verdictcount",
            models.UniqueConstraint(fields=("upload", "verdict", "rule"), name="verdict_count_once"),
        ),
        migrations.AddConstraint(
            "verdictcount",
            models.CheckConstraint(
                condition=Q(verdict__in=["verified", "unfinished", "rejected", "quarantined", "cancelled"]),
                name="verdict_count_verdict_known",
            ),
        ),
    ]
