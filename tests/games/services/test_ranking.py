"""Ranks without a database: whatever moves, they are what counting would give."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from games.services.ranking import Best, BestRanks, Ranking

AT = datetime(2026, 3, 14, tzinfo=UTC)
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


def test_the_best_rank_is_that_after_a_transaction_and_stays_when_the_line_is_gone() -> None:
    ranks = BestRanks()

    ranks.change([((1, 7), 10.0, 1), ((1, 8), 20.0, 1)], AT)
    ranks.change([((1, 8), 5.0, 2)], AT)
    ranks.change([((1, 7), None, 0), ((2, 7), 1.0, 3)], AT)

    # That 7 was first when 8 had lost is not looked at: nothing of his own had changed then.
    assert ranks.best == {(1, 7): Best(2, 1, AT), (1, 8): Best(1, 1, AT), (2, 7): Best(1, 3, AT)}
