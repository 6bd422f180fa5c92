"""The index finds the games that reached a position: just those that a look at every record finds."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import islice

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.positions import NUMBERING
from engine.replay import Replay
from engine.replay.positions import position_numbers
from engine.verify import verify_bytes
from games import tasks
from games.models import (
    Game,
    GameEvents,
    MoveLog,
    PositionBlock,
    PositionRebuild,
    PositionRun,
    RunningProcess,
    Upload,
)
from games.platform import processes
from games.search import indexing, merging
from games.search.indexing import add_blocks, add_run, index_games, rebuild
from games.search.reads import index
from games.search.reads.index import games_that_reached
from games.search.reads.runs import MOST, TOGETHER, numbering_is_outdated, runs_wait
from tests.factories import duels, record
from tests.games.judging import judge_and_index
from tests.games.search.columns import in_columns
from tests.games.uploading import upload_file
from tests.strategies import FIXTURES

pytestmark = pytest.mark.django_db

FILES = ("army_ants/games/two-hunters.agn", "ant_trails/games/loops.agn", "ant_trails/games/agreed-draw.agn")


def scanned() -> dict[int, set[int]]:
    """Return the games that reached each position, by its number, from all records."""
    found = defaultdict[int, set[int]](set)
    for log in MoveLog.objects.filter(game__verdict__in=["verified", "unfinished"]):
        (verdict,) = verify_bytes(log.text.encode())
        assert verdict.replay
        for number in position_numbers(verdict.replay):
            found[number].add(log.game_id or 0)
    return found


def all_of(games: Sequence[int]) -> Sequence[int]:
    return games


def found_for(numbers: set[int]) -> dict[int, set[int]]:
    return {number: set(games_that_reached(number, all_of).games) for number in numbers}


def some_games(now: datetime) -> None:
    data = b"\n\n".join([*((FIXTURES / name).read_bytes() for name in FILES), *duels(5)])
    upload_file(data, via=Upload.Via.API, now=now)
    judge_and_index(now)


def test_games_are_found_by_each_of_their_positions_as_soon_as_they_are_verified(now: datetime) -> None:
    some_games(now)
    due = scanned()

    assert found_for(set(due)) == due
    assert len(due) > 250
    assert max(map(len, due.values())) == 5


def test_rejected_records_and_dry_runs_and_absent_positions_are_not_found(now: datetime) -> None:
    upload_file(record("NS@0,2 R1:N R2:N R1:E / *"), via=Upload.Via.API, now=now)
    judge_and_index(now)

    assert not PositionRun.objects.exists()
    assert games_that_reached(7, all_of) == index.Reached((), more=False)


@pytest.mark.full
def test_merged_runs_find_the_same(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "_SLICE", 2)
    some_games(now)
    for number, data in enumerate(islice(duels(5 + TOGETHER), 5, None)):
        upload_file(data, via=Upload.Via.API, now=now, filename=f"{number}.agn")
        judge_and_index(now)
    due = scanned()
    assert runs_wait()

    assert merging.merge_runs(has_time=lambda: True) == 1

    assert (PositionRun.objects.count(), runs_wait()) == (2, False)
    assert found_for(set(due)) == due


def test_index_that_is_made_anew_finds_the_same(now: datetime) -> None:
    some_games(now)
    due = scanned()
    PositionBlock.objects.all().delete()

    call_command("index_positions")

    assert found_for(set(due)) == due


def test_common_position_is_found_in_many_runs_by_one_statement_and_its_newest_games_are_kept(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (verdict,) = verify_bytes(record())
    replay: Replay[object, object] | None = verdict.replay
    assert replay
    index_games((game, replay) for game in range(1, 1_001))
    index_games((game, replay) for game in range(1_001, 2_001))
    monkeypatch.setattr(index, "MOST", 1_500)

    with CaptureQueriesContext(connection) as asked:
        reached = games_that_reached(position_numbers(replay)[0], all_of)

    assert reached == index.Reached(tuple(range(2_000, 500, -1)), more=True)
    assert len(asked) == 1


def test_games_that_are_not_wanted_take_nobodys_place_however_many_blocks_they_fill(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = add_run(2_000)
    add_blocks(run, in_columns([(5, 1), (5, 2), *((7, game) for game in range(1, 2_001)), (9, 3)]))
    add_blocks(add_run(8), in_columns((7, game) for game in range(500, 508)))
    monkeypatch.setattr(index, "MOST", 3)
    monkeypatch.setattr(index, "_BLOCKS", 1)

    def some(games: Sequence[int]) -> list[int]:
        return [game for game in games if game in {1, 2, 505, 900}]

    assert games_that_reached(7, some) == index.Reached((900, 505, 2), more=True)
    assert games_that_reached(7, lambda games: [game for game in some(games) if game > 1]).more is False


def test_no_more_games_are_looked_up_than_seem_to_be_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    add_blocks(add_run(2_000), in_columns((7, game) for game in range(1, 2_001)))
    monkeypatch.setattr(index, "MOST", 100)
    monkeypatch.setattr(index, "_LEAST", 5)
    looked_up = list[int]()

    def most(games: Sequence[int]) -> list[int]:
        looked_up.extend(games)
        return [game for game in games if game % 10]

    assert len(games_that_reached(7, most).games) == 100
    assert len(looked_up) < 130


def test_a_search_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    add_blocks(add_run(2_000), in_columns((7, game) for game in range(1, 2_001)))
    monkeypatch.setattr(index, "_BLOCKS", 1)
    monkeypatch.setattr(index, "_SECONDS", -1.0)

    with CaptureQueriesContext(connection) as asked:
        reached = games_that_reached(7, lambda games: [game for game in games if game in {1, 2_000}])

    assert reached == index.Reached((2_000,), more=True, cut=True)
    assert len(asked) == 1


def test_game_uploaded_again_is_indexed_once(now: datetime) -> None:
    for number in range(2):
        upload_file(record(), via=Upload.Via.API, now=now, filename=f"{number}.agn")
        judge_and_index(now)

    assert (Game.objects.count(), PositionRun.objects.count()) == (1, 1)


def test_a_rebuild_that_broke_off_goes_on_where_it_ended(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 3)
    some_games(now)
    due = scanned()
    with pytest.raises(KeyboardInterrupt):
        rebuild(progress=interrupted)
    halfway = found_for(set(due))

    done = rebuild()

    assert halfway == found_for(set(due)) == due
    assert done == Game.objects.exclude(verdict="rejected").count() - 3
    assert not PositionRebuild.objects.exists()
    assert not PositionRun.objects.filter(old=True).exists()


@pytest.mark.full
def test_a_rebuild_that_broke_off_can_begin_again(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 3)
    some_games(now)
    due = scanned()
    with pytest.raises(KeyboardInterrupt):
        rebuild(progress=interrupted)

    call_command("index_positions", anew=True)

    assert found_for(set(due)) == due
    assert sum(run.games for run in PositionRun.objects.all()) == len(set[int]().union(*due.values()))


@pytest.mark.full
def test_games_verified_during_a_rebuild_are_found_after_it(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 3)
    some_games(now)

    def judge_more(_: int) -> None:
        upload_file(list(duels(6))[5], via=Upload.Via.API, now=now, filename="during.agn")
        judge_and_index(now)

    rebuild(progress=judge_more)

    due = scanned()
    assert found_for(set(due)) == due


def test_runs_that_a_rebuild_will_remove_are_not_merged(now: datetime) -> None:
    PositionRun.objects.bulk_create(PositionRun(games=1, old=True) for _ in range(TOGETHER))

    assert not runs_wait()


@pytest.mark.parametrize(("runs", "merged"), [(TOGETHER, 0), (MOST, 1)])
def test_runs_are_merged_while_records_wait_only_if_there_are_very_many(now: datetime, runs: int, merged: int) -> None:
    PositionRun.objects.bulk_create(PositionRun(games=1, numbering=NUMBERING) for _ in range(runs))
    upload_file(record(), via=Upload.Via.API, now=now)
    assert tasks.merge_runs() == merged
    judge_and_index(now)
    PositionRun.objects.bulk_create(PositionRun(games=1, numbering=NUMBERING) for _ in range(TOGETHER))

    assert tasks.merge_runs() == 1


def test_positions_numbered_by_an_earlier_version_are_numbered_anew_and_events_stay(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 3)
    some_games(now)
    due = scanned()
    PositionRun.objects.update(numbering=NUMBERING - 1)
    PositionBlock.objects.all().delete()
    GameEvents.objects.update(codes=[1])
    turns = iter((True, False))

    begun = indexing.renumber(has_time=lambda: next(turns))
    assert (begun, numbering_is_outdated()) == (3, True)
    tasks.renumber_positions()

    assert found_for(set(due)) == due
    assert not numbering_is_outdated()
    assert list(GameEvents.objects.order_by("codes").values_list("codes", flat=True).distinct()) == [[1]]


@pytest.mark.parametrize(("migration", "called"), [(66, 0), (67, 1)])
def test_positions_are_not_numbered_anew_while_a_worker_runs_that_does_not_know_how(
    monkeypatch: pytest.MonkeyPatch, migration: int, called: int
) -> None:
    calls = list[object]()
    monkeypatch.setattr(tasks.renumber_positions, "apply_async", lambda **_: calls.append(1))
    PositionRun.objects.create(games=1, numbering=NUMBERING - 1)
    processes.note("worker", "here", 1, version="1", clock=timezone.now(), first=True)
    RunningProcess.objects.update(migration=migration)

    tasks.sweep()

    assert len(calls) == called


def test_a_rebuild_that_an_earlier_version_began_begins_again(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 3)
    some_games(now)
    due = scanned()
    with pytest.raises(KeyboardInterrupt):
        rebuild(progress=interrupted)
    PositionRun.objects.update(numbering=NUMBERING - 1)
    PositionBlock.objects.all().delete()

    rebuild()

    assert found_for(set(due)) == due
    assert not numbering_is_outdated()


def test_runs_of_an_earlier_numbering_are_not_merged() -> None:
    PositionRun.objects.bulk_create(PositionRun(games=1, numbering=NUMBERING - 1) for _ in range(TOGETHER))

    assert not runs_wait()


@pytest.mark.full
def test_a_rebuild_that_begins_as_another_ends_loses_no_game(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    some_games(now)
    due, remove = scanned(), indexing._remove_old

    def begin_beside(ended: int) -> None:
        monkeypatch.setattr(indexing, "_remove_old", remove)
        PositionRun.objects.create(games=1, numbering=NUMBERING - 1)  # by a worker of an earlier version
        indexing.renumber(has_time=lambda: False)
        remove(ended)

    monkeypatch.setattr(indexing, "_remove_old", begin_beside)
    rebuild()
    halfway = found_for(set(due))
    tasks.renumber_positions()

    assert halfway == found_for(set(due)) == due
    assert not numbering_is_outdated()


def test_what_others_have_numbered_meanwhile_is_not_numbered_again(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_games(now)
    PositionRun.objects.update(numbering=NUMBERING - 1)
    monkeypatch.setattr(indexing, "wait_for", lambda _: PositionRun.objects.update(numbering=NUMBERING))

    assert indexing.renumber(has_time=lambda: True) == 0
    assert not PositionRebuild.objects.exists()
    assert not PositionRun.objects.filter(old=True).exists()


@pytest.mark.parametrize("commanded_first", [True, False])
def test_a_command_while_positions_are_numbered_anew_has_events_found_again(
    now: datetime, commanded_first: bool
) -> None:
    some_games(now)
    GameEvents.objects.update(codes=[1])
    PositionRun.objects.update(numbering=NUMBERING - 1)
    if commanded_first:
        PositionRebuild.objects.create()
        tasks.renumber_positions()
    else:
        indexing.renumber(has_time=lambda: False)
        call_command("index_positions")

    assert not GameEvents.objects.filter(codes__isnull=False).exists()
    assert not numbering_is_outdated()


def interrupted(_: int) -> None:
    raise KeyboardInterrupt
