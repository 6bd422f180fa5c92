"""Operators are alerted to impossible states of tables: in the log, the health check and the moderators' page."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from structlog.testing import capture_logs

from games import run, tasks
from games.models import MoveLog, Table, TableAction
from games.moderation.moderators import make_moderator
from games.playing import leaving, linking
from games.playing.reads.position import position_of
from tests.games.judging import judge_all
from tests.games.playing.seating import fresh, guests, play, seated, whose_turn

pytestmark = pytest.mark.django_db

Browse = Callable[[User | None], Client]


@pytest.fixture
def finished(now: datetime) -> Table:
    """A finished game whose record is waiting for verification."""
    people = guests(2)
    table = play(seated(people, now, "army-ants"), people, now, most=1)
    return leaving.resign(table.key, whose_turn(table, people), now=now)


def heard_by_operators(table: Table, now: datetime, browse: Browse, moderator: User) -> set[str]:
    """Do the worker's part; return the logged alarms, after comparing the health check and the moderators' page."""
    with capture_logs() as logged:
        judge_all(now)
        run.rate_waiting(now=lambda: now)
        tasks.sweep()
    page = browse(moderator).get("/moderation/").content.decode()
    assert browse(None).get("/health").json()["alarms"] == table.alarms.count() == page.count("/moderation/alarms/")
    assert page.count(table.get_absolute_url()) == table.alarms.count()
    return {line["kind"] for line in logged if (line["event"], line["log_level"]) == ("played_game.alarm", "error")}


@pytest.fixture
def moderator(alice: User, now: datetime) -> User:
    """Alice as a moderator, who sees the alarms."""
    make_moderator(alice, now=now)
    return User.objects.get(pk=alice.pk)


def test_an_unaltered_finished_game_raises_no_alarm(
    finished: Table, now: datetime, browse: Browse, moderator: User
) -> None:
    assert heard_by_operators(finished, now, browse, moderator) == set()
    assert fresh(finished).game


@pytest.mark.full
def test_an_altered_action_of_a_finished_table_raises_an_alarm(
    finished: Table, now: datetime, browse: Browse, moderator: User
) -> None:
    first = TableAction.objects.get(table=finished, ply=0)
    other = next(token for token in position_of(finished, ()).legal("") if token != first.token)
    TableAction.objects.filter(pk=first.pk).update(token=other)
    assert heard_by_operators(finished, now, browse, moderator) == {"altered"}


def test_an_altered_action_in_the_record_raises_an_alarm(
    finished: Table, now: datetime, browse: Browse, moderator: User
) -> None:
    (log,) = MoveLog.objects.filter(upload=finished.upload)
    token = finished.actions.get(ply=0).token.encode()
    log.data = log.data.replace(token, b"a1xa2")
    log.save(update_fields=["data"])
    assert heard_by_operators(finished, now, browse, moderator) == {"not-verified"}
    assert MoveLog.objects.get(upload=finished.upload).verdict == "rejected"


@pytest.mark.full
def test_a_quarantined_record_raises_a_single_alarm(
    finished: Table, now: datetime, browse: Browse, moderator: User
) -> None:
    MoveLog.objects.filter(upload=finished.upload).update(
        state="quarantined", failure="Verification failed: MemoryError.", attempts=3
    )
    assert heard_by_operators(finished, now, browse, moderator) == {"not-verified"}
    assert finished.alarms.get().message == "The record was set aside. Verification failed: MemoryError."
    assert linking.raise_alarms_for_quarantined(now=now) == 0


def test_the_page_of_a_table_reports_that_its_record_could_not_be_verified(
    finished: Table, now: datetime, browse: Browse
) -> None:
    MoveLog.objects.filter(upload=finished.upload).update(state="quarantined", attempts=3)
    assert "The record is being verified." in browse(None).get(finished.get_absolute_url()).content.decode()
    linking.raise_alarms_for_quarantined(now=now)
    html = browse(None).get(finished.get_absolute_url()).content.decode()
    assert "The record could not be verified yet. The operator has been notified." in html
