"""Club files accepted at the same time, and games hidden meanwhile."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Event
from time import sleep

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from games.clubs import organising
from games.clubs.errors import ClubError
from games.consent import privacy
from games.models import Acceptance, Club, Game, Ladder, Upload
from games.ratings.acceptance import accept_due
from games.uploads import controls, counts
from games.uploads.origin import UploadOptions
from games.verification import queue
from tests.factories import duels, record
from tests.games.judging import judge_all
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def nest(transactional_db: None, alice: User, now: datetime) -> Club:
    """A club that Alice organises."""
    return organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)


def upload_records(
    records: list[bytes], by: User, now: datetime, club: Club | None, *, private: bool = False
) -> Upload:
    options = UploadOptions(club=club, private=private)
    return upload_file(b"\n".join(records), via=Upload.Via.WEB, now=now, uploader=by, options=options)


def with_own_connection(work: Callable[[], object]) -> Callable[[], object]:
    """Return some work for a thread, with its own connection."""

    def run() -> object:
        try:
            return work()
        finally:
            connection.close()

    return run


def until_done_or_waiting(work: "Future[object]") -> None:
    """Return when the work is done or waits for a lock."""
    with connection.cursor() as cursor:
        while not work.done():
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
            sleep(0.01)


@pytest.mark.full
def test_files_judged_at_the_same_moment_do_not_mix(
    nest: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one file is being accepted, an earlier one is judged: it waits until the first is complete."""
    records = list(duels(40))
    older, newer = (upload_records(records[first : first + 20], alice, now, nest) for first in (0, 20))
    judge_all(now)
    Upload.objects.filter(pk=older.pk).update(done_at=None)
    monkeypatch.setattr(organising, "WINDOW", 10)
    assert organising.accept_some(nest, now)
    Upload.objects.filter(pk=older.pk).update(done_at=now)

    accept_all(now)

    assert [numbers(newer), numbers(older)] == [list(range(1, 21)), list(range(21, 41))]


def test_two_workers_do_not_interleave_the_files_of_a_club(nest: Club, alice: User, now: datetime) -> None:
    records = list(duels(40))
    files = [upload_records(records[n : n + 20], alice, now + timedelta(seconds=n), nest) for n in (0, 20)]
    judge_all(now)
    Ladder.objects.create(ruleset="atta-ants-online", club=nest)  # creating one would wait anyway

    with transaction.atomic(), ThreadPoolExecutor(1) as other:
        assert organising.accept_some(nest, now)
        assert other.submit(with_own_connection(lambda: organising.accept_some(nest, now))).result() is False
    accept_all(now)

    assert [numbers(file) for file in files] == [list(range(1, 21)), list(range(21, 41))]


@pytest.mark.full
def test_game_that_was_set_aside_counts_for_its_club_after_a_retry(nest: Club, alice: User, now: datetime) -> None:
    upload = upload_records(list(duels(3)), alice, now, nest)
    upload.logs.filter(number=2).update(state="running", attempts=queue.ATTEMPTS, leased_until=now)
    queue.quarantine_lapsed(now=now)
    judge_all(now)
    accept_all(now)
    assert numbers(upload) == [1, None, 2]

    controls.retry(upload, now=now)
    accept_all(now)  # nothing yet: the record waits again
    judge_all(now)
    accept_all(now)

    assert numbers(upload) == [1, 3, 2]


