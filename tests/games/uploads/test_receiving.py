"""Receiving files, in one request and in pieces."""

import gzip
import io
from datetime import datetime, timedelta
from hashlib import sha1

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from games.models import Archive, Chunk, MoveLog, Upload
from games.uploads import files
from games.uploads.cutting import MAX_GAMES
from games.uploads.files import CorruptedError, MisplacedError
from games.uploads.origin import IntakeError, Origin
from games.uploads.source import MAX_BYTES, Source
from games.uploads.storage import CHUNK, StoredFile
from games.uploads.submit import submit
from tests.factories import duels, record

pytestmark = pytest.mark.django_db


def upload_records(data: bytes, uploader: User | None, now: datetime, *, size: int | None = None) -> Upload:
    length = len(data) if size is None else size
    return submit(Source(io.BytesIO(data), length), Origin(Upload.Via.WEB, uploader), now=now).upload


def begin(length: int, uploader: User, now: datetime, *, filename: str = "", mark: str = "") -> Upload:
    return files.begin(length, Origin(Upload.Via.API, uploader), now=now, filename=filename, mark=mark)


def append(upload: Upload, offset: int, data: bytes, now: datetime) -> int:
    return files.append(upload.pk, offset, io.BytesIO(data), len(data), now=now)


def stored(upload: Upload) -> bytes:
    file = StoredFile(upload.archive, lambda: None)
    pieces, at = [], 0
    while piece := file.read_at(at, 300_000):
        pieces.append(piece)
        at += len(piece)
    return b"".join(pieces)


# In one request


def test_small_plain_file_is_split_at_once(alice: User, now: datetime) -> None:
    upload = upload_records(b"\n".join(duels(3)), alice, now)
    assert (upload.state, upload.logs.count(), Archive.objects.count()) == ("verifying", 3, 0)
    lengths = [len(one) + 1 for one in duels(3)]
    begins = list(upload.logs.order_by("number").values_list("offset", flat=True))
    assert begins == [0, lengths[0], lengths[0] + lengths[1]]


@pytest.mark.parametrize("data", [gzip.compress(record()), b"[A]\n\n" * (MAX_GAMES + 1), b"x" * (MAX_BYTES + 1)])
def test_compressed_or_large_file_is_stored_for_splitting(alice: User, now: datetime, data: bytes) -> None:
    upload = upload_records(data, alice, now)
    assert (upload.state, upload.archive.received, MoveLog.objects.count()) == ("waiting", len(data), 0)
    assert stored(upload) == data


def test_anonymous_upload_is_limited_to_small_plain_files(now: datetime) -> None:
    for data, said in (
        (gzip.compress(record()), "Sign in to upload compressed files."),
        (b"x" * (MAX_BYTES + 1), f"Without an account an upload may have at most {MAX_BYTES} bytes."),
        (b"[A]\n\n" * (MAX_GAMES + 1), f"An upload may have at most {MAX_GAMES} games."),
    ):
        with pytest.raises(IntakeError, match=said):
            upload_records(data, None, now)
    assert not Upload.objects.exists()


def test_unsupported_compression_is_rejected_at_once(alice: User, now: datetime) -> None:
    with pytest.raises(IntakeError, match="This is bzip2") as refused:
        upload_records(b"BZh91AY&SY" + bytes(100), alice, now)
    assert refused.value.code == "not_taken"


def test_incomplete_file_leaves_nothing_behind(alice: User, now: datetime) -> None:
    with pytest.raises(IntakeError, match="The file is incomplete"):
        upload_records(gzip.compress(record()), alice, now, size=10_000)
    assert not Upload.objects.exists()
    assert not Chunk.objects.exists()


# In pieces


def test_appended_bytes_continue_the_file(alice: User, now: datetime) -> None:
    data = bytes(range(256)) * 10_000
    upload = begin(len(data), alice, now, filename="evening.agn", mark="evening 7")
    assert append(upload, 0, data[:1_500_000], now) == 1_500_000
    assert append(upload, 1_500_000, data[1_500_000:], now) == len(data)
    upload.refresh_from_db()
    assert (upload.state, upload.filename, upload.archive.mark) == ("waiting", "evening.agn", "evening 7")
    assert stored(upload) == data
    assert max(len(chunk.data) for chunk in Chunk.objects.all()) == CHUNK


@pytest.mark.parametrize("offset", [0, 9, 11, 100])
def test_bytes_at_a_wrong_offset_are_rejected(alice: User, now: datetime, offset: int) -> None:
    upload = begin(20, alice, now)
    append(upload, 0, b"x" * 10, now)
    with pytest.raises(MisplacedError) as refused:
        append(upload, offset, b"y", now)
    assert refused.value.expected == 10
    assert stored(upload) == b"x" * 10


def test_bytes_beyond_the_announced_length_are_rejected(alice: User, now: datetime) -> None:
    upload = begin(20, alice, now)
    with pytest.raises(MisplacedError):
        append(upload, 0, b"x" * 21, now)


def test_complete_file_cannot_be_extended(alice: User, now: datetime) -> None:
    upload = begin(1, alice, now)
    append(upload, 0, b"x", now)
    with pytest.raises(MisplacedError):
        append(upload, 1, b"x", now)


def test_appended_bytes_are_checked_against_their_checksum(alice: User, now: datetime) -> None:
    upload = begin(10, alice, now)
    good = sha1(b"hello", usedforsecurity=False).digest()
    assert files.append_checked(upload.pk, 0, io.BytesIO(b"hello"), 5, ("sha1", good), now=now) == 5
    with pytest.raises(CorruptedError):
        files.append_checked(upload.pk, 5, io.BytesIO(b"hallo"), 5, ("sha1", good), now=now)
    assert stored(upload) == b"hello"


# Limits


def test_oversized_file_is_rejected_before_any_byte_is_received(alice: User, now: datetime) -> None:
    with pytest.raises(IntakeError, match=r"A file may have at most 2147483648 bytes\.") as refused:
        begin(2**31 + 1, alice, now)
    assert refused.value.code == "too_large"


def test_file_of_zero_bytes_is_rejected(alice: User, now: datetime) -> None:
    with pytest.raises(IntakeError, match=r"This upload contains no game\."):
        begin(0, alice, now)


def test_number_of_open_files_per_account_is_limited(alice: User, bob: User, now: datetime, settings: Settings) -> None:
    settings.UPLOAD_MAX_OPEN = 2
    first = begin(1, alice, now)
    begin(1, alice, now)
    with pytest.raises(IntakeError, match="One account can have at most 2 files being received or unpacked"):
        begin(1, alice, now)
    begin(1, bob, now)
    Upload.objects.filter(pk=first.pk).update(state="cancelled")
    begin(1, alice, now)


def test_number_of_stored_bytes_per_account_is_limited(alice: User, now: datetime, settings: Settings) -> None:
    settings.UPLOAD_MAX_STORED = 100
    begin(60, alice, now)
    with pytest.raises(IntakeError, match="One account can have at most 100 bytes waiting to be unpacked"):
        begin(41, alice, now)
    begin(40, alice, now)


def test_abandoned_files_are_deleted(alice: User, now: datetime) -> None:
    old, new = begin(10, alice, now), begin(10, alice, now)
    append(new, 0, b"x", now + timedelta(hours=47))
    assert files.forget_unfinished(now=now + timedelta(hours=49)) == 1
    assert [upload.pk for upload in Upload.objects.all()] == [new.pk]
    assert old.pk != new.pk
