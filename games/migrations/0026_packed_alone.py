"""Packed records take the place of those that were not; what came meanwhile, before the table was held, is packed too."""

from importlib import import_module

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import games.models.packed


def pack_rest(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    with editor.connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_movelog IN ACCESS EXCLUSIVE MODE")
    import_module("games.migrations.0025_pack_records").pack_all(editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0025_pack_records'),
    ]

    operations = [
        migrations.RunPython(pack_rest, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='movelog',
            name='data',
        ),
        migrations.RemoveField(
            model_name='movelog',
            name='text',
        ),
        migrations.RenameField(
            model_name='movelog',
            old_name='packed_data',
            new_name='data',
        ),
        migrations.RenameField(
            model_name='movelog',
            old_name='packed_text',
            new_name='text',
        ),
        migrations.AlterField(
            model_name='movelog',
            name='data',
            field=games.models.packed.PackedBytesField(help_text='The bytes as sent.'),
        ),
    ]
