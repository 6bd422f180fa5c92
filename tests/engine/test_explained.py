"""Explanations of rating changes: the full sum equals the computed rating."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.explained import explain
from engine.rating import Rating, rate

RATINGS = st.builds(Rating, st.floats(-500, 3000), st.floats(20, 400))


@st.composite
def rated(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    ratings = draw(st.lists(RATINGS, min_size=2, max_size=4))
    taken = [draw(st.integers(1, len(ratings))) for _ in ratings]
    return ratings, [1 + sum(other < place for other in taken) for place in taken]


@given(rated())
def test_explained_terms_add_up_to_the_new_rating(game: tuple[list[Rating], list[int]]) -> None:
    ratings, places = game
    for seat in explain(ratings, places, rate(ratings, places)):
        assert seat.recomputed.mu == pytest.approx(seat.after.mu, abs=2e-6)
        assert seat.recomputed.sigma == pytest.approx(seat.after.sigma, abs=2e-6)


def test_a_win_between_equals_was_half_expected() -> None:
    fresh = [Rating(), Rating()]
    winner, loser = explain(fresh, [1, 2], rate(fresh, [1, 2]))
    assert [(term.own, term.chance, term.share) for term in winner.terms] == [(True, 0.5, 1.0)]
    assert [(term.own, term.chance) for term in loser.terms] == [(False, 0.5), (True, 1.0)]
    assert (winner.surprise, loser.surprise) == (0.5, -0.5)


def test_players_sharing_a_place_split_the_share() -> None:
    fresh = [Rating(), Rating(), Rating()]
    _, second, third = explain(fresh, [1, 2, 2], rate(fresh, [1, 2, 2]))
    assert [term.share for term in second.terms] == [1.0, 0.5, 0.5]
    assert second.surprise == pytest.approx(third.surprise)
