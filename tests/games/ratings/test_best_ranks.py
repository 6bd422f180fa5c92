"""Ranks without a database: after any changes they equal a full count."""

from hypothesis import given
from hypothesis import strategies as st

from games.ratings.ranks import BestRanks, Ranking

values = st.one_of(st.floats(-1200, 3600).map(lambda value: round(value, 1)), st.sampled_from([-1e5, -4096.0, 1e5]))


@given(st.lists(st.tuples(st.integers(0, 9), st.none() | values)))
def test_a_rank_is_one_more_than_there_are_greater_values(moves: list[tuple[int, float | None]]) -> None:
    ranking, held = Ranking(), dict[int, float]()
    for player, value in moves:
        ranking.move(held.pop(player, None), value)
        if value is not None:
            held[player] = value
        for one in held.values():
            assert ranking.rank(one) == 1 + sum(other > one for other in held.values())


def test_better_rank_is_reported_after_all_moves_of_a_transaction() -> None:
    ranks = BestRanks()

    assert list(ranks.change({7: 10.0, 8: 20.0})) == [(7, 2), (8, 1)]
    assert list(ranks.change({8: 5.0})) == [], "that 7 was first then is not looked at: none of its values had changed"
    assert list(ranks.change({7: 11.0})) == [(7, 1)]


def test_ranks_continue_from_known_values_and_ranks() -> None:
    ranks = BestRanks({7: 10.0, 8: 20.0}, {7: 2, 8: 1})

    assert list(ranks.change({7: 30.0, 8: 25.0})) == [(7, 1)]
