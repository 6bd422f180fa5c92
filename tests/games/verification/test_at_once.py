"""Judging while splitting: each record is written once, and everything ends as if all had waited."""

import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from multiprocessing import get_context
from threading import Barrier
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from engine.agn.log import Record
from engine.verify import verify
from games import time_slices
from games.clubs import organising
from games.models import Archive, Game, MoveLog, Player, Seating, Upload, Verdict
from games.platform.pauses import Part, pause
from games.ratings.acceptance import make_due
from games.uploads import controls, splitting
from games.uploads.origin import UploadOptions
from games.verification import at_once, store
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import store_file, upload_file
from tests.games.uploads.unpacking.bombs import zipped
from tests.games.verification.test_batches import MIXED

pytestmark = pytest.mark.django_db

RIVALS = (record(names=("Eve", "Bruno")), record(names=("Ada", "Cleo")), record())
FILE = b"\n".join([*duels(12), *MIXED, *RIVALS, *duels(3), record("NS@0,2 resign:R 2-1")])
VOLATILE = {"key", "judged_at", "begun_at", "done_at", "touched_at", "claimed_at", "leased_until", "tried", "queued_at"}
"""Columns that are drawn by chance, hold a time, or say which way was taken."""


class Always(at_once.AtOnce):
    """Judges at once, even if nothing waits for others."""

    def is_wanted(self) -> bool:
        return True


def claimed() -> splitting.Splitter:
    splitter = splitting.claim()
    assert splitter is not None
    return splitter


def split(judge: splitting.Judge | None, splitter: splitting.Splitter | None = None) -> int:
    steps = splitting.split(splitter or claimed(), clock=timezone.now, pulse=lambda: None, judge=judge)
    return sum(steps)


def lapse() -> None:
    Archive.objects.update(leased_until=timezone.now() - timedelta(seconds=1))


def states() -> list[str]:
    return list(MoveLog.objects.order_by("number").values_list("state", flat=True))


# The same end


def all_rows() -> dict[str, list[tuple[Any, ...]]]:
    """Return every table of the app without what is volatile."""
    found = dict[str, list[tuple[Any, ...]]]()
    for model in apps.get_app_config("games").get_models():
        names = [field.attname for field in model._meta.concrete_fields if field.name not in VOLATILE]
        found[model.__name__] = [tuple(map(plain, row)) for row in model.objects.order_by("pk").values_list(*names)]  # type: ignore[attr-defined]
    return found


def plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def newest_number() -> int:
    """Return the highest number that any row has got."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(last_value) FROM pg_sequences WHERE sequencename LIKE 'games%%'")
        return int(cursor.fetchone()[0])


def number_after(last: int) -> None:
    """Have every table number its next rows from there."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(seqrelid, %s) FROM pg_sequence JOIN pg_class ON oid = seqrelid"
                       " WHERE relname LIKE 'games%%'", [last])  # fmt: skip


