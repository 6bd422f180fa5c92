"""Packs the records that are there, some at a time: each time is a transaction, and whoever is killed goes on."""

import re
from functools import cache
from itertools import accumulate
from pathlib import Path

from django.db import migrations, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from games.zstd import zstd

# What the app does changes; what this migration does stays: all that it needs is in it, but for the dictionaries,
# of which each number means the same for ever.

DICTIONARIES = Path(__file__).resolve().parent.parent / "dictionaries"
BY_TAGS = {
    (b"Atta Ants", b"online"): "1-atta-ants-online",
    (b"Atta Ants", b"2003"): "2-atta-ants-2003",
    (b"Ant Trails", b"2020"): "3-ant-trails-2020",
    (b"Army Ants", b"standard"): "4-army-ants",
}
NAMING = re.compile(rb'(Game|Rules)"?[ \t]*:?[ \t]*"([^"\\]*)"')
LOOKED_AT = 512
MOST = 1 << 20
LEVEL = 3

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


def pack(record: bytes) -> bytes:
    if not record:
        return b""
    if len(record) > MOST:
        raise ValueError(f"A record of {len(record)} bytes is not packed: {MOST} are the most.")
    named = dict(NAMING.findall(record, 0, LOOKED_AT))
    packer = _packer(BY_TAGS.get((named.get(b"Game", b""), named.get(b"Rules", b""))))
    return packer.compress(record, packer.FLUSH_FRAME)


def unpack(frame: bytes) -> bytes:
    if not frame:
        return b""
    number = zstd.get_frame_info(frame).dictionary_id
    (name,) = [one for one in BY_TAGS.values() if one.startswith(f"{number}-")] if number else [None]
    return zstd.decompress(frame, zstd_dict=_dictionary(name))


@cache
def _dictionary(name: str | None) -> "zstd.ZstdDict | None":
    return zstd.ZstdDict((DICTIONARIES / f"{name}.zdict").read_bytes()) if name else None


@cache
def _packer(name: str | None) -> "zstd.ZstdCompressor":
    words = _dictionary(name)
    level, checked = zstd.CompressionParameter.compression_level, zstd.CompressionParameter.checksum_flag
    return zstd.ZstdCompressor(options={level: LEVEL, checked: 1}, zstd_dict=words.as_digested_dict if words else None)


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
