"""New games wait to be indexed: none is missed, none counted twice, and a search says how many are not there yet."""

from datetime import datetime

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client

from engine.verify import verify_bytes
from games import tasks, time_slices
from games.models import Game, GameEvents, PositionRun, UnindexedGame, Upload
from games.platform import pauses
from games.ratings.acceptance import make_due
from games.records.reads.visibility import NOBODY
from games.search import events, indexing, waiting
from games.search.reads.positions import Games, find_position, other_games
from games.search.waiting import index_waiting
from games.uploads.origin import UploadOptions
from games.verification import queue
from tests.factories import duels
from tests.games.judging import judge_all, judge_and_index, judge_batch
from tests.games.search.test_positions import add
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

BEGUN = ("a1~b1", "a8~b8")
SAID = "1 newly verified game is not searched yet."


def judged_only(now: datetime, tokens: tuple[str, ...], result: str, **how: object) -> Game:
    """Return a game that is verified and waits to be indexed."""
    return add(now, tokens, result, judge=judge_all, **how)  # type: ignore[arg-type] # as it takes them


def others(game: Game) -> Games:
    return other_games(find_position(f"{game.key}:1", NOBODY), NOBODY)


def test_a_new_game_is_counted_as_not_searched_until_it_is_indexed(now: datetime) -> None:
    first = add(now, (*BEGUN, "draw"), "1-1")
    judged_only(now, (*BEGUN, "resign:R"), "2-1")
    before = others(first)

    assert index_waiting(has_time=lambda: True) == 1

    assert (before.count, before.waiting) == (0, 1)
    assert (others(first).count, others(first).waiting) == (1, 0)


def test_pages_and_api_say_how_many_games_are_not_searched_yet(now: datetime, client: Client) -> None:
    game = judged_only(now, (*BEGUN, "draw"), "1-1")
    explorer, programs = client.get("/openings/army-ants/"), client.get("/api/v1/openings/army-ants")

    assert SAID in explorer.content.decode()
    assert programs.json()["waiting"] == 1
    assert client.get(f"/api/v1/games/{game.key}/position/games?ply=1").json()["waiting"] == 1
    assert SAID in client.get(f"/games/{game.key}/?ply=1&closer=1").content.decode()


def test_a_private_game_that_waits_is_counted_for_its_owner_alone(now: datetime, alice: User) -> None:
    first = add(now, (*BEGUN, "draw"), "1-1")
    options = UploadOptions(private=True)
    judged_only(now, (*BEGUN, "resign:R"), "2-1", uploader=alice, options=options)

    position = find_position(f"{first.key}:1", NOBODY)
    assert (other_games(position, NOBODY).waiting, other_games(position, alice).waiting) == (0, 1)


def test_a_batch_that_broke_off_is_indexed_later_and_nothing_twice(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now)
    judge_batch(queue.claim(), now)
    with monkeypatch.context() as patched:
        patched.setattr(indexing, "add_blocks", interrupted)
        with pytest.raises(KeyboardInterrupt):
            index_waiting(has_time=lambda: True)
    broken_off = UnindexedGame.objects.count(), PositionRun.objects.count(), GameEvents.objects.count()

    index_waiting(has_time=lambda: True)

    assert broken_off == (3, 0, 0)
    assert (UnindexedGame.objects.count(), sum(run.games for run in PositionRun.objects.all())) == (0, 3)


def test_a_game_that_cannot_be_numbered_holds_up_no_other(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = duels(3)
    at_fault = verify_bytes(first)[0].replay
    monkeypatch.setattr(indexing, "position_numbers", lambda replay: [1] if replay != at_fault else 1 // 0)
    upload_file(b"\n".join([first, *others]), via=Upload.Via.API, now=now)

    judge_and_index(now)

    assert not UnindexedGame.objects.exists()
    assert GameEvents.objects.count() == 2


@pytest.mark.parametrize("error", [SoftTimeLimitExceeded, OperationalError])
def test_games_that_are_not_at_fault_go_on_waiting(
    now: datetime, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now)
    judge_batch(queue.claim(), now)
    monkeypatch.setattr(indexing, "position_numbers", lambda _: raised(error))

    with pytest.raises(error):
        index_waiting(has_time=lambda: True)

    assert UnindexedGame.objects.count() == 3


def test_a_worker_indexes_what_it_has_verified(now: datetime) -> None:
    upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now)

    tasks.verify_waiting()

    assert not UnindexedGame.objects.exists()
    assert PositionRun.objects.get().games == 3


@pytest.mark.parametrize(("seconds", "left"), [(3600, 3), (0, 1)])
def test_while_other_records_wait_a_worker_indexes_a_batch_now_and_then(
    now: datetime, monkeypatch: pytest.MonkeyPatch, seconds: int, left: int
) -> None:
    monkeypatch.setattr(waiting, "_BATCH", 2)
    monkeypatch.setattr(time_slices, "_indexes_in_any_case", time_slices.Rarely(seconds))
    upload_file(b"\n".join(duels(5)), via=Upload.Via.API, now=now)
    judge_batch(queue.claim(), now)
    upload_file(list(duels(6))[5], via=Upload.Via.API, now=now)
    monkeypatch.setattr(time_slices, "judge_waiting", lambda *, call: 0)

    tasks.verify_waiting()
    tasks.verify_waiting()

    assert UnindexedGame.objects.count() == left


def test_games_that_a_paused_rating_leaves_due_hold_up_no_index(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_BATCH", 2)
    monkeypatch.setattr(time_slices, "_INDEXING", 600)
    upload_file(b"\n".join(duels(5)), via=Upload.Via.API, now=now)
    judge_batch(queue.claim(), now)
    make_due(Game.objects.all(), now=now)
    pauses.pause(pauses.Part.RATING, reason="", by=None, now=now)

    tasks.verify_waiting()

    assert not UnindexedGame.objects.exists()


def test_events_are_found_a_few_at_a_time_while_records_wait(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_BATCH", 2)
    upload_file(b"\n".join(duels(5)), via=Upload.Via.API, now=now)
    judge_and_index(now)
    upload_file(list(duels(6))[5], via=Upload.Via.API, now=now)

    assert tasks.find_events() == 2
    judge_and_index(now)
    assert tasks.find_events() == 4


def test_a_game_that_is_not_at_fault_goes_on_waiting_for_its_events(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_file(b"\n".join(duels(1)), via=Upload.Via.API, now=now)
    judge_and_index(now)
    monkeypatch.setattr(events, "event_codes", lambda *_: raised(SoftTimeLimitExceeded))

    with pytest.raises(SoftTimeLimitExceeded):
        tasks.find_events()

    assert GameEvents.objects.get().codes is None


def test_the_sweep_wakes_a_worker_for_games_that_a_killed_one_left(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken = list[bool]()
    monkeypatch.setattr(tasks, "call_workers", lambda: woken.append(True))
    upload_file(b"\n".join(duels(1)), via=Upload.Via.API, now=now)
    judge_batch(queue.claim(), now)

    tasks.sweep()

    assert woken == [True]


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def raised(error: type[Exception]) -> None:
    raise error
