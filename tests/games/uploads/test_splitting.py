"""Splitting stored files: the logs equal those of direct splitting, whatever happens meanwhile."""

import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from games.clubs import organising
from games.models import Acceptance, Archive, Chunk, Entry, MoveLog, Upload
from games.uploads import controls, dry_runs, splitting
from games.uploads.controls import ControlError
from games.uploads.origin import Origin, UploadOptions
from games.uploads.source import Source
from games.uploads.submit import Submission, submit
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.uploading import store_file, upload_file
from tests.games.uploads.unpacking.bombs import zeros_in_zstd, zipped, zstd_of

pytestmark = pytest.mark.django_db

EVENING = b"\n".join([*duels(25), BROKEN])


def claimed() -> splitting.Splitter:
    splitter = splitting.claim()
    assert splitter is not None
    return splitter


def split(splitter: splitting.Splitter | None = None, *, most: int = 1000) -> int:
    """Continue splitting for a number of batches at most."""
    splitter = splitter or claimed()
    steps = splitting.split(splitter, clock=timezone.now, pulse=lambda: None)
    return sum(size for _, size in zip(range(most), steps, strict=False))


def lapse(upload: Upload) -> None:
    """Let the lease expire, as when a worker was killed."""
    Archive.objects.filter(pk=upload.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


def state(upload: Upload) -> str:
    upload.refresh_from_db()
    return str(upload.state)


def stored_logs(upload: Upload) -> list[tuple[object, ...]]:
    fields = ("number", "line", "offset", "form", "data", "too_long", "state", "attempts", "fence", "leased_until",
              "failure", "seats", "text", "game_digest", "record_digest", "game")  # fmt: skip
    return [tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
            for row in upload.logs.order_by("number").values_list(*fields)]  # fmt: skip


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd_of, lambda data: zipped([("evening.agn", data)])])
def test_stored_file_yields_the_same_logs_as_direct_splitting(
    alice: User, now: datetime, pack: Callable[[bytes], bytes], small_batches: None
) -> None:
    at_once = upload_file(EVENING, via=Upload.Via.WEB, now=now)
    upload = store_file(pack(EVENING), alice, now)
    assert split() == 26

    assert stored_logs(upload) == stored_logs(at_once)
    assert (state(upload), upload.split_logs, upload.archive.read) == ("verifying", 26, upload.archive.length)
    assert not Chunk.objects.exists()
    assert splitting.claim() is None


def test_logs_of_a_stored_file_are_judged(alice: User, now: datetime) -> None:
    upload = store_file(zstd_of(EVENING), alice, now)
    split()
    judge_all(now)
    verdicts = list(upload.logs.order_by("number").values_list("verdicts__verdict", flat=True))
    assert verdicts == ["verified"] * 25 + ["rejected"]


def test_logs_of_a_zip_know_their_entry_line_and_offset(alice: User, now: datetime) -> None:
    first, second = b"\n".join(duels(3)), b"\n\n" + record() + b"\n" + BROKEN
    upload = store_file(zipped([("2025/a.agn", first), ("empty", b"\n"), ("b.agn", second)]), alice, now)
    split()
    logs = upload.logs.select_related("entry").order_by("number")
    assert [(log.number, log.entry.name, log.line, log.offset) for log in logs if log.entry] == [
        (1, "2025/a.agn", 1, 0),
        (2, "2025/a.agn", 11, first.index(b"\n[Game") + 1),
        (3, "2025/a.agn", 21, first.rindex(b"\n[Game") + 1),
        (4, "b.agn", 3, 2),
        (5, "b.agn", 13, 3 + len(record())),
    ]
    assert list(Entry.objects.order_by("number").values_list("number", "name")) == [(1, "2025/a.agn"), (3, "b.agn")]


# Uploaded before


def again(upload: Upload) -> Upload:
    split()
    upload.refresh_from_db()
    return upload


def test_the_same_file_in_pieces_is_not_split_twice(alice: User, now: datetime) -> None:
    first = store_file(zstd_of(EVENING), alice, now)
    split()
    second = again(store_file(zstd_of(EVENING), alice, now))
    assert (second.repeats, second.state, second.split_logs, second.done_at is None) == (first, "verifying", 0, False)
    assert (first.logs.count(), second.logs.count(), Chunk.objects.count()) == (26, 0, 0)
    assert splitting.claim() is None


