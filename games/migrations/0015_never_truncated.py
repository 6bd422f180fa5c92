"""What is only ever added to is not emptied either: verdicts, rating events and acts refuse to be truncated."""

from django.db import migrations

TABLES = ("games_verdict", "games_ratingevent", "games_act")


class Migration(migrations.Migration):
    dependencies = [("games", "0014_leaner_indexes")]

    operations = [
        migrations.RunSQL(
            f"CREATE TRIGGER never_truncated BEFORE TRUNCATE ON {table} EXECUTE FUNCTION games_append_only();",
            f"DROP TRIGGER never_truncated ON {table};",
        )
        for table in TABLES
    ]
