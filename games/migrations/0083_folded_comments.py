"""Words of comments are found without accents, as names are: those that are not ASCII are folded where they stand."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_BATCH = 1_000
_FOLD = r"""
WITH batch AS (
    SELECT log_id, words FROM games_commentwords WHERE log_id > %s AND words::text ~ '[^\x01-\x7f]'
    ORDER BY log_id LIMIT %s
)
UPDATE games_commentwords AS changed SET words = (
    SELECT string_agg('''' || replace(replace(normalize(games_folded(lexeme), NFC), '\', '\\'), '''', '''''') || ''':'
                      || array_to_string(positions, ','), ' ')::tsvector
    FROM unnest(batch.words))
FROM batch WHERE changed.log_id = batch.log_id RETURNING changed.log_id
"""


def fold(_: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Fold what is not ASCII, a batch at a time: what is done stays done if this is interrupted, and is not changed again."""
    last = 0
    with editor.connection.cursor() as cursor:
        while True:
            cursor.execute(_FOLD, [last, _BATCH])
            done = [log for (log,) in cursor.fetchall()]
            if not done:
                return
            last = max(done)


class Migration(migrations.Migration):

    atomic = False
    dependencies = [("games", "0082_resigning_at_once")]
    beside_old_code = {
        "Raw Python operation": "Until it is replaced, older code finds words with accents only as they are typed without.",
    }
    operations = [migrations.RunPython(fold, migrations.RunPython.noop)]
