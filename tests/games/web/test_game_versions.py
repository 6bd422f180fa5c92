"""The version of a game rises with whatever its public page shows, so that a kept page is never an older one."""

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from itertools import count
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.core.cache.backends.locmem import LocMemCache
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from atta_site.serving.answers import Answer, head_of
from atta_site.serving.kept import Kept
from atta_site.serving.scope import Request
from games.consent.confirmations import confirm
from games.models import Club, Game, Player, Upload
from games.moderation.moderators import make_moderator
from games.platform.freshness import fresh_until
from games.records.reads.versions import versions_of
from games.run import rate_waiting
from games.uploads.origin import UploadOptions
from tests.atta_site.serving.asking import run
from tests.factories import BROKEN, duels, record
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file
from tests.games.web.life_of_a_game import Step, steps, steps_of_rejected, upload

PAGES = ("/games/{key}/", "/games/{key}/embed/", "/api/v1/games/{key}/frames")
LANGUAGES = ("en", "de")
WITHOUT_TRIGGERS = {"games_ladder": "A ladder stays what it is: of which game, and of which club."}
"""Tables that pages read and that raise no version, with the reason."""


@pytest.fixture
def game(alice: User, bob: User, now: datetime) -> Game:
    """Alice, who uploads it, plays as Ada, Bob as Bruno."""
    game = upload(now, alice)
    give_seat(game, 0, alice, now)
    give_seat(game, 1, bob, now)
    return game


class Shown(NamedTuple):
    """A page, as it is given and as it is made anew."""

    name: str
    given: Answer
    anew: Answer
    is_kept: bool
    """Whether it was given once more without being made."""


class Reader:
    """A stranger who reads what shows a game, as web processes give it: kept, if it is; and as it is made anew."""

    def __init__(self) -> None:
        self.kept = Kept(self._versions, LocMemCache("of a reader", {}), largest=2**20)
        self.made, self._address = 0, count()

    def read(self, game: Game) -> list[Shown]:
        """Return what shows a game, its page in English first."""
        return run(self._read(game))

    async def _read(self, game: Game) -> list[Shown]:
        pages = [(page.format(key=game.key), language) for page in PAGES for language in LANGUAGES]
        return [await self._shown(page, language) for page, language in pages]

    async def _shown(self, page: str, language: str) -> Shown:
        given, anew, made = await self._given(page, language), await self._page(page, language), self.made
        await self._given(page, language)
        return Shown(f"{page} in {language}", given, anew, self.made == made)

    async def _given(self, page: str, language: str) -> Answer:
        path, _, query = page.partition("?")
        scope = {
            "type": "http", "method": "GET", "scheme": "http", "path": path, "raw_path": path.encode(),
            "query_string": query.encode(), "headers": [(b"accept-language", language.encode())],
        }  # fmt: skip

        async def make(_request: Request) -> Answer:
            self.made += 1
            return await self._page(page, language)

        return await self.kept.answer(Request(scope), make)

    async def _page(self, page: str, language: str) -> Answer:
        return await asyncio.to_thread(self._made_anew, page, language)

    def _made_anew(self, page: str, language: str) -> Answer:
        """Return what Django answers, asked from an address of its own, which no limit knows."""
        number = next(self._address)
        client = Client(headers={"accept-language": language}, REMOTE_ADDR=f"10.0.{number // 250}.{number % 250}")
        try:
            answer = client.get(page)
            return Answer(*head_of(answer), answer.content, fresh_until(answer))
        finally:
            connections.close_all()

    @staticmethod
    def _versions(keys: Collection[str]) -> Mapping[str, int]:
        try:
            return versions_of(keys)
        finally:
            connections.close_all()


def live_through(game: Game, life: Iterable[Step]) -> set[str]:
    """Let all that a game's pages show be written, and compare them each time. :returns: what changed the page."""
    reader, changed = Reader(), set[str]()
    before = reader.read(game)[0].anew.content
    for name, step in life:
        with transaction.atomic():
            step()
        pages = reader.read(game)
        for page, given, anew, is_kept in pages:
            assert (given.status, given.content) == (anew.status, anew.content), f"{page}, {name}"
            assert is_kept == (anew.status == 200 and anew.fresh_until > 0), f"{page}, {name}"
        if pages[0].anew.content != before:
            changed.add(name)
        before = pages[0].anew.content
    return changed


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_no_write_leaves_an_older_page(game: Game, alice: User, bob: User, mallory: User, now: datetime) -> None:
    make_moderator(mallory, now=now)
    changed = live_through(game, steps(game, alice, bob, mallory, timezone.now()))  # confirmations expire by the clock
    assert {
        *("hidden", "shown", "disputed", "withdrawn", "dismissed", "confirmed", "confirmation withdrawn", "expired"),
        *("renamed account", "rated", "annulled", "annulment performed", "restored", "restoration performed"),
        *("uploaded again", "corrected by its uploader", "rated in a club", "corrected by a club", "renamed club"),
        *("linked to a table", "unlinked", "judged by another engine", "marked as a bot", "marked as a person"),
        *("renamed player", "commented", "comment changed", "comment hidden", "comment shown", "comment deleted"),
        *("renamed author", "challenged", "commented on the other seating", "seating kept", "other seating chosen"),
        "uploader deleted",
    } - changed == set()


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_no_write_leaves_an_older_page_of_a_rejected_record(alice: User, now: datetime) -> None:
    sent = upload_file(BROKEN, via=Upload.Via.API, now=now, uploader=alice)
    judge_all(now)
    sent.refresh_from_db()
    changed = live_through(Game.objects.get(), steps_of_rejected(sent, alice, now))
    assert changed == {"removed", "brought back", "renamed account", "uploader deleted"}