def ends_after(judge: splitting.Judge | None, last: int, now: datetime) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows after a file was split and everything that waits was judged; then roll back."""
    with transaction.atomic():
        number_after(last)
        sum(splitting.split(claimed(), clock=lambda: now, pulse=lambda: None, judge=judge))
        judge_all(now)
        for club in apps.get_model("games", "Club").objects.all():
            while organising.accept_some(club, now):
                pass
        found = all_rows()
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize(
    "wish",
    [{}, {"private": True}, {"scored": False}, {"dry_run": True}, {"club": True}],
)
@pytest.mark.parametrize("pack", [bytes, lambda data: zipped([("a.agn", data), ("b.agn", BROKEN + b"\n" + record())])])
def test_both_ways_end_with_the_same_rows(
    alice: User,
    bob: User,
    now: datetime,
    wish: dict[str, Any],
    pack: Callable[[bytes], bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.verification.seating.private_number", numbers())
    upload_file(b"\n".join([*duels(2), record("NS@0,2 *")]), via=Upload.Via.API, now=now, uploader=bob)
    judge_all(now)
    give_seat(Game.objects.order_by("pk")[0], 0, alice, now)
    if wish.get("club"):
        wish = {"club": organising.found(slug="nest", name="The Nest", about="", organiser=alice, now=now)}
    store_file(pack(FILE), alice, now, UploadOptions(**wish))

    last = newest_number()

    waiting = ends_after(None, last, now)

    monkeypatch.setattr("games.verification.seating.private_number", numbers())
    assert ends_after(Always(), last, now) == waiting
    assert len(waiting["Verdict"]) > 25


def numbers() -> Callable[[], int]:
    taken = iter(range(10**15, 2 * 10**15))
    return lambda: next(taken)


def test_a_record_is_written_once(alice: User, now: datetime) -> None:
    store_file(b"\n".join([*duels(30), BROKEN]), alice, now)
    with CaptureQueriesContext(connection) as queries:
        assert split(Always()) == 31
    assert states() == ["judged"] * 31
    assert not [
        one for one in queries if "UPDATE games_movelog" in one["sql"] or 'UPDATE "games_movelog"' in one["sql"]
    ]


# What is left to wait


def test_nothing_is_judged_at_once_while_others_have_nothing_to_do(
    alice: User, now: datetime, settings: Settings
) -> None:
    settings.SPLITTING_BATCH = 10
    store_file(b"\n".join(duels(30)), alice, now)
    split(at_once.AtOnce())
    assert states() == ["waiting"] * 10 + ["judged"] * 20


def test_nothing_is_judged_while_verification_is_paused(alice: User, now: datetime) -> None:
    upload_file(record(), via=Upload.Via.API, now=now)
    store_file(b"\n".join(duels(3)), alice, now)
    splitter = claimed()
    pause(Part.VERIFICATION, reason="", by=None, now=now)
    split(at_once.AtOnce(), splitter)
    assert set(states()) == {"waiting"}


def test_what_there_is_no_time_for_is_judged_in_a_step_of_its_own(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_once, "READING", -1.0)
    upload = store_file(b"\n".join(duels(3)), alice, now)
    beats = list[int]()

    def beat() -> None:
        beats.append(upload.logs.count())

    sum(splitting.split(claimed(), clock=timezone.now, pulse=beat, judge=Always()))
    assert (states(), sorted({1, 2, 3} - {*beats})) == (["judged"] * 3, [])


def test_a_record_that_cannot_be_judged_waits_without_stopping_others(
    alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poisoned(one: Record) -> object:
        if one.game == 2:
            raise MemoryError("too deep")
        return verify(one)

    monkeypatch.setattr(at_once, "verify", poisoned)
    store_file(b"\n".join(duels(4)), alice, now)
    split(Always())
    assert states() == ["judged", "waiting", "judged", "judged"]
    assert list(MoveLog.objects.filter(state="waiting", game=None).values_list("attempts", "fence")) == [(0, 0)]


def test_a_batch_that_cannot_be_stored_waits(alice: User, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no room")

    upload = store_file(b"\n".join(duels(4)), alice, now)
    with monkeypatch.context() as broken:
        broken.setattr(store, "_verdict", fail)
        assert split(Always()) == 4
    assert states() == ["waiting"] * 4
    assert not any(one.objects.exists() for one in (Game, Player, Seating, Verdict))
    judge_all(now)
    upload.refresh_from_db()
    assert (states(), upload.split_logs, upload.done_at is None) == (["judged"] * 4, 4, False)


# Claims


class Meanwhile(Always):
    """Something happens while records are judged."""

    def __init__(self, happens: Callable[[], object]) -> None:
        self._happens = happens

    def judge(self, records: Sequence[Record], *, now: datetime) -> splitting.Judged:
        judged = super().judge(records, now=now)
        self._happens()
        return judged


def test_nothing_is_stored_after_another_worker_has_claimed_the_file(alice: User, now: datetime) -> None:
    store_file(b"\n".join(duels(5)), alice, now)

    def claim() -> None:
        lapse()
        second.append(claimed())

    second = list[splitting.Splitter]()
    assert split(Meanwhile(claim)) == 0
    assert (MoveLog.objects.count(), Game.objects.count(), Verdict.objects.count()) == (0, 0, 0)
    assert split(Always(), second[0]) == 5
    assert states() == ["waiting"] * 5, "the first worker may have ended because of what it judged"


@pytest.mark.parametrize(
    ("control", "state"), [(lambda upload, now: controls.pause(upload), "splitting"), (controls.cancel, "cancelled")]
)
def test_nothing_is_stored_of_a_file_that_was_paused_or_cancelled_meanwhile(
    alice: User, now: datetime, control: Callable[..., object], state: str
) -> None:
    upload = store_file(b"\n".join(duels(5)), alice, now)

    def act() -> object:
        return control(upload, now=now)

    assert split(Meanwhile(act)) == 0
    upload.refresh_from_db()
    assert (upload.state, MoveLog.objects.count(), Game.objects.count()) == (state, 0, 0)


@pytest.mark.django_db(transaction=True)
def test_a_batch_that_ends_its_worker_waits_when_the_file_is_claimed_again(
    alice: User, now: datetime, settings: Settings
) -> None:
    settings.SPLITTING_BATCH = 5
    upload = store_file(b"\n".join(duels(15)), alice, now)
    ended = [killed_while_splitting(nth) for nth in (6, 11)]

    lapse()
    assert (ended, split(Always())) == ([-signal.SIGKILL] * 2, 5)

    assert states() == ["judged"] * 5 + ["waiting"] * 10
    judge_all(now)
    upload.refresh_from_db()
    assert (upload.split_logs, Game.objects.count(), Verdict.objects.count()) == (15, 15, 15)
    assert upload.done_at


def killed_while_splitting(nth: int) -> int | None:
    """Split in a process that ends as it judges a record. :returns: its exit code."""
    lapse()
    connections.close_all()
    worker = get_context("fork").Process(target=split_until_killed, args=(nth,))
    worker.start()
    worker.join(60)
    return worker.exitcode


def split_until_killed(nth: int) -> None:
    def kill(one: Record) -> object:
        if one.game == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return verify(one)

    at_once.verify = kill  # type: ignore[assignment, attr-defined]
    _forget_connections()
    split(Always())


def _forget_connections() -> None:
    """Leave the parent's connections to it.

    Where a browser was opened before, an event loop runs in the parent's thread but not in a child, to which Django
    then gives the connection from before that loop: shared with the parent, and ended if a test ended all sessions.
    """
    for one in connections.all(initialized_only=True):
        del connections[one.alias]


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_files_with_the_same_games_are_split_and_judged_side_by_side(
    alice: User, bob: User, now: datetime, settings: Settings
) -> None:
    settings.SPLITTING_BATCH = 20
    games = list(duels(200))
    uploads = [store_file(b"\n".join(games), alice, now), store_file(b"\n".join(games[::-1]), bob, now)]
    splitters, together = [claimed(), claimed()], Barrier(3)

    def work(splitter: splitting.Splitter | None) -> None:
        together.wait()
        if splitter:
            split(Always(), splitter)
        else:
            judge_all(now)
        connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, [*splitters, None]))
    judge_all(now)

    assert (Game.objects.count(), Verdict.objects.count(), set(states())) == (200, 400, {"judged"})
    assert [Upload.objects.get(pk=one.pk).done_at is None for one in uploads] == [False, False]


def test_games_to_be_rated_keep_others_busy(now: datetime) -> None:
    upload_file(record(), via=Upload.Via.WEB, now=now)
    judge_all(now)
    assert not time_slices.others_are_busy()
    make_due(Game.objects.all(), now=now)
    assert time_slices.others_are_busy()
    assert at_once.AtOnce(time_slices.others_are_busy).is_wanted()
