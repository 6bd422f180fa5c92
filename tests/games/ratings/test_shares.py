"""Shares computed by the database equal those of the engine."""

from collections.abc import Sequence

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import rating
from games.ratings.reads.shares import beaten

pytestmark = pytest.mark.django_db


@st.composite
def placements(draw: st.DrawFn) -> list[int]:
    """The places of two to four seats, some of them shared."""
    merits = draw(st.lists(st.integers(0, 3), min_size=2, max_size=4))
    return [1 + sum(other > merit for other in merits) for merit in merits]


def computed_by_the_database(places: Sequence[int]) -> list[int]:
    counted = "SELECT place, count(*) OVER (PARTITION BY place) AS tied, count(*) OVER () AS seats, nth"
    listed = "FROM unnest(%s::int[]) WITH ORDINALITY AS seat (place, nth)"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {beaten('place', 'tied', 'seats')} FROM ({counted} {listed}) AS seated ORDER BY nth",
            [list(places)],
        )
        return [row[0] for row in cursor]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(placements())
def test_shares_computed_by_the_database_match_the_engine(places: list[int]) -> None:
    assert computed_by_the_database(places) == rating.beaten(places)
