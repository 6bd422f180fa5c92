"""Rows hold records packed, and whoever reads them does not notice."""

from collections.abc import Iterator
from datetime import datetime
from importlib import import_module
from typing import Any

import pytest
from django.core.exceptions import FieldError
from django.db import connection

from engine.verify import verify_bytes
from games.models import MoveLog, Upload
from games.packing import newest, pack, unpack
from games.uploads.submit import take_in
from games.verification import queue
from games.verification.queue import claim
from games.zstd import zstd
from tests.factories import duels, record
from tests.games.judging import judge_all, judge_batch

pytestmark = pytest.mark.django_db


def cells() -> list[tuple[bytes, bytes]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT data, text FROM games_movelog ORDER BY id")
        return [(bytes(data), bytes(text)) for data, text in cursor]


def damage(number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_movelog SET data = overlay(data PLACING '\\x00'::bytea FROM length(data) - 8)"
            " WHERE number = %s",
            [number],
        )


def test_a_row_holds_frames_that_name_the_dictionary(now: datetime) -> None:
    take_in(record(), via=Upload.Via.API, now=now)
    judge_all(now)

    ((data, text),) = cells()

    assert {zstd.get_frame_info(frame).dictionary_id for frame in (data, text)} == {newest()["atta-ants-online"]}
    assert unpack(data) == record().removesuffix(b"\n")
    assert unpack(text).decode() == verify_bytes(record())[0].text


def test_a_log_has_its_record_and_its_text_as_if_they_were_not_packed(now: datetime) -> None:
    take_in(record(), via=Upload.Via.API, now=now)
    judge_all(now)
    log = MoveLog.objects.get()

    log.save()
    MoveLog.objects.bulk_update([log], ["data", "text"])

    again = MoveLog.objects.values_list("data", "text").get()
    assert (log.data, log.text) == again == (record().removesuffix(b"\n"), verify_bytes(record())[0].text)


def test_the_database_packs_nothing_a_second_time() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname, attstorage FROM pg_attribute"
            " WHERE attrelid = 'games_movelog'::regclass AND attname IN ('data', 'text')"
        )
        assert dict(cursor.fetchall()) == {"data": "e", "text": "e"}


@pytest.mark.parametrize("lookup", ["data", "text", "text__contains", "data__isnull"])
def test_no_query_can_look_into_packed_records(lookup: str) -> None:
    with pytest.raises(FieldError, match="Unsupported lookup"):
        MoveLog.objects.filter(**{lookup: b"Ada"})


def test_a_damaged_record_is_set_aside_and_stops_no_other(now: datetime) -> None:
    upload = take_in(b"\n".join(duels(3)), via=Upload.Via.API, now=now)
    damage(2)

    while claims := claim():
        judge_batch(claims, now)

    assert list(upload.logs.order_by("number").values_list("state", "attempts", "trouble")) == [
        ("judged", 1, ""),
        ("quarantined", 3, "Verification broke off: DamagedError."),
        ("judged", 1, ""),
    ]


def test_batches_are_bounded_by_what_comes_out_of_records(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    take_in(b"\n".join(duels(6)), via=Upload.Via.API, now=now)
    monkeypatch.setattr(queue, "BATCH_BYTES", 2 * len(record()))

    assert max(len(pack(data)) for data in duels(6)) < len(record())
    assert [len(claims) for claims in iter(claim, [])] == [1] * 6


@pytest.fixture
def plain() -> Iterator[list[tuple[int, bytes, str]]]:
    """Rows as they were before records were packed, in a table that hides the other."""
    read = [(bytes(one), verify_bytes(one)[0].text or "") for one in duels(5)]
    rows = [(number, data, text) for number, (data, text) in enumerate([*read, (b"\xff\x00 not a game", "")], 1)]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE games_movelog (id bigint, data bytea NOT NULL, text text NOT NULL,"
            " packed_data bytea NOT NULL DEFAULT '', packed_text bytea NOT NULL DEFAULT '')"
        )
        cursor.executemany("INSERT INTO games_movelog VALUES (%s, %s, %s)", rows)
        yield rows
        cursor.execute("DROP TABLE pg_temp.games_movelog")


def held(columns: str) -> list[tuple[int, bytes, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id, {columns} FROM games_movelog ORDER BY id")
        return [(number, bytes(data), text) for number, data, text in cursor]


def unpacked() -> list[tuple[int, bytes, str]]:
    return [
        (number, unpack(data), unpack(bytes(text)).decode()) for number, data, text in held("packed_data, packed_text")
    ]


def test_records_of_before_are_packed_some_at_a_time_and_back(
    plain: list[tuple[int, bytes, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    migration = import_module("games.migrations.0025_pack_records")
    monkeypatch.setattr(migration, "LOGS", 2)

    migration.pack_all(connection)
    assert unpacked() == plain
    assert {(data, text) for _, data, text in held("data, text")} == {(b"", "")}

    migration.unpack_all(connection)
    assert held("data, text") == plain


def test_whoever_is_killed_while_packing_goes_on(
    plain: list[tuple[int, bytes, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    migration = import_module("games.migrations.0025_pack_records")
    monkeypatch.setattr(migration, "LOGS", 2)
    packed: list[bytes] = []

    def killed(data: bytes) -> bytes:
        packed.append(data)
        if len(packed) > 6:
            raise KeyboardInterrupt
        return pack(data)

    with monkeypatch.context() as patch:
        patch.setattr(migration, "pack", killed)
        with pytest.raises(KeyboardInterrupt):
            migration.pack_all(connection)
    assert [number for number, data, _ in held("packed_data, packed_text") if data] == [1, 2]

    migration.pack_all(connection)
    assert unpacked() == plain


def test_few_large_records_are_packed_at_a_time(
    plain: list[tuple[int, bytes, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    migration = import_module("games.migrations.0025_pack_records")
    monkeypatch.setattr(migration, "BYTES", 1)

    assert migration._some(connection, migration.PLAIN, 0) == [1]
    migration.pack_all(connection)
    assert unpacked() == plain
