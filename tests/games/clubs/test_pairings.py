"""Who meets whom, for any number of players."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clubs.reads.pairings import Round, meetings, round_robin, swiss_round

PLAYERS = st.integers(2, 24).map(lambda many: list(range(1, many + 1)))


def seated(one: Round) -> list[int]:
    return sorted([player for table in one.tables for player in table] + list(one.byes))


@given(PLAYERS)
def test_two_at_a_table_everybody_meets_everybody_once_and_has_one_bye_at_most(players: list[int]) -> None:
    rounds = round_robin(players, 2)
    met, byes = meetings(rounds), Counter(player for one in rounds for player in one.byes)
    assert set(met.values()) == {1}
    assert len(met) == len(players) * (len(players) - 1) // 2
    assert byes == (Counter(players) if len(players) % 2 else Counter())
    assert all(seated(one) == players for one in rounds)


@given(PLAYERS, st.integers(3, 4))
def test_more_at_a_table_everybody_meets_everybody_and_sits_in_every_round(players: list[int], seats: int) -> None:
    rounds = round_robin(players, seats)
    assert len(meetings(rounds)) == len(players) * (len(players) - 1) // 2
    assert all(seated(one) == players for one in rounds)
    assert {len(table) for one in rounds for table in one.tables} <= set(range(2, seats + 1))


@given(PLAYERS, st.randoms(use_true_random=False))
def test_swiss_rounds_repeat_nothing_in_the_first_half_and_share_byes(players: list[int], chance: object) -> None:
    rounds = list[Round]()
    for _ in range(max(len(players) // 2, 1)):
        standings = list(players)
        chance.shuffle(standings)  # type: ignore[attr-defined] # a Random
        rounds.append(swiss_round(standings, rounds, 2))
    byes = Counter(player for one in rounds for player in one.byes)
    assert max(meetings(rounds).values()) == 1
    assert max(byes.values(), default=0) <= 1
    assert all(seated(one) == players for one in rounds)


@pytest.mark.parametrize(
    ("standings", "tables", "byes"),
    [([1, 2, 3, 4], ((1, 2), (3, 4)), ()), ([3, 1, 2], ((3, 1),), (2,)), ([4, 3, 2, 1, 5], ((4, 3), (2, 1)), (5,))],
)
def test_neighbours_in_the_standings_meet_and_the_last_one_rests(
    standings: list[int], tables: tuple[tuple[int, ...], ...], byes: tuple[int, ...]
) -> None:
    assert swiss_round(standings, [], 2) == Round(tables, byes)


def test_when_all_have_met_they_meet_again() -> None:
    assert swiss_round([1, 2], [Round(((1, 2),))], 2) == Round(((1, 2),))
