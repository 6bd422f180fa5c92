"""Whose word counts at a table, whoever vouches for whom: shown on tables made up at random."""

from hypothesis import given
from hypothesis import strategies as st

from games.holds.reads.vouching import Standing, unvouched

KNOWN = 1


@given(
    vouches=st.lists(st.tuples(st.integers(1, 6), st.integers(2, 12)), max_size=40),
    owners=st.lists(st.integers(1, 6), min_size=11, max_size=11),
    table=st.sets(st.integers(1, 12), min_size=2, max_size=4),
)
def test_one_known_person_never_fills_two_seats_whoever_vouches_for_whom(
    vouches: list[tuple[int, int]], owners: list[int], table: set[int]
) -> None:
    """Of six accounts one is known, by a moderator's word for its first name; the other names have only their own."""
    owner = {1: KNOWN, **dict(zip(range(2, 13), owners, strict=True))}
    standings = {name: Standing() for name in owner}
    standings[1].service = True
    for by, name in vouches:
        if by == KNOWN != owner[name]:
            standings[name].players[by] = Standing(service=True)
    assert unvouched({name: owner[name] for name in table}, standings)
