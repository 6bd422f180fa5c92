"""Files that ask for much work and hold hardly any games: only a bounded part is read, however they are made."""

import gzip
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import chain, repeat

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import Settings

from games.models import Archive, Upload
from games.uploads import splitting, verdict_counts
from games.uploads.unpacking.budget import BARREN, Limits
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploads.test_splitting import claimed, split, state, store
from tests.games.uploads.unpacking.bombs import MIB, zipped, zstd_of
from tests.tiers import by_tier

pytestmark = pytest.mark.django_db
SAID = "More than {} of this file contain almost no games, so the rest was not read."
BYTES, LINES, PIECES = f"{BARREN.packed} bytes", f"{BARREN.lines} lines", f"{BARREN.pieces} packed pieces"
RUBBISH = (
    f"More than {BARREN.rubbish} records of this file lack the tags that every game needs, so the rest was not read."
)
ONE = record() + b"\n"


def newlines(count: int) -> bytes:
    """So many in gzip, quickly packed: less than one to a thousand, as no bomb is refused for."""
    packer = zlib.compressobj(1, wbits=31)
    blocks = repeat(b"\n" * MIB, count // MIB)
    return b"".join([*(packer.compress(block) for block in blocks), packer.flush()])


def thinly(data: bytes) -> bytes:
    """Packed so that less than a thousand bytes come out of each: no bomb."""
    return gzip.compress(data, 1)


def long(kind: bytes, size: int = 20 * MIB) -> bytes:
    return kind * (size // len(kind))


def entries(count: int, data: bytes) -> bytes:
    return zipped((f"a/b/c/d/{number}.agn", data) for number in range(count))


def skippable(count: int, size: int) -> bytes:
    """Frames of zstd that hold no data."""
    return (b"\x5a\x2a\x4d\x18" + size.to_bytes(4, "little") + bytes(size)) * count


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "newlines": (lambda: newlines(200_000_000), LINES),
    "newlines after a game": (lambda: thinly(ONE + b"\n" * 1_100_000), LINES),
    "newlines between games": (lambda: thinly((ONE + b"\n" * 100_000) * 100), LINES),
    "newlines in members": (lambda: gzip.compress(b"\n" * 1000) * 2000, LINES),
    "lines that end twice": (lambda: thinly(long(b"\r\n")), LINES),
    "blank lines": (lambda: thinly(long(b"  \t  \r\n" + b" " * 100 + b"\n")), BYTES),
    "one endless line": (lambda: thinly(long(b"atta")), BYTES),
    "one endless blank line": (lambda: thinly(long(b"  \t")), BYTES),
    "one endless line, not packed": (lambda: long(b"atta"), BYTES),
    "newlines, not packed": (lambda: long(b"\n"), LINES),
    "garbage lines": (lambda: thinly(long(b"no game at all\n")), LINES),
    "garbage lines apart": (lambda: thinly(long(b"no game at all, nor anything like it\n\n")), BYTES),
    "comments": (lambda: thinly(ONE + long(b"{a comment that says nothing, and is not the last one}\n")), BYTES),
    "records over the limit": (lambda: thinly((ONE + b"{" + b"a" * 700_000 + b"}\n\n") * 100), BYTES),
    "records of very many lines": (lambda: thinly((ONE + b"a\n" * 130_000 + b"\n") * 30), LINES),
    "JSON of white space": (lambda: thinly(b"{" + long(b" \n \n")), LINES),
    "JSON of blanks": (lambda: thinly(b"{" + long(b" " * 999)), BYTES),
    "JSON that never ends": (lambda: thinly(b'{"a":\n[' + long(b"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],\n")), BYTES),
    "empty entries": (lambda: entries(20_000, b""), PIECES),
    "tiny entries": (lambda: entries(20_000, b" \n"), PIECES),
    "empty members": (lambda: gzip.compress(b"") * 100_000, PIECES),
    "empty frames": (lambda: zstd_of(b"") * 100_000, PIECES),
    "frames without data": (lambda: skippable(20, MIB) + zstd_of(ONE), BYTES),
    "small frames without data": (lambda: skippable(100_000, 0) + zstd_of(ONE), PIECES),
    "zeros after a member": (lambda: gzip.compress(ONE) + bytes(20 * MIB), BYTES),
    "empty objects": (lambda: gzip.compress(b"{}\n" * 2_000_000), RUBBISH),
    "a tag each": (lambda: gzip.compress(b'[Game "x"]\n\n' * 1_000_000), RUBBISH),
    "a bracket each": (lambda: thinly(b"[\n\n" * 2_000_000), RUBBISH),
    "a bracket each, not packed": (lambda: b"[\n\n" * 2_000_000, RUBBISH),
    "empty objects in entries": (lambda: entries(20_000, b"{}"), PIECES),
    "tags alone after a game": (lambda: gzip.compress(ONE + b'\n[Game "Atta Ants"]\n[Setup "x"]\n' * 500_000), RUBBISH),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_it_is_refused_within_seconds_with_its_own_sentence(kind: str, alice: User, now: datetime) -> None:
    made, stretch = HOSTILE[kind]
    upload = store(made(), alice, now)
    split(claimed())

    archive = Archive.objects.get()
    said = stretch if stretch == RUBBISH else SAID.format(stretch)
    assert (state(upload), archive.code, archive.sentence) == ("refused", "almost_no_games", said)


def test_a_bomb_of_newlines_keeps_its_lease_by_the_bytes_that_it_gives(alice: User, now: datetime) -> None:
    beats: list[float] = []
    store(newlines(200_000_000), alice, now)

    list(splitting.split(claimed(), clock=timezone.now, pulse=lambda: beats.append(time.monotonic())))

    assert len(beats) >= BARREN.lines // 2**18, "at least one for each block that comes out"


def games() -> Iterator[bytes]:
    """Records with as much around them as honest files have."""
    for number, one in enumerate(duels(200)):
        yield one + b"{" + b"".join(b"line %d\n" % line for line in range(16_000)) + b"}\n" + b"\n" * (number % 20)


@pytest.mark.parametrize(
    "pack",
    by_tier(quick=[zstd_of], long=[zstd_of, bytes, gzip.compress]),
    ids=["zstd", "plain", "gzip"][: by_tier(quick=1, long=3)],
)
def test_long_records_are_no_reason(alice: User, now: datetime, pack: Callable[[bytes], bytes]) -> None:
    upload = store(pack(b"\n".join(games())), alice, now)
    assert (split(), state(upload)) == (200, "verifying")


def test_a_file_that_is_split_on_is_not_refused_for_what_was_split_before(alice: User, now: datetime) -> None:
    data = b"\n".join(games())
    assert len(data) > 1.5 * BARREN.unpacked
    upload = store(zstd_of(data), alice, now)
    splitter = claimed()
    split(splitter, most=6)
    splitter.let_go()
    begun = upload.logs.count()
    assert (110 < begun < 200, begun + split(), state(upload)) == (True, 200, "verifying")


def in_turn(uploads: Iterable[Upload]) -> list[object]:
    """Whose files are claimed, one after the other."""
    owners = {upload.pk: upload.uploader for upload in uploads}
    return [owners[claimed().upload] for _ in owners]


def test_accounts_take_turns_however_many_files_one_of_them_has(alice: User, bob: User, now: datetime) -> None:
    hers = [store(gzip.compress(b"%d" % number), alice, now) for number in range(4)]
    his = store(gzip.compress(b"his"), bob, now)
    assert in_turn([*hers, his])[:2] == [alice, bob]


def test_a_small_file_can_be_claimed_beside_a_large_one(alice: User, bob: User, now: datetime) -> None:
    store(long(b"atta"), alice, now)
    assert splitting.claim(small=True) is None
    his = store(gzip.compress(ONE), bob, now)
    small = splitting.claim(small=True)
    assert small is not None
    assert small.upload == his.pk


# Records that look like games


def judged_meanwhile(splitter: splitting.Splitter, now: datetime) -> int:
    """Split to the end, while others judge after every batch. :returns: how many records became logs."""
    split = 0
    for size in splitting.split(splitter, clock=timezone.now, pulse=lambda: None):
        split += size
        judge_all(now)
    return split


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Let few rejected records be enough, that few need be judged."""
    settings.SPLITTING_BATCH = 20
    monkeypatch.setattr(verdict_counts, "MOST", 100)


def test_a_file_whose_records_are_all_rejected_is_soon_read_no_further(alice: User, now: datetime, few: None) -> None:
    upload = store(gzip.compress((ONE + b"\n") * 3 + (BROKEN + b"\n") * 5_000), alice, now)
    assert judged_meanwhile(claimed(), now) == 140
    archive = Archive.objects.get()
    assert (state(upload), archive.code, archive.sentence) == (
        "refused",
        "almost_no_games",
        "More than 100 records of this file were rejected and almost none verified, so the rest was not read.",
    )


def test_a_few_hundred_bad_records_among_good_ones_are_no_reason(alice: User, now: datetime, few: None) -> None:
    bad = [BROKEN] * 10 + [b"[Game]\n"] * 5
    upload = store(gzip.compress(b"\n".join(chain.from_iterable([one, *bad] for one in duels(30)))), alice, now)
    assert (judged_meanwhile(claimed(), now), state(upload)) == (480, "verifying")


def test_one_record_again_and_again_is_no_file_of_games(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.uploads.splitting.Limits", partial(Limits, records=500))
    upload = store(gzip.compress((ONE + b"\n") * 20_000), alice, now)
    split()
    archive = Archive.objects.get()
    assert (state(upload), archive.code) == ("refused", "bomb")
    assert archive.sentence == "This file unpacks to more records than it has bytes, so it is not a file of games."