def test_duplicates_are_recognized_between_direct_and_stored_files(alice: User, now: datetime) -> None:
    def at_once(data: bytes) -> Submission:
        return submit(Source.of(data), Origin(Upload.Via.API, alice), now=now)

    first = at_once(EVENING)
    assert again(store_file(EVENING, alice, now)).repeats == first.upload
    in_pieces = store_file(record(), alice, now)
    split()
    assert at_once(record()) == Submission(in_pieces, again=True)


@pytest.mark.full
def test_other_bytes_accounts_or_options_are_not_duplicates(alice: User, bob: User, now: datetime) -> None:
    for upload in (
        store_file(EVENING, alice, now),
        store_file(EVENING + b"\n", alice, now),
        store_file(EVENING, bob, now),
        store_file(EVENING, alice, now, UploadOptions(scored=False)),
        store_file(EVENING, alice, now, UploadOptions(dry_run=True)),
    ):
        assert again(upload).repeats is None
    assert MoveLog.objects.count() == 5 * 26


def test_file_of_a_cancelled_upload_is_split_again(alice: User, now: datetime) -> None:
    first = again(store_file(EVENING, alice, now))
    controls.cancel(first, now=now)
    second = again(store_file(EVENING, alice, now))
    third = again(store_file(EVENING, alice, now))
    assert (second.repeats, third.repeats) == (None, second)


@pytest.mark.django_db(transaction=True)
def test_concurrent_copies_of_one_file_are_split_once(alice: User, now: datetime) -> None:
    uploads = [store_file(EVENING, alice, now) for _ in range(3)]
    together = Barrier(len(uploads))

    def run(splitter: splitting.Splitter) -> int:
        try:
            together.wait()
            return split(splitter)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(uploads)) as pool:
        assert sorted(pool.map(run, [claimed() for _ in uploads])) == [0, 0, 26]
    (first,) = Upload.objects.filter(split_logs=26)
    assert list(Upload.objects.exclude(pk=first.pk).values_list("repeats", flat=True)) == [first.pk, first.pk]


