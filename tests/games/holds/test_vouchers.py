"""Whose vouch counts at a table, tested on random tables."""

from hypothesis import given
from hypothesis import strategies as st

from games.holds.reads.vouching import Standing, unvouched

KNOWN = 1


@given(
    vouches=st.lists(st.tuples(st.integers(1, 6), st.integers(2, 12)), max_size=40),
    owners=st.lists(st.integers(1, 6), min_size=11, max_size=11),
    table=st.sets(st.integers(1, 12), min_size=2, max_size=4),
)
def test_one_known_person_can_never_fill_two_seats_by_vouching(
    vouches: list[tuple[int, int]], owners: list[int], table: set[int]
) -> None:
    """One of six accounts is known, vouched for by a moderator; all other names are vouched for only by accounts."""
    owner = {1: KNOWN, **dict(zip(range(2, 13), owners, strict=True))}
    standings = {name: Standing() for name in owner}
    standings[1].service = True
    for by, name in vouches:
        if by == KNOWN != owner[name]:
            standings[name].players[by] = Standing(service=True)
    assert unvouched({name: owner[name] for name in table}, standings)
