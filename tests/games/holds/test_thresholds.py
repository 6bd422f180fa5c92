"""How often is unusual: across settled flags, merges and several early resigners."""

from datetime import datetime

import pytest

from games.holds.thresholds import AGAIN, FARMED, PAIRINGS_A_DAY, RECEIVED
from games.models import Acceptance, Flag, Game
from games.moderation.decisions import Decision, settle_flag
from games.run import rate_waiting
from tests.games import evenings
from tests.games.holds.test_flags import play, waiting

pytestmark = pytest.mark.django_db

RULESET = evenings.RULESET


def let_count(game: Game, now: datetime) -> None:
    """Let a moderator release a held game."""
    for flag in Flag.objects.filter(game=game, settled_at=None):
        settle_flag(flag, Decision(None, now, "They met at the club."))
    rate_waiting(now=now)
    assert Acceptance.objects.get(game=game).number


def test_settled_pair_is_held_again_at_the_third_further_game(now: datetime) -> None:
    tenth = play(PAIRINGS_A_DAY, RULESET, now)[-1]
    let_count(tenth, now)
    *passing, third = play(AGAIN, RULESET, now)
    assert waiting("repeated-pairing") == [third.pk]
    assert Acceptance.objects.filter(game__in=passing, number__isnull=False).count() == AGAIN - 1
    let_count(third, now)
    assert waiting("repeated-pairing") == []


def test_a_merge_that_jumps_over_the_threshold_is_noticed(now: datetime) -> None:
    play(PAIRINGS_A_DAY - 2, RULESET, now)
    play(PAIRINGS_A_DAY - 2, RULESET, now, seats=(("Adele", "Bruno"), (2, 1)))
    evenings.merge("Ada", "Adele", now)
    (game,) = play(1, RULESET, now, seats=(("Adele", "Bruno"), (1, 2)))
    assert waiting("repeated-pairing") == [game.pk]


@pytest.mark.full
def test_settling_a_table_for_one_pair_does_not_settle_the_others(now: datetime) -> None:
    play(PAIRINGS_A_DAY - 1, RULESET, now)
    play(PAIRINGS_A_DAY - 2, RULESET, now, seats=(("Cleo", "Dora"), (1, 2)))
    (four,) = play(1, RULESET, now, seats=(("Ada", "Bruno", "Cleo", "Dora"), (1, 2, 3, 4)))
    let_count(four, now)
    (game,) = play(1, RULESET, now, seats=(("Cleo", "Dora"), (1, 2)))
    assert waiting("repeated-pairing") == [game.pk]


@pytest.mark.full
def test_early_resignations_of_several_rivals_to_one_player_add_up(now: datetime) -> None:
    givers = ["Ada", "Cleo", "Dora"]
    tables = [((giver, "Bruno"), (2, 1)) for giver in givers for _ in range(FARMED - 1)]
    games = [play(1, RULESET, now, seats=table, left_in=1)[0] for table in tables]
    assert len(games) == RECEIVED
    assert waiting("resign-farming") == [games[-1].pk]
    assert Flag.objects.get().params == {"received": RECEIVED}
    let_count(games[-1], now)
    more = [play(1, RULESET, now, seats=((name, "Bruno"), (2, 1)), left_in=1)[0] for name in ("E", "F", "G")]
    assert waiting("resign-farming") == [more[-1].pk]


def test_early_resignations_before_a_merge_still_count(now: datetime) -> None:
    for one in range(RECEIVED - 1):
        play(1, RULESET, now, seats=((f"Giver {one}", "Bruno"), (2, 1)), left_in=1)
    evenings.merge("Bruno", "Benno", now)
    (game,) = play(1, RULESET, now, seats=(("Giver 9", "Benno"), (2, 1)), left_in=1)
    assert waiting("resign-farming") == [game.pk]