def test_resumed_splitting_does_not_hash_the_file_again(
    alice: User, now: datetime, small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = store_file(EVENING, alice, now)
    split(most=1)
    lapse(upload)
    monkeypatch.setattr(splitting, "_digest", lambda _: pytest.fail("it is known"))
    split()
    assert (state(upload), upload.split_logs) == ("verifying", 26)


def test_deleting_a_dry_run_also_deletes_its_duplicates(alice: User, now: datetime) -> None:
    for _ in range(2):
        again(store_file(EVENING, alice, now, UploadOptions(dry_run=True)))
    judge_all(now)
    Upload.objects.update(done_at=now)
    assert dry_runs.forget_dry_runs(now=now + timedelta(days=2), has_time=lambda: True) >= 1
    assert not Upload.objects.exists()


# Killed and resumed


@pytest.mark.parametrize("pack", [bytes, zstd_of, lambda data: zipped([("a", data[:3000]), ("b", data[3000:])])])
def test_resumed_splitting_neither_loses_nor_duplicates_records(
    alice: User, bob: User, now: datetime, pack: Callable[[bytes], bytes], small_batches: None
) -> None:
    whole = store_file(pack(EVENING), alice, now)
    split()
    broken_off = store_file(pack(EVENING), bob, now)
    while state(broken_off) != "verifying":
        split(most=1)
        lapse(broken_off)
    assert stored_logs(broken_off) == stored_logs(whole)


ODD = b"\n".join([
    b"\xef\xbb\xbf\n \t\nnotes before the first game\n", *duels(9), b"\n" * 50, record().replace(b"\n", b"\r\n"),
    b'[Game "Atta Ants"]', b"x" * 600_000, b"\n \n", record(), b"  \n", *duels(12), BROKEN, b"\n \n",
])  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("data", [ODD, b"".join(b'{"game": %d}\n\n' % number for number in range(35))])
def test_resumed_splitting_works_for_irregular_text_and_json(
    alice: User, now: datetime, data: bytes, settings: Settings
) -> None:
    settings.SPLITTING_BATCH = 3
    whole = store_file(data, alice, now)
    split()
    broken_off = store_file(zstd_of(data), alice, now)
    while state(broken_off) != "verifying":
        split(most=1)
        lapse(broken_off)
    assert (stored_logs(broken_off), broken_off.split_logs > 12) == (stored_logs(whole), True)


def test_file_being_split_cannot_be_claimed_by_another_worker(alice: User, now: datetime, small_batches: None) -> None:
    upload = store_file(EVENING, alice, now)
    first = claimed()
    assert splitting.claim() is None
    lapse(upload)
    second = claimed()
    assert split(first) == 0
    assert (MoveLog.objects.count(), split(second)) == (0, 26)


def test_file_with_the_fewest_split_records_is_claimed_first(alice: User, now: datetime, small_batches: None) -> None:
    long = store_file(EVENING, alice, now)
    split(most=1)
    lapse(long)
    short = store_file(EVENING, alice, now + timedelta(minutes=1))
    assert claimed().upload == short.pk


def test_a_lease_is_renewed_while_no_record_comes(alice: User, now: datetime, settings: Settings) -> None:
    settings.VERIFICATION_LEASE = 0
    upload = store_file(b"\n" * 500_000 + EVENING, alice, now)
    beats = list[int]()
    steps = splitting.split(claimed(), clock=timezone.now, pulse=lambda: beats.append(1))
    assert sum(steps) == 26
    assert (len(beats) > 5, state(upload)) == (True, "verifying")


def test_file_is_rejected_after_three_attempts_without_progress(alice: User, now: datetime) -> None:
    upload = store_file(EVENING, alice, now)
    for _ in range(3):
        assert splitting.claim()
        assert splitting.refuse_lapsed(now=now) == 0
        lapse(upload)
    assert (splitting.claim(), splitting.anything_to_split(), splitting.refuse_lapsed(now=now)) == (None, False, 1)
    assert state(upload) == "refused"
    assert (upload.archive.code, upload.archive.template.format(**upload.archive.params)) == (
        "broke_off",
        "None of 3 attempts to unpack it got any further.",
    )

    controls.retry(upload, now=now)
    assert (split(), state(upload), Archive.objects.get().code) == (26, "verifying", "")


def test_records_found_when_splitting_is_tried_again_count_for_their_club(alice: User, now: datetime) -> None:
    nest = organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)
    upload = store_file(EVENING, alice, now, UploadOptions(club=nest))
    Archive.objects.update(attempts=splitting.ATTEMPTS)
    splitting.refuse_lapsed(now=now)
    organising.accept_judged_uploads(now=now, has_time=lambda: True)  # none was found before

    controls.retry(upload, now=now)
    split()
    judge_all(now)
    organising.accept_judged_uploads(now=now, has_time=lambda: True)

    assert Acceptance.objects.filter(ladder__club=nest).count() == 25


# Rejections


@pytest.mark.parametrize(
    ("data", "games", "code"),
    [
        (zstd_of(EVENING) + zeros_in_zstd(2**26), 25, "bomb"),
        (gzip.compress(EVENING)[:-20], 0, "truncated"),
        (zipped([("a", EVENING), ("b", gzip.compress(EVENING))]), 26, "nested"),
        (zipped([]), 0, "empty"),
        (gzip.compress(b"\n \n"), 0, "empty"),
        (b"BZh91AY&SY", 0, "not_taken"),
    ],
)
def test_records_split_before_a_fault_are_kept(alice: User, now: datetime, data: bytes, games: int, code: str) -> None:
    upload = store_file(data, alice, now)
    split()
    assert (state(upload), upload.archive.code, upload.logs.count() >= games) == ("refused", code, True)
    assert upload.logs.count() in {games, 25}
    assert not Chunk.objects.exists()
    with pytest.raises(ControlError, match="The file itself was refused"):
        controls.retry(upload, now=now)


def test_number_of_games_per_file_is_limited(
    alice: User, now: datetime, settings: Settings, small_batches: None
) -> None:
    settings.UPLOAD_MAX_GAMES = 15
    upload = store_file(zstd_of(EVENING), alice, now)
    split()
    assert (state(upload), upload.logs.count(), upload.archive.code) == ("refused", 15, "too_many_games")


@pytest.mark.parametrize("data", [b'{"a":' * 50_000, b"[" * 200_000, b'{"a": ' + b"9" * 200_000 + b"}", b"\x00" * 1000])
def test_non_game_content_becomes_rejected_records(alice: User, now: datetime, data: bytes) -> None:
    upload = store_file(zstd_of(data), alice, now)
    split()
    judge_all(now)
    assert set(upload.logs.values_list("verdicts__verdict", flat=True)) == {"rejected"}