def test_whatever_tables_the_page_reads_raise_its_version(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    confirm(game, bob, now=now)
    rate_waiting(now=now)
    with CaptureQueriesContext(connection) as asked:
        for page in PAGES:
            assert Client().get(page.format(key=game.key)).status_code == 200
    tables = {table for one in asked for table in re.findall(r'(?:FROM|JOIN) "(\w+)"', one["sql"])}
    assert tables - tables_with_triggers() == set(WITHOUT_TRIGGERS)


def tables_with_triggers() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname ~ '^versions?_.*raised'")
        return {table for (table,) in cursor}


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_what_pages_do_not_show_raises_no_version(game: Game, alice: User, bob: User, now: datetime) -> None:
    organised = Club.objects.create(slug="nest", name="Nest", created_at=now)
    confirm(game, alice, now=now)
    before = versions_of([game.key])
    User.objects.update(last_login=now, email="new@example.org")
    Player.objects.update(unsettled_after=5, introduced_by=alice)
    Upload.objects.update(judged_at=now, filename="evening.txt", accepted_logs=1)
    Club.objects.filter(pk=organised.pk).update(about="We meet on Fridays.")
    upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now, uploader=alice)
    judge_all(now)
    assert versions_of([game.key]) == before


@pytest.mark.django_db(transaction=True)
def test_games_are_stored_without_being_written_again(alice: User, now: datetime) -> None:
    upload_file(b"\n".join(duels(3)), via=Upload.Via.API, now=now, uploader=alice)
    judge_all(now)
    assert set(Game.objects.values_list("version", flat=True)) == {0}


@pytest.mark.django_db(transaction=True)
def test_version_rises_when_code_saves_an_older_one(game: Game) -> None:
    (before,) = versions_of([game.key]).values()
    Game.objects.filter(pk=game.pk).update(version=0)
    assert versions_of([game.key]) == {game.key: before + 1}


def test_page_says_until_when_it_may_be_kept(game: Game, alice: User, now: datetime) -> None:
    assert freshness(game) > timezone.now().timestamp()
    given = confirm(game, alice, now=timezone.now()).until
    assert given
    assert freshness(game) == given.timestamp()


def test_page_of_a_game_that_waits_for_a_decision_is_not_kept(game: Game, mallory: User, now: datetime) -> None:
    upload(now, mallory, names=("Bruno", "Ada"))
    assert freshness(game) == 0


def test_page_of_a_game_that_is_held_is_not_kept(game: Game, alice: User, bob: User, now: datetime) -> None:
    confirm(game, alice, now=now)
    confirm(game, bob, now=now)
    rate_waiting(now=now)
    game.acceptances.update(held=True, number=None, accepted_at=None)
    assert freshness(game) == 0


def freshness(game: Game) -> float:
    answer: Any = Client().get(game.get_absolute_url())
    return fresh_until(answer)


@pytest.mark.django_db
@pytest.mark.parametrize("hidden", [True, False])
def test_private_game_has_no_version(alice: User, now: datetime, hidden: bool) -> None:
    options = UploadOptions(private=hidden)
    upload_file(record(), via=Upload.Via.API, now=now, uploader=alice, options=options)
    judge_all(now)
    assert bool(versions_of([Game.objects.get().key])) is not hidden


def test_game_that_leads_on_to_another_has_no_version(game: Game, now: datetime) -> None:
    other = upload(now, names=("Cleo", "Dora"))
    Game.objects.filter(pk=other.pk).update(same_as=game, private=True)
    assert versions_of([other.key]) == {}


def test_versions_of_many_games_come_in_one_statement(game: Game) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert set(versions_of([game.key, "nowhere2"])) == {game.key}
    assert len(asked) == 1
