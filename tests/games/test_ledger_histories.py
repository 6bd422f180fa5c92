"""Any history of acceptances, annulments, restorations, merges and splits equals a recomputation."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games.audit.check import Audit
from games.corrections.rerating import (
    Instruction,
    order_annulment,
    order_merge,
    order_restoration,
    order_split,
    perform_waiting,
)
from games.models import Acceptance, Club, Correction, Player
from games.ratings.acceptance import accept_due
from tests.games.fabricated import Played, fabricate

PLAYERS = 6


@st.composite
def games(draw: st.DrawFn) -> Played:
    seated = draw(st.lists(st.integers(0, PLAYERS - 1), min_size=2, max_size=4, unique=True))
    merits = draw(st.lists(st.integers(0, 2), min_size=len(seated), max_size=len(seated)))
    return Played(tuple(seated), tuple(1 + sum(other > merit for other in merits) for merit in merits))


class Histories(RuleBasedStateMachine):
    """A club with constant changes. Every run starts with empty tables and leaves them so."""

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.now = datetime(2026, 3, 14, tzinfo=UTC)
        self.played = 0
        self.club = Club.objects.create(slug="club", name="Club", created_at=self.now)
        self.people = fabricate([], PLAYERS)

    def teardown(self) -> None:
        """Undo everything."""
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    @property
    def order(self) -> Instruction:
        return Instruction(None, "it was so", self.now)

    def player(self, number: int) -> Player:
        return Player.objects.get(pk=self.people[number])

    @initialize(evening=st.lists(games(), min_size=3, max_size=8))
    def begin(self, evening: list[Played]) -> None:
        self.play(evening, club=False)

    @rule(evening=st.lists(games(), min_size=1, max_size=5), club=st.booleans())
    def play(self, evening: list[Played], club: bool) -> None:
        fabricate(evening, PLAYERS, first=self.played, club=self.club if club else None)
        self.played += len(evening)
        accept_due(now=self.now, watch=False)

    @rule(which=st.integers(0, 1000))
    def annul(self, which: int) -> None:
        order_annulment(self.any_game(which), self.order)

    @rule(which=st.integers(0, 1000))
    def restore(self, which: int) -> None:
        order_restoration(self.any_game(which), self.order)

    def any_game(self, which: int) -> Acceptance:
        return Acceptance.objects.get(number=1 + which % self.played)

    @rule(one=st.integers(0, PLAYERS - 1), other=st.integers(0, PLAYERS - 1))
    def merge(self, one: int, other: int) -> None:
        player, into = self.player(one), self.player(other)
        if player.rated_id != into.rated_id:
            order_merge(player, into, self.order)

    @rule(one=st.integers(0, PLAYERS - 1))
    def part(self, one: int) -> None:
        if (player := self.player(one)).merged_into_id:
            order_split(player, self.order)

    @rule(minutes=st.integers(-5, 5))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @precondition(lambda self: Correction.objects.filter(order=None).exists())
    @rule()
    def work(self) -> None:
        assert perform_waiting(now=self.now)

    @invariant()
    def nothing_differs(self) -> None:
        assert [str(flaw) for flaw in Audit().run()] == []


@pytest.mark.full
@pytest.mark.django_db
def test_every_history_of_the_ledger_matches_a_recomputation() -> None:
    run_state_machine_as_test(
        Histories,
        settings=settings(
            max_examples=6, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
