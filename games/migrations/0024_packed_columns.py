"""Columns for packed records beside those that hold them as they are; the next migration fills them."""

from django.db import migrations, models

import games.models.packed


# What is packed is not compressed once more, and its first bytes are read by themselves.
EXTERNAL = """
ALTER TABLE games_movelog ALTER COLUMN packed_data SET STORAGE EXTERNAL, ALTER COLUMN packed_text SET STORAGE EXTERNAL
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0023_tried_by_digest'),
    ]

    operations = [
        migrations.AlterField(
            model_name='movelog',
            name='data',
            field=models.BinaryField(default=b'', help_text='The bytes as sent.'),
        ),
        migrations.AddField(
            model_name='movelog',
            name='packed_data',
            field=games.models.packed.PackedBytesField(default=b'', help_text='The bytes as sent.'),
        ),
        migrations.AddField(
            model_name='movelog',
            name='packed_text',
            field=games.models.packed.PackedTextField(blank=True, default='', help_text='The canonical text; empty when rejected.'),
        ),
        migrations.RunSQL(EXTERNAL, migrations.RunSQL.noop),
    ]
