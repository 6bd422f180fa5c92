"""Rows hold compressed records, transparently for readers."""

from datetime import datetime

import pytest
from django.core.exceptions import FieldError
from django.db import connection

from engine.verify import verify_bytes
from games.models import MoveLog, Upload
from games.packing import newest, pack, unpack
from games.verification import queue
from games.verification.queue import claim
from games.zstd import zstd
from tests.factories import duels, record
from tests.games.judging import judge_all, judge_batch
from tests.games.uploading import upload_file

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


def test_stored_records_are_compressed_with_the_dictionary_of_the_ruleset(now: datetime) -> None:
    upload_file(record(), via=Upload.Via.API, now=now)
    judge_all(now)

    ((data, text),) = cells()

    assert {zstd.get_frame_info(frame).dictionary_id for frame in (data, text)} == {newest()["atta-ants-online"]}
    assert unpack(data) == record().removesuffix(b"\n")
    assert unpack(text).decode() == verify_bytes(record())[0].text


def test_log_returns_its_record_and_text_uncompressed(now: datetime) -> None:
    upload_file(record(), via=Upload.Via.API, now=now)
    judge_all(now)
    log = MoveLog.objects.get()

    log.save()
    MoveLog.objects.bulk_update([log], ["data", "text"])

    again = MoveLog.objects.values_list("data", "text").get()
    assert (log.data, log.text) == again == (record().removesuffix(b"\n"), verify_bytes(record())[0].text)


def test_database_does_not_compress_records_again() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname, attstorage FROM pg_attribute"
            " WHERE attrelid = 'games_movelog'::regclass AND attname IN ('data', 'text')"
        )
        assert dict(cursor.fetchall()) == {"data": "e", "text": "e"}


@pytest.mark.parametrize("lookup", ["data", "text", "text__contains", "data__isnull"])
def test_compressed_records_cannot_be_filtered(lookup: str) -> None:
    with pytest.raises(FieldError, match="Unsupported lookup"):
        MoveLog.objects.filter(**{lookup: b"Ada"})


def test_damaged_record_is_quarantined_and_does_not_stop_others(now: datetime) -> None:
    upload = upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now)
    damage(2)

    while claims := claim():
        judge_batch(claims, now)

    assert list(upload.logs.order_by("number").values_list("state", "attempts", "failure")) == [
        ("judged", 1, ""),
        ("quarantined", 3, "Verification failed: DamagedError."),
        ("judged", 1, ""),
    ]


def test_batches_are_limited_by_uncompressed_size(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    upload_file(b"\n".join(duels(6)), via=Upload.Via.API, now=now)
    monkeypatch.setattr(queue, "BATCH_BYTES", 2 * len(record()))

    assert max(len(pack(data)) for data in duels(6)) < len(record())
    assert [len(claims) for claims in iter(claim, [])] == [1] * 6
