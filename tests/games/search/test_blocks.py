"""Pairs of a position's number and a game are packed into blocks, and found in them."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.positions import BITS
from games.search.reads.blocks import Pairs, games_in, joined, packed, unpacked
from tests.games.search.columns import in_columns

PAIRS = st.sets(st.tuples(st.integers(0, 2**BITS - 1), st.integers(1, 2**40)), max_size=40).map(sorted)


@given(PAIRS)
def test_blocks_hold_exactly_the_pairs_that_were_packed(pairs: list[tuple[int, int]]) -> None:
    assert [pair for first, data in packed(in_columns(pairs)) for pair in unpacked(first, data)] == pairs


@given(PAIRS, st.integers(0, 2**BITS), st.integers(0, 2**BITS))
def test_pairs_in_a_range_are_joined_and_taken_apart_again(pairs: list[tuple[int, int]], begin: int, end: int) -> None:
    found = [one for first, data in packed(in_columns(pairs)) for one in joined(first, data, range(begin, end))]
    assert Pairs.of_joined(found) == in_columns(pair for pair in pairs if begin <= pair[0] < end)


@given(PAIRS)
def test_pairs_are_sorted_game_by_game(pairs: list[tuple[int, int]]) -> None:
    reached: dict[int, set[int]] = {}
    for number, game in pairs:
        reached.setdefault(game, set()).add(number)
    assert Pairs.of_games(reached) == in_columns(pairs)


def test_games_of_a_position_are_found_in_the_blocks_that_hold_it() -> None:
    random = Random(1)
    pairs = sorted({(random.randrange(50), random.randrange(1, 5_000)) for _ in range(20_000)})
    blocks = list(packed(in_columns(pairs)))

    for number in range(50):
        found = [game for first, data in blocks if first <= number for game in games_in(first, data, number)]
        assert found == [game for other, game in pairs if other == number]


def test_a_block_fills_a_quarter_of_a_page_and_a_pair_of_a_million_games_takes_seven_bytes() -> None:
    random = Random(2)
    pairs = sorted((random.getrandbits(37), random.randrange(1, 1_000_000)) for _ in range(60_000))
    blocks = list(packed(in_columns(pairs)))

    assert {len(data) for _, data in blocks[:-1]} <= set(range(1_940, 1_951))
    assert sum(len(data) for _, data in blocks) < 7.1 * len(pairs)
