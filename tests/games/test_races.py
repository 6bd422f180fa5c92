"""Many actions on the same game at once, repeatedly; the resulting rows must be consistent."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from threading import Barrier, BrokenBarrierError

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count
from django.utils import timezone

from engine.rating import Rating, rate
from games.consent import confirmations
from games.consent.reads.eligibility import consent_of
from games.corrections.rerating import perform_waiting
from games.models import Acceptance, Correction, Dispute, Game, Ladder, RatingEvent, Standing, Upload
from games.moderation import decisions
from games.ratings.acceptance import accept_due
from games.uploads.origin import Origin
from games.uploads.source import Source
from games.uploads.submit import submit
from tests.factories import duels
from tests.games.judging import judge_all
from tests.games.seats import give_seat
from tests.games.uploading import upload_file
from tests.tiers import by_tier

GAMES = by_tier(quick=25, long=250)
BURSTS = 4
"""Per game, as many things happen at once as there are threads."""


@dataclass
class Table:
    """The games, the accounts acting on them, and the disputes raised in time."""

    games: list[Game]
    records: list[bytes]
    alice: User
    bob: User
    moderator: User
    in_time: list[int] = field(default_factory=list)
    """Disputes raised before the game was rated: while they are open it stays unrated."""

    def hands(self) -> list[Callable[[int, Random], None]]:
        """The concurrent actors: both seats, and one that uploads, decides or accepts."""
        return [self._speaks(self.alice), self._speaks(self.bob), self._does_the_rest]

    def _speaks(self, account: User) -> Callable[[int, Random], None]:
        def act(at: int, chance: Random) -> None:
            game, now = self.games[at], timezone.now()
            what = chance.choices(["confirm", "withdraw", "dispute", "relent"], [6, 3, 1, 2])[0]
            if what == "confirm":
                confirmations.confirm(game, account, now=now)
            elif what == "withdraw":
                confirmations.withdraw(game, account, now=now)
            elif what == "dispute":
                self._disputes(game, account, now)
            elif own := game.disputes.filter(account=account, state="open").first():
                confirmations.withdraw_dispute(game, account, pk=own.pk, now=now)

        return act

    def _disputes(self, game: Game, account: User, now: datetime) -> None:
        raised = confirmations.dispute(game, account, reason="No.", now=now)
        if not game.acceptances.filter(number__isnull=False).exists():
            self.in_time.append(raised.pk)

    def _does_the_rest(self, at: int, chance: Random) -> None:
        what, now = chance.choices(["accept", "upload", "decide", "correction"], [10, 3, 3, 1])[0], timezone.now()
        found = Acceptance.objects.filter(game=self.games[at], number__isnull=False).first()
        if what == "accept":
            accept_due(now=now, wait=chance.random() < 0.5, watch=False)
        elif what == "upload":
            uploader = chance.choice([self.alice, self.bob])
            submit(Source.of(self.records[at]), Origin(Upload.Via.API, uploader), now=now)
            judge_all(now)
        elif what == "correction":
            perform_waiting(now=now)
        elif found:
            decide = decisions.annul if found.counts else decisions.restore
            decide(found, decisions.Decision(self.moderator, now, "So it was."))


@pytest.fixture
def table(transactional_db: None, now: datetime, alice: User, bob: User) -> Table:
    """Alice plays as Ada, Bob as Bruno; both claimed their names before uploading anything."""
    records = list(duels(GAMES))
    club = User.objects.create_user("club")
    upload = upload_file(b"\n".join(records), via=Upload.Via.API, now=now, uploader=club)
    judge_all(now)
    games = [log.game for log in upload.logs.select_related("game").order_by("number") if log.game]
    for seat, account in enumerate((alice, bob)):
        give_seat(games[0], seat, account, now)
    return Table(games, records, alice, bob, User.objects.create_user("moderator"))


def race(table: Table) -> None:
    """Let everybody act on the same game at once, one game after another, repeatedly."""
    hands = table.hands()
    together = Barrier(len(hands))

    def run(number: int) -> None:
        chance = Random(number)
        try:
            for at in list(range(GAMES)) * BURSTS:
                together.wait(timeout=30)
                with suppress(confirmations.ConsentError, decisions.ModerationError):
                    hands[number](at, chance)
        except BaseException:
            together.abort()
            raise
        finally:
            connection.close()

    with ThreadPoolExecutor(len(hands)) as workers:
        ended = [workers.submit(run, number).exception for number in range(len(hands))]
        problems = [problem for exception in ended if (problem := exception())]
    for problem in sorted(problems, key=lambda problem: isinstance(problem, BrokenBarrierError)):
        raise problem  # the one that broke the barrier, not those who waited at it


@pytest.mark.full
def test_races_rate_no_game_twice_or_without_consent(table: Table) -> None:
    race(table)
    accept_due(now=timezone.now(), watch=False)
    perform_waiting(now=timezone.now())

    accepted = list(Acceptance.objects.filter(number__isnull=False).order_by("number"))
    assert GAMES // 5 < len(accepted) < GAMES, "the races are too one-sided to show anything"
    assert [one.number for one in accepted] == list(range(1, len(accepted) + 1))
    assert_all_have_said_yes(table, {one.game_id for one in accepted})
    assert_rated_once(len(accepted))
    assert_counts_as_decided(accepted)
    assert_standings_follow(accepted)


def assert_all_have_said_yes(table: Table, accepted: set[int]) -> None:
    """Assert that rated games were confirmed by both and not withdrawn, and that others lack something."""
    now = timezone.now()
    for game in table.games:
        found = consent_of(game, now=now)
        assert found.complete <= (game.pk in accepted), "it was confirmed and is forgotten"
        if game.pk in accepted:
            words = game.confirmations.filter(withdrawn_at=None, digest=game.digest).values_list("seat", "account")
            assert set(words) == {(0, table.alice.pk), (1, table.bob.pk)}
    assert not Acceptance.objects.filter(number=None).exists()
    still_open = Dispute.objects.filter(pk__in=table.in_time, state="open")
    assert not accepted & set(still_open.values_list("game", flat=True))


def assert_rated_once(games: int) -> None:
    first = RatingEvent.objects.filter(correction=None)
    assert first.count() == 2 * games
    assert set(first.values("number").annotate(seats=Count("seat", distinct=True)).values_list("seats")) == {(2,)}


def assert_counts_as_decided(accepted: list[Acceptance]) -> None:
    assert Correction.objects.count() > GAMES // 15, "too little was annulled to show anything"
    for one in accepted:
        last = one.corrections.order_by("order").last()
        assert one.counts == (last is None or last.kind == Correction.Kind.RESTORATION)


def assert_standings_follow(accepted: list[Acceptance]) -> None:
    """Assert that the ladder reflects the rated games, in each of which Ada resigned."""
    counting = sum(one.counts for one in accepted)
    ratings = [Rating(), Rating()]
    for _ in range(counting):
        ratings = rate(ratings, [2, 1])
    stands = Standing.objects.order_by("player__name").values_list("player__name", "games", "mu", "sigma")
    assert list(stands) == [
        (name, counting, rating.mu, rating.sigma) for name, rating in zip(("Ada", "Bruno"), ratings, strict=True)
    ]
    assert Ladder.objects.get().games == counting
