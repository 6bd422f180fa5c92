"""Ratings: the formulas compared with the paper and openskill, and the treatment of ties."""

import math
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from engine.rating import BETA, KAPPA, MU, SIGMA, TAU, Entry, Rating, beaten, rate, shown, unrounded


def by_the_paper(ratings: list[Rating], placements: list[int]) -> list[Rating]:
    """Weng and Lin 2011, algorithm 4, reimplemented; tied players share what their place would get."""
    sigmas = [math.hypot(rating.sigma, TAU) for rating in ratings]
    c = math.sqrt(sum(sigma**2 + BETA**2 for sigma in sigmas))
    weight = [math.exp(rating.mu / c) for rating in ratings]
    seats = range(len(ratings))
    behind = [sum(weight[i] for i in seats if placements[i] >= placements[q]) for q in seats]
    after = []
    for i in seats:
        omega = delta = 0.0
        for q in seats:
            if placements[q] <= placements[i]:
                share, tied = weight[i] / behind[q], placements.count(placements[q])
                omega += ((1.0 if q == i else 0.0) - share) / tied
                delta += share * (1 - share) / tied
        omega *= sigmas[i] ** 2 / c
        delta *= sigmas[i] ** 2 / c**2 * sigmas[i] / c
        after.append(Rating(ratings[i].mu + omega, sigmas[i] * math.sqrt(max(1 - delta, 0.0001))))
    return after


strengths = st.builds(
    Rating, st.floats(0, 3000).map(lambda x: round(x, 3)), st.floats(30, 400).map(lambda x: round(x, 3))
)


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    ratings = draw(st.lists(strengths, min_size=2, max_size=4))
    merits = draw(st.lists(st.integers(0, 3), min_size=len(ratings), max_size=len(ratings)))
    return ratings, [1 + sum(other > merit for other in merits) for merit in merits]


def by_the_library(entries: list[Entry]) -> list[tuple[float, float]]:
    """Return the result of openskill, unrounded."""
    model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, kappa=KAPPA)
    teams = [[model.rating(mu=mu, sigma=sigma)] for _, mu, sigma in entries]
    rated = model.rate(teams, ranks=[float(place) for place, _, _ in entries])
    return [(team[0].mu, team[0].sigma) for team in rated]


def entries_of(ratings: list[Rating], placements: list[int]) -> list[Entry]:
    return sorted((place, rating.mu, rating.sigma) for place, rating in zip(placements, ratings, strict=True))


@given(outcomes())
def test_ratings_equal_openskill_to_the_last_bit(outcome: tuple[list[Rating], list[int]]) -> None:
    entries = entries_of(*outcome)
    assert unrounded(entries) == by_the_library(entries)


@pytest.mark.full
def test_thirty_thousand_ratings_equal_openskill_to_the_last_bit() -> None:
    random = Random(6)
    for _ in range(30_000):
        merits = [random.randrange(4) for _ in range(random.choice((2, 3, 4)))]
        places = [1 + sum(other > merit for other in merits) for merit in merits]
        ratings = [Rating(round(random.gauss(1200, 500), 6), round(random.uniform(20, 400), 6)) for _ in merits]
        entries = entries_of(ratings, places)
        assert unrounded(entries) == by_the_library(entries), entries


@given(outcomes())
def test_ratings_match_the_formulas_of_the_paper(outcome: tuple[list[Rating], list[int]]) -> None:
    ratings, placements = outcome
    for found, expected in zip(rate(ratings, placements), by_the_paper(ratings, placements), strict=True):
        assert (found.mu, found.sigma) == pytest.approx((expected.mu, expected.sigma), abs=1e-5)


@given(outcomes())
def test_order_of_players_does_not_change_the_ratings(outcome: tuple[list[Rating], list[int]]) -> None:
    ratings, placements = outcome
    expected = rate(ratings, placements)
    for order in permutations(range(len(ratings))):
        found = rate([ratings[i] for i in order], [placements[i] for i in order])
        assert found == [expected[i] for i in order]


@given(strengths, outcomes(), st.data())
def test_equal_players_who_share_a_place_stay_equal_to_the_last_bit(
    strength: Rating, outcome: tuple[list[Rating], list[int]], data: st.DataObject
) -> None:
    ratings, placements = outcome
    seats = data.draw(st.permutations(range(len(ratings))))[:2]
    shared = max(placements[seat] for seat in seats)
    merits = [shared if seat in seats else place for seat, place in enumerate(placements)]
    after = rate(
        [strength if seat in seats else rating for seat, rating in enumerate(ratings)],
        [1 + sum(other < merit for other in merits) for merit in merits],
    )
    assert after[seats[0]] == after[seats[1]]


@given(strengths, st.integers(2, 4))
def test_equal_players_who_share_all_places_stay_equal(strength: Rating, players: int) -> None:
    after = rate([strength] * players, [1] * players)

    assert len(set(after)) == 1
    assert after[0].mu == pytest.approx(strength.mu, abs=1e-5)


def test_new_player_is_shown_with_rating_zero() -> None:
    assert Rating().shown == 0


@pytest.mark.parametrize(("value", "points"), [(-0.1, 0), (0.0, 0), (0.99, 0), (1.0, 1), (1099.999999, 1099)])
def test_shown_rating_is_a_whole_number_and_never_negative(value: float, points: int) -> None:
    assert shown(value) == points


@pytest.mark.parametrize(
    ("placements", "twelfths"),
    [
        ([1, 2], [12, 0]),
        ([1, 1], [6, 6]),
        ([2, 1, 3], [6, 12, 0]),
        ([1, 1, 3], [9, 9, 0]),
        ([1, 2, 2], [12, 3, 3]),
        ([1, 2, 2, 4], [12, 6, 6, 0]),
        ([4, 3, 2, 1], [0, 4, 8, 12]),
        ([1, 1, 1, 1], [6, 6, 6, 6]),
        ([1, 2, 2, 2], [12, 4, 4, 4]),
        ([1, 1, 3, 3], [10, 10, 2, 2]),
    ],
)
def test_players_sharing_a_place_get_the_mean_share_beaten(placements: list[int], twelfths: list[int]) -> None:
    assert beaten(placements) == twelfths
