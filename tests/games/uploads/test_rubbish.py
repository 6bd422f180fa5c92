"""Files that cost much work and contain almost no games: only a limited part is read."""

import gzip
import time
import zlib
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache, partial
from itertools import chain, repeat

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from games.models import Archive, Upload
from games.uploads import splitting, verdict_counts
from games.uploads.unpacking.budget import UNPRODUCTIVE as MOST
from games.uploads.unpacking.budget import Limits
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploading import store_file
from tests.games.uploads.test_splitting import claimed, split, state
from tests.games.uploads.unpacking.bombs import MIB, zipped, zstd_of
from tests.tiers import by_tier, first_quick

pytestmark = pytest.mark.django_db
SAID = "More than {} of this file contain almost no games, so the rest was not read."
BYTES, LINES, PIECES = (
    f"{MOST.packed} bytes",
    f"{MOST.lines} lines",
    f"{MOST.pieces} packed pieces",
)
RUBBISH = (
    f"More than {MOST.rubbish} records of this file lack the tags that every game needs, so the rest was not read."
)
ONE = record() + b"\n"


@cache
def newlines(count: int) -> bytes:
    """Bytes of fast gzip: just below the ratio of one to a thousand at which a bomb is rejected."""
    packer = zlib.compressobj(1, wbits=31)
    blocks = repeat(b"\n" * MIB, count // MIB)
    return b"".join([*(packer.compress(block) for block in blocks), packer.flush()])


def weak_gzip(data: bytes) -> bytes:
    """Return data compressed less than 1000:1, so that it is not a bomb."""
    return gzip.compress(data, 1)


def long(kind: bytes, size: int = 20 * MIB) -> bytes:
    return kind * (size // len(kind))


def entries(count: int, data: bytes) -> bytes:
    return zipped((f"a/b/c/d/{number}.agn", data) for number in range(count))


def skippable(count: int, size: int) -> bytes:
    """Return zstd frames without data."""
    return (b"\x5a\x2a\x4d\x18" + size.to_bytes(4, "little") + bytes(size)) * count


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "newlines": (lambda: newlines(200_000_000), LINES),
    "newlines after a game": (lambda: weak_gzip(ONE + b"\n" * 1_100_000), LINES),
    "newlines between games": (lambda: weak_gzip((ONE + b"\n" * 100_000) * 100), LINES),
    "newlines in members": (lambda: gzip.compress(b"\n" * 1000) * 2000, LINES),
    "lines that end twice": (lambda: weak_gzip(long(b"\r\n")), LINES),
    "blank lines": (lambda: weak_gzip(long(b"  \t  \r\n" + b" " * 100 + b"\n")), BYTES),
    "one endless line": (lambda: weak_gzip(long(b"atta")), BYTES),
    "one endless blank line": (lambda: weak_gzip(long(b"  \t")), BYTES),
    "one endless line, not packed": (lambda: long(b"atta"), BYTES),
    "newlines, not packed": (lambda: long(b"\n"), LINES),
    "garbage lines": (lambda: weak_gzip(long(b"no game at all\n")), LINES),
    "garbage lines apart": (lambda: weak_gzip(long(b"no game at all, nor anything like it\n\n")), BYTES),
    "comments": (lambda: weak_gzip(ONE + long(b"{a comment that says nothing, and is not the last one}\n")), BYTES),
    "records over the limit": (lambda: weak_gzip((ONE + b"{" + b"a" * 700_000 + b"}\n\n") * 100), BYTES),
    "records of very many lines": (lambda: weak_gzip((ONE + b"a\n" * 130_000 + b"\n") * 30), LINES),
    "JSON of white space": (lambda: weak_gzip(b"{" + long(b" \n \n")), LINES),
    "JSON of blanks": (lambda: weak_gzip(b"{" + long(b" " * 999)), BYTES),
    "JSON that never ends": (lambda: weak_gzip(b'{"a":\n[' + long(b"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],\n")), BYTES),
    "empty entries": (lambda: entries(5_500, b""), PIECES),
    "tiny entries": (lambda: entries(5_500, b" \n"), PIECES),
    "empty members": (lambda: gzip.compress(b"") * 20_000, PIECES),
    "empty frames": (lambda: zstd_of(b"") * 20_000, PIECES),
    "frames without data": (lambda: skippable(20, MIB) + zstd_of(ONE), BYTES),
    "small frames without data": (lambda: skippable(20_000, 0) + zstd_of(ONE), PIECES),
    "zeros after a member": (lambda: gzip.compress(ONE) + bytes(20 * MIB), BYTES),
    "empty objects": (lambda: gzip.compress(b"{}\n" * 2_000_000), RUBBISH),
    "a tag each": (lambda: gzip.compress(b'[Game "x"]\n\n' * 1_000_000), RUBBISH),
    "a bracket each": (lambda: weak_gzip(b"[\n\n" * 2_000_000), RUBBISH),
    "a bracket each, not packed": (lambda: b"[\n\n" * 2_000_000, RUBBISH),
    "empty objects in entries": (lambda: entries(5_500, b"{}"), PIECES),
    "tags alone after a game": (lambda: gzip.compress(ONE + b'\n[Game "Atta Ants"]\n[Setup "x"]\n' * 500_000), RUBBISH),
}
SHOWN = {"newlines", "blank lines", "empty members", "a tag each"}
"""Those in the quick tier: one for each reason."""


@pytest.mark.parametrize("kind", first_quick(sorted(HOSTILE, key=lambda kind: kind not in SHOWN), len(SHOWN)))
def test_file_with_almost_no_games_is_rejected_with_a_specific_reason(kind: str, alice: User, now: datetime) -> None:
    made, stretch = HOSTILE[kind]
    upload = store_file(made(), alice, now)
    split(claimed())

    archive = Archive.objects.get()
    said = stretch if stretch == RUBBISH else SAID.format(stretch)
    assert (state(upload), archive.code, archive.sentence) == ("refused", "almost_no_games", said)


def test_bomb_of_newlines_renews_its_lease_by_bytes_read(alice: User, now: datetime) -> None:
    beats: list[float] = []
    store_file(newlines(200_000_000), alice, now)

    list(splitting.split(claimed(), clock=timezone.now, pulse=lambda: beats.append(time.monotonic())))

    assert len(beats) >= MOST.lines // 2**18, "at least one for each block that comes out"


@cache
def games() -> bytes:
    """Return records surrounded by as much text as in honest files."""
    comment = b"{" + b"".join(b"line %d\n" % line for line in range(16_000)) + b"}\n"
    return b"\n".join(one + comment + b"\n" * (number % 20) for number, one in enumerate(duels(200)))


@pytest.mark.full
@pytest.mark.parametrize(
    "pack",
    by_tier(quick=[zstd_of], long=[zstd_of, bytes, gzip.compress]),
    ids=["zstd", "plain", "gzip"][: by_tier(quick=1, long=3)],
)
def test_file_with_long_records_is_not_rejected(alice: User, now: datetime, pack: Callable[[bytes], bytes]) -> None:
    upload = store_file(pack(games()), alice, now)
    assert (split(), state(upload)) == (200, "verifying")


@pytest.mark.full
def test_resumed_file_is_not_rejected_for_earlier_parts(alice: User, now: datetime) -> None:
    data = games()
    assert len(data) > 1.5 * MOST.unpacked
    upload = store_file(zstd_of(data), alice, now)
    splitter = claimed()
    split(splitter, most=6)
    splitter.let_go()
    begun = upload.logs.count()
    assert (110 < begun < 200, begun + split(), state(upload)) == (True, 200, "verifying")


def owners_in_claim_order(uploads: Iterable[Upload]) -> list[object]:
    """Return the owners of claimed files, in order."""
    owners = {upload.pk: upload.uploader for upload in uploads}
    return [owners[claimed().upload] for _ in owners]


def test_accounts_take_turns_however_many_files_one_of_them_has(alice: User, bob: User, now: datetime) -> None:
    hers = [store_file(gzip.compress(b"%d" % number), alice, now) for number in range(4)]
    his = store_file(gzip.compress(b"his"), bob, now)
    assert owners_in_claim_order([*hers, his])[:2] == [alice, bob]


@pytest.mark.full
def test_small_file_can_be_claimed_while_a_large_one_waits(alice: User, bob: User, now: datetime) -> None:
    store_file(long(b"atta"), alice, now)
    assert splitting.claim(small=True) is None
    his = store_file(gzip.compress(ONE), bob, now)
    small = splitting.claim(small=True)
    assert small is not None
    assert small.upload == his.pk


# Records that look like games


def split_while_judging(splitter: splitting.Splitter, now: datetime) -> int:
    """Split to the end while others judge after every batch. :returns: how many records became logs."""
    split = 0
    for size in splitting.split(splitter, clock=timezone.now, pulse=lambda: None):
        split += size
        judge_all(now)
    return split


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Lower the limits so that few rejected records are enough."""
    settings.SPLITTING_BATCH = 20
    monkeypatch.setattr(verdict_counts, "MOST", 100)


@pytest.mark.full
def test_reading_stops_when_almost_all_records_are_rejected(alice: User, now: datetime, few: None) -> None:
    upload = store_file(gzip.compress((ONE + b"\n") * 3 + (BROKEN + b"\n") * 5_000), alice, now)
    assert split_while_judging(claimed(), now) == 140
    archive = Archive.objects.get()
    assert (state(upload), archive.code, archive.sentence) == (
        "refused",
        "almost_no_games",
        "More than 100 records of this file were rejected and almost none verified, so the rest was not read.",
    )


@pytest.mark.full
def test_file_with_some_hundred_bad_records_is_not_rejected(alice: User, now: datetime, few: None) -> None:
    bad = [BROKEN] * 10 + [b"[Game]\n"] * 5
    upload = store_file(gzip.compress(b"\n".join(chain.from_iterable([one, *bad] for one in duels(30)))), alice, now)
    assert (split_while_judging(claimed(), now), state(upload)) == (480, "verifying")


@pytest.mark.full
def test_file_repeating_one_record_is_rejected_as_a_bomb(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.uploads.pieces.Limits", partial(Limits, records=500))
    upload = store_file(gzip.compress((ONE + b"\n") * 20_000), alice, now)
    split()
    archive = Archive.objects.get()
    assert (state(upload), archive.code) == ("refused", "bomb")
    assert archive.sentence == "This file unpacks to more records than it has bytes, so it is not a file of games."
