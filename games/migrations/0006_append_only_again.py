"""Rating events and acts, too, are only ever added: the database itself refuses to change or remove one."""

from django.db import migrations

TABLES = ("games_ratingevent", "games_act")


class Migration(migrations.Migration):
    dependencies = [("games", "0005_consent_and_ladders")]

    operations = [
        migrations.RunSQL(
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION games_append_only();",
            f"DROP TRIGGER append_only ON {table};",
        )
        for table in TABLES
    ]
