"""A seat that resigns leaves at once: none waits for its turn any more."""

import sys
from typing import Any

from django.db import migrations, models


def tell(apps: Any, schema_editor: Any) -> None:
    """Say who must resign again: what they asked for waited for their turn, and nothing waits any more."""
    seats = apps.get_model("games", "TableSeat").objects.using(schema_editor.connection.alias)
    waiting = seats.filter(resigns=True, table__state="playing")
    for key, letter in waiting.order_by("pk").values_list("table__key", "letter"):
        sys.stdout.write(f"Table {key}: {letter} was to resign at its next turn, and has to resign again.\n")


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0081_corrected_facts'),
    ]

    beside_old_code = {
        'Raw Python operation': 'It only reads.',
    }

    operations = [
        migrations.RunPython(tell, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='tableseat',
            name='resigns',
            field=models.BooleanField(default=False, db_default=False, help_text='Whether it resigns as soon as it is its turn.'),
        ),
        migrations.SeparateDatabaseAndState([], [migrations.RemoveField(model_name='tableseat', name='resigns')]),
    ]
