"""Verdicts and rating events are only ever added: the database itself refuses to change or remove one."""

from django.db import migrations

TABLES = ("games_verdict", "games_ratingevent")

FORBID = """
CREATE FUNCTION games_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP;
END $$;
""" + "".join(
    f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
    "FOR EACH ROW EXECUTE FUNCTION games_append_only();\n"
    for table in TABLES
)
ALLOW = "".join(f"DROP TRIGGER append_only ON {table};\n" for table in TABLES) + "DROP FUNCTION games_append_only();"


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [migrations.RunSQL(FORBID, ALLOW)]
