"""Names that say what a thing is: kept leaderboards, corrections, and which mails an account wants."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Renames tables and a column; nothing in them changes."""

    dependencies = [("games", "0039_numbers_of_private_names")]

    operations = [
        migrations.RenameModel("Board", "LeaderboardSnapshot"),
        migrations.RenameModel("BoardLine", "SnapshotRow"),
        migrations.RenameModel("Letterbox", "MailPreferences"),
        migrations.RenameModel("Recount", "Correction"),
        migrations.RemoveIndex("Upload", "upload_to_tell_of"),
        migrations.RenameField("Upload", "told_at", "notified_at"),
        migrations.AddIndex(
            "Upload",
            models.Index(
                fields=["done_at", "id"], name="upload_to_tell_of", condition=Q(done_at__isnull=False, notified_at__isnull=True)
            ),
        ),
    ]
