"""The version of a game's public page changes with whatever the page shows."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.comments import writing
from games.consent.confirmations import confirm, dispute, withdraw_dispute
from games.consent.privacy import hide, show
from games.corrections.rerating import perform_waiting
from games.models import Acceptance, Confirmation, Game, Player, Upload, Verdict
from games.moderation import decisions
from games.moderation.decisions import Decision
from games.moderation.moderators import make_moderator
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from games.web.game import version
from games.web.game.version import versions_of
from tests.factories import record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
Step = tuple[str, Callable[[], object]]


def upload(now: datetime, by: User | None = None, names: tuple[str, str] = ("Ada", "Bruno"), **tags: str) -> Game:
    with transaction.atomic():
        sent = upload_file(record(names=names, **tags), via=Upload.Via.API, now=now, uploader=by)
        judge_all(now)
    game = sent.logs.get().game
    assert game
    return game


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Alice, who uploads it, plays as Ada, Bob as Bruno."""
    game = upload(now, alice)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    return game


def judge_anew(game: Game) -> None:
    """Add the verdict of another engine."""
    verdict = Verdict.objects.filter(game=game).order_by("pk")[0]
    verdict.pk, verdict.engine_version = None, "99.9"
    verdict.save(force_insert=True)


def version_of(game: Game) -> str:
    return versions_of([game.key]).get(game.key, "")


def page_of(game: Game) -> str:
    answer = Client().get(f"/games/{game.key}/")
    return answer.content.decode() if answer.status_code == 200 else str(answer.status_code)


def life_of(game: Game, alice: User, bob: User, judge: User, now: datetime) -> Iterator[Step]:
    """Yield what can happen to a game, in an order in which it does."""
    decision = Decision(judge, now, "It was never played.")
    yield "hidden", lambda: hide(game, alice, now=now)
    yield "shown", lambda: show(game, alice, now=now)
    yield "disputed", lambda: dispute(game, bob, reason="I was ill.", now=now)
    yield "withdrawn", lambda: withdraw_dispute(game, bob, pk=game.disputes.get().pk, now=now)
    yield "renamed account", lambda: User.objects.filter(pk=bob.pk).update(username="roberta")
    yield "confirmed", lambda: confirm(game, alice, now=now)
    yield "expired", lambda: Confirmation.objects.update(until=now - DAY)
    yield "confirmed again", lambda: confirm(game, alice, now=now)
    yield "confirmed by all", lambda: confirm(game, bob, now=now)
    yield "rated", lambda: rate_waiting(now=now)
    yield "annulled", lambda: decisions.annul(Acceptance.objects.get(game=game), decision)
    yield "carried out", lambda: perform_waiting(now=now)
    yield "uploaded again", lambda: upload(now, bob, Event="another file")
    yield "renamed player", lambda: Player.objects.filter(name="Ada").update(name="Adelheid")
    yield "marked as a bot", lambda: Player.objects.filter(name="Bruno").update(is_bot=True)
    yield "judged by another engine", lambda: judge_anew(game)
    yield "commented", lambda: writing.write(game, "Well played", by=bob, now=now)
    yield "answered", lambda: writing.write(game, "Hello", by=alice, now=now)
    yield "comment changed", lambda: writing.change(game.comments.get(author=bob), "Badly", 1, by=bob, now=now)
    yield "comment hidden", lambda: game.comments.filter(author=bob).update(hidden_at=now, hidden_for="Rude")
    yield "comment deleted", lambda: writing.delete(game.comments.get(author=alice), by=alice)
    yield "challenged", lambda: upload(now, judge, names=("Bruno", "Ada"))


@pytest.mark.full
def test_page_changes_only_with_its_version(game: Game, alice: User, bob: User, mallory: User, now: datetime) -> None:
    make_moderator(mallory, now=now)
    before, changed = (version_of(game), page_of(game)), list[str]()
    for name, step in life_of(game, alice, bob, mallory, timezone.now()):  # confirmations expire by the clock
        with transaction.atomic():
            step()
        after = (version_of(game), page_of(game))
        if after[1] != before[1]:
            changed.append(name)
            assert after[0] != before[0] or not after[0], name
        before = after
    assert {
        "hidden",
        "shown",
        "commented",
        "comment changed",
        "comment hidden",
        "disputed",
        "confirmed",
        "expired",
        "rated",
        "annulled",
        "renamed player",
    } <= set(changed)


def test_whatever_tables_the_page_reads_are_part_of_the_version(
    game: Game, alice: User, bob: User, now: datetime
) -> None:
    confirm(game, alice, now=now)
    confirm(game, bob, now=now)
    rate_waiting(now=now)
    with CaptureQueriesContext(connection) as asked:
        page_of(game)
        Client().get(f"/api/v1/games/{game.key}/frames")
        Client().get(f"/games/{game.key}/embed/")
    tables = {table for one in asked for table in re.findall(r'(?:FROM|JOIN) "(\w+)"', one["sql"])}
    assert {table for table in tables if not re.search(rf"\b{table}\b", version._VERSIONS)} == set()


@pytest.mark.parametrize("hidden", [True, False])
def test_private_game_has_no_version(alice: User, now: datetime, hidden: bool) -> None:
    options = UploadOptions(private=hidden)
    upload_file(record(), via=Upload.Via.API, now=now, uploader=alice, options=options)
    judge_all(now)
    assert bool(version_of(Game.objects.get())) is not hidden


def test_games_that_wait_for_a_decision_have_no_version(game: Game, mallory: User, now: datetime) -> None:
    rival = upload(now, mallory, names=("Bruno", "Ada"))
    assert versions_of([game.key, rival.key]) == {}


def test_game_that_leads_on_to_another_has_no_version(game: Game, now: datetime) -> None:
    other = upload(now, names=("Cleo", "Dora"))
    Game.objects.filter(pk=other.pk).update(same_as=game, private=True)
    assert version_of(other) == ""


def test_versions_of_many_games_come_in_one_statement(game: Game) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert set(versions_of([game.key, "nowhere2"])) == {game.key}
    assert len(asked) == 1
