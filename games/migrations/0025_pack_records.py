"""Packs the records that are there, some at a time: each time is a transaction, and whoever is killed goes on."""

from itertools import accumulate

from django.db import migrations, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from games.packing import pack, unpack


LOGS = 1_000
BYTES = 8 * 1024 * 1024
"""Of the records in one transaction, unless one alone has more."""
PLAIN = """
SELECT id, octet_length(data) + octet_length(text) FROM games_movelog
WHERE id > %s AND (data <> '' OR text <> '') ORDER BY id LIMIT %s
"""
PACK = """
UPDATE games_movelog SET packed_data = %s, packed_text = %s, data = '', text = '' WHERE id = %s
"""
PACKED = """
SELECT id, octet_length(packed_data) + octet_length(packed_text) FROM games_movelog
WHERE id > %s AND (packed_data <> '' OR packed_text <> '') ORDER BY id LIMIT %s
"""
UNPACK = """
UPDATE games_movelog SET data = %s, text = %s, packed_data = '', packed_text = '' WHERE id = %s
"""


def pack_all(connection: BaseDatabaseWrapper) -> None:
    last = 0
    while logs := _some(connection, PLAIN, last):
        with transaction.atomic(connection.alias), connection.cursor() as cursor:
            cursor.execute("SELECT data, text, id FROM games_movelog WHERE id = ANY(%s) FOR UPDATE", [logs])
            rows = [(pack(bytes(data)), pack(text.encode()), log) for data, text, log in cursor]
            cursor.executemany(PACK, rows)
        last = logs[-1]


def unpack_all(connection: BaseDatabaseWrapper) -> None:
    last = 0
    while logs := _some(connection, PACKED, last):
        with transaction.atomic(connection.alias), connection.cursor() as cursor:
            cursor.execute("SELECT packed_data, packed_text, id FROM games_movelog WHERE id = ANY(%s) FOR UPDATE", [logs])
            rows = [(unpack(bytes(data)), unpack(bytes(text)).decode(), log) for data, text, log in cursor]
            cursor.executemany(UNPACK, rows)
        last = logs[-1]


def _some(connection: BaseDatabaseWrapper, wanted: str, after: int) -> list[int]:
    """The next logs, as many as one transaction takes."""
    with connection.cursor() as cursor:
        cursor.execute(wanted, [after, LOGS])
        rows = cursor.fetchall()
    before = accumulate((size for _, size in rows), initial=0)
    return [log for (log, size), so_far in zip(rows, before) if not so_far or so_far + size <= BYTES]


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('games', '0024_packed_columns'),
    ]

    operations = [
        migrations.RunPython(
            lambda apps, editor: pack_all(editor.connection), lambda apps, editor: unpack_all(editor.connection)
        ),
    ]
