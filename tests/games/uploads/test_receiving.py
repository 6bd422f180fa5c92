"""Receiving files, at once and in pieces."""

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


def hand_in(data: bytes, uploader: User | None, now: datetime, *, size: int | None = None) -> Upload:
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


# At once


def test_a_small_plain_file_is_cut_at_once(alice: User, now: datetime) -> None:
    upload = hand_in(b"\n".join(duels(3)), alice, now)
    assert (upload.state, upload.logs.count(), Archive.objects.count()) == ("verifying", 3, 0)
    lengths = [len(one) + 1 for one in duels(3)]
    begins = list(upload.logs.order_by("number").values_list("offset", flat=True))
    assert begins == [0, lengths[0], lengths[0] + lengths[1]]


@pytest.mark.parametrize("data", [gzip.compress(record()), b"[A]\n\n" * (MAX_GAMES + 1), b"x" * (MAX_BYTES + 1)])
def test_what_is_packed_or_large_is_stored_to_be_split(alice: User, now: datetime, data: bytes) -> None:
    upload = hand_in(data, alice, now)
    assert (upload.state, upload.archive.received, MoveLog.objects.count()) == ("waiting", len(data), 0)
    assert stored(upload) == data


def test_who_has_no_account_hands_in_small_plain_files_only(now: datetime) -> None:
    for data, said in (
        (gzip.compress(record()), "Sign in to upload compressed files."),
        (b"x" * (MAX_BYTES + 1), f"Without an account an upload may have at most {MAX_BYTES} bytes."),
        (b"[A]\n\n" * (MAX_GAMES + 1), f"An upload may have at most {MAX_GAMES} games."),
    ):
        with pytest.raises(IntakeError, match=said):
            hand_in(data, None, now)
    assert not Upload.objects.exists()


def test_other_packers_are_refused_at_once(alice: User, now: datetime) -> None:
    with pytest.raises(IntakeError, match="This is bzip2") as refused:
        hand_in(b"BZh91AY&SY" + bytes(100), alice, now)
    assert refused.value.code == "not_taken"


def test_of_a_file_that_does_not_come_to_its_end_nothing_is_kept(alice: User, now: datetime) -> None:
    with pytest.raises(IntakeError, match="The file is incomplete"):
        hand_in(gzip.compress(record()), alice, now, size=10_000)
    assert not Upload.objects.exists()
    assert not Chunk.objects.exists()


# In pieces


def test_bytes_go_on_where_they_ended(alice: User, now: datetime) -> None:
    data = bytes(range(256)) * 10_000
    upload = begin(len(data), alice, now, filename="evening.agn", mark="evening 7")
    assert append(upload, 0, data[:1_500_000], now) == 1_500_000
    assert append(upload, 1_500_000, data[1_500_000:], now) == len(data)
    upload.refresh_from_db()
    assert (upload.state, upload.filename, upload.archive.mark) == ("waiting", "evening.agn", "evening 7")
    assert stored(upload) == data
    assert max(len(chunk.data) for chunk in Chunk.objects.all()) == CHUNK


@pytest.mark.parametrize("offset", [0, 9, 11, 100])
def test_bytes_that_belong_elsewhere_are_refused(alice: User, now: datetime, offset: int) -> None:
    upload = begin(20, alice, now)
    append(upload, 0, b"x" * 10, now)
    with pytest.raises(MisplacedError) as refused:
        append(upload, offset, b"y", now)
    assert refused.value.expected == 10
    assert stored(upload) == b"x" * 10


def test_more_than_was_announced_is_refused(alice: User, now: datetime) -> None:
    upload = begin(20, alice, now)
    with pytest.raises(MisplacedError):
        append(upload, 0, b"x" * 21, now)


def test_to_what_is_whole_nothing_is_added(alice: User, now: datetime) -> None:
    upload = begin(1, alice, now)
    append(upload, 0, b"x", now)
    with pytest.raises(MisplacedError):
        append(upload, 1, b"x", now)


def test_bytes_can_be_checked(alice: User, now: datetime) -> None:
    upload = begin(10, alice, now)
    good = sha1(b"hello", usedforsecurity=False).digest()
    assert files.append_checked(upload.pk, 0, io.BytesIO(b"hello"), 5, ("sha1", good), now=now) == 5
    with pytest.raises(CorruptedError):
        files.append_checked(upload.pk, 5, io.BytesIO(b"hallo"), 5, ("sha1", good), now=now)
    assert stored(upload) == b"hello"


# What there is room for


def test_a_file_too_large_is_refused_before_a_byte_of_it_comes(alice: User, now: datetime) -> None:
    with pytest.raises(IntakeError, match=r"A file may have at most 2147483648 bytes\.") as refused:
        begin(2**31 + 1, alice, now)
    assert refused.value.code == "too_large"


def test_a_file_of_nothing_is_refused(alice: User, now: datetime) -> None:
    with pytest.raises(IntakeError, match=r"This upload contains no game\."):
        begin(0, alice, now)


def test_an_account_has_few_files_open(alice: User, bob: User, now: datetime, settings: Settings) -> None:
    settings.UPLOAD_MAX_OPEN = 2
    first = begin(1, alice, now)
    begin(1, alice, now)
    with pytest.raises(IntakeError, match="One account can have at most 2 files being received or unpacked"):
        begin(1, alice, now)
    begin(1, bob, now)
    Upload.objects.filter(pk=first.pk).update(state="cancelled")
    begin(1, alice, now)


def test_an_account_has_few_bytes_open(alice: User, now: datetime, settings: Settings) -> None:
    settings.UPLOAD_MAX_STORED = 100
    begin(60, alice, now)
    with pytest.raises(IntakeError, match="One account can have at most 100 bytes waiting to be unpacked"):
        begin(41, alice, now)
    begin(40, alice, now)


def test_what_nobody_goes_on_with_is_removed(alice: User, now: datetime) -> None:
    old, new = begin(10, alice, now), begin(10, alice, now)
    append(new, 0, b"x", now + timedelta(hours=47))
    assert files.forget_unfinished(now=now + timedelta(hours=49)) == 1
    assert [upload.pk for upload in Upload.objects.all()] == [new.pk]
    assert old.pk != new.pk