@pytest.mark.full
def test_game_that_a_later_engine_finds_legal_counts_for_its_club(
    nest: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, last = duels(3)
    upload = upload_records([first, record("NS@0,2 R1:N R2:N R1:E / *"), last], alice, now, nest)
    judge_all(now)
    accept_all(now)
    assert numbers(upload) == [1, None, 2]

    monkeypatch.setattr(queue, "ENGINE_VERSION", "later")
    upload.logs.filter(number=2).update(data=second)  # simulates rules under which the text is legal
    queue.queue_again()
    judge_all(now)
    accept_all(now)

    assert numbers(upload) == [1, 3, 2]


def being_split(file: Upload, *, judged: int) -> None:
    """Judge the first records of a file, of which more are to come."""
    waiting = file.logs.filter(number__gt=judged)
    waiting.update(state="held")
    judge_all(file.received_at)
    waiting.update(state="waiting")
    Upload.objects.filter(pk=file.pk).update(state="splitting", done_at=None)


def split(file: Upload) -> None:
    """Judge the rest of a file, and let its splitting end."""
    judge_all(file.received_at)
    Upload.objects.filter(pk=file.pk).update(state="verifying", paused=False)
    counts.settle(file.pk, at=file.received_at)


def test_a_long_file_is_rated_while_it_is_still_being_split(
    nest: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(organising, "WINDOW", 10)
    file = upload_records(list(duels(34)), alice, now, nest)
    being_split(file, judged=25)
    accept_all(now)
    assert numbers(file) == [*range(1, 21), *[None] * 14]

    split(file)
    accept_all(now)

    file.refresh_from_db()
    assert numbers(file) == list(range(1, 35))
    assert (file.accepted_at, file.accepted_logs) == (now, 34)


def test_a_record_without_a_verdict_holds_up_what_comes_after_it_in_its_file(
    nest: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(organising, "WINDOW", 10)
    file = upload_records(list(duels(30)), alice, now, nest)
    being_split(file, judged=30)
    file.logs.filter(number=15).update(state="running", game=None)

    accept_all(now)

    assert numbers(file) == [*range(1, 11), *[None] * 20]


@pytest.mark.full
@pytest.mark.parametrize("paused", [False, True])
def test_other_files_of_a_club_wait_for_one_that_was_begun_unless_it_is_paused(
    nest: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch, paused: bool
) -> None:
    monkeypatch.setattr(organising, "WINDOW", 10)
    records = list(duels(25))
    long, short = upload_records(records[:20], alice, now, nest), upload_records(records[20:], alice, now, nest)
    short.logs.update(state="held")
    being_split(long, judged=15)
    accept_all(now)
    short.logs.update(state="waiting")
    Upload.objects.filter(pk=long.pk).update(paused=paused)
    judge_all(now)

    accept_all(now)
    split(long)
    accept_all(now)

    later = (
        [list(range(11, 16)), [*range(1, 11), *range(16, 26)]] if paused else [list(range(21, 26)), list(range(1, 21))]
    )
    assert [numbers(short), numbers(long)] == later


def test_no_other_long_file_is_begun_before_one_is_complete(
    nest: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(organising, "WINDOW", 10)
    records = list(duels(40))
    first, second = (upload_records(records[at : at + 20], alice, now, nest) for at in (0, 20))
    second.logs.update(state="held")
    being_split(first, judged=15)
    accept_all(now)
    Upload.objects.filter(pk=first.pk).update(state="verifying")
    first.logs.filter(number__gt=15).update(state="running")
    second.logs.update(state="waiting")
    being_split(second, judged=20)

    accept_all(now)

    assert [numbers(first), numbers(second)] == [[*range(1, 11), *[None] * 10], [None] * 20]


def test_what_was_accepted_of_a_cancelled_file_stays_and_nothing_more_is(
    nest: Club, alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(organising, "WINDOW", 10)
    file = upload_records(list(duels(25)), alice, now, nest)
    being_split(file, judged=22)
    accept_all(now)

    controls.cancel(file, now=now)
    accept_all(now)

    assert numbers(file) == [*range(1, 21), *[None] * 5]


def accept_all(now: datetime) -> None:
    organising.accept_judged_uploads(now=now, has_time=lambda: True)
    accept_due(now=now)


def numbers(file: Upload) -> list[int | None]:
    """Return the places of a file's games, in order."""
    return list(file.logs.order_by("number").values_list("game__acceptances__number", flat=True))


def test_game_hidden_during_acceptance_is_not_rated(nest: Club, alice: User, now: datetime) -> None:
    """Hiding started first and is not finished when a file with the same game is accepted."""
    upload_records([record()], alice, now, None)
    judge_all(now)
    game = Game.objects.get()
    hidden, accepting = Event(), Event()

    def hide() -> None:
        with transaction.atomic():
            privacy.hide(game, alice, now=now)
            hidden.set()
            assert accepting.wait(30)

    def accept() -> bool:
        file = Upload.objects.create(
            via=Upload.Via.WEB, uploader=alice, received_at=now, club=nest, split_logs=1, done_at=now
        )
        game.logs.update(upload=file)  # which waits, as the game's version rises with it
        return organising.accept_some(nest, now)

    with ThreadPoolExecutor(2) as workers:
        first = workers.submit(with_own_connection(hide))
        assert hidden.wait(30)
        second = workers.submit(with_own_connection(accept))
        until_done_or_waiting(second)
        accepting.set()
        first.result()
        assert second.result()

    assert Game.objects.get().private
    assert not Acceptance.objects.exists()


def test_a_club_has_a_bounded_number_of_organisers(
    alice: User, bob: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(organising, "MOST_ORGANISERS", 1)
    nest = organising.found(slug="small", name="Small", about="", organiser=alice, now=now)
    with pytest.raises(ClubError, match="A club may have at most 1 organisers"):
        organising.name_organiser(nest, bob, by=alice, now=now)
