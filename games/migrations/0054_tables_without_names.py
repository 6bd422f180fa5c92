"""Final tables of seasons keep players by their numbers; names are read where they are shown."""

from django.db import migrations

FORGET = """
UPDATE games_season SET "table" = jsonb_set("table", '{rows}', coalesce(
    (SELECT jsonb_agg(row - 'name' ORDER BY number) FROM jsonb_array_elements("table" -> 'rows') WITH ORDINALITY AS kept (row, number)),
    '[]'))
WHERE "table" IS NOT NULL;
"""


class Migration(migrations.Migration):
    """Remove the names from the tables that are kept."""

    dependencies = [("games", "0053_club_listing")]

    operations = [migrations.RunSQL(FORGET, migrations.RunSQL.noop)]
