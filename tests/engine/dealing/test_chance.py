"""The arithmetic of deals, compared with the independent implementation."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import chance
from engine.chance import RecordingStream, Stream, StreamUsedUpError, block, commitment, hashed, seed
from tests.engine.dealing import slow
from tests.engine.dealing.made import words_of

seeds = st.integers(0, 2**64).map(lambda number: f"{number:064x}")
texts = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64)


def test_digest_covers_lines_ending_with_a_newline() -> None:
    assert hashed("atta-deal/1", "commit", "a").text == "atta-deal/1\ncommit\na\n"
    assert hashed().digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@given(seeds, st.lists(texts, min_size=2, max_size=4))
def test_commitment_and_seed_match_the_independent_implementation(secret: str, entropies: list[str]) -> None:
    committed = slow.digest("atta-deal/1", "commit", secret).hex()
    begun = slow.digest("atta-deal/1", "seed", "Picnic", "1", committed, secret, *entropies).hex()

    assert (commitment(secret).digest, seed("Picnic", "1", secret, entropies).digest) == (committed, begun)


@given(st.sampled_from(["first", "setup"]), seeds, st.integers(0, 300))
def test_block_holds_eight_words_of_the_independent_implementation(purpose: str, begun: str, number: int) -> None:
    words = islice(slow.numbers(purpose, begun), number * 8, number * 8 + 8)

    assert words_of(block(purpose, begun, number).digest) == tuple(words)


@given(seeds, st.lists(st.integers(1, 2**32), min_size=1, max_size=30))
def test_random_numbers_are_in_range_and_match_the_independent_implementation(begun: str, bounds: list[int]) -> None:
    stream, words = Stream("setup", begun), slow.numbers("setup", begun)

    for bound in bounds:
        number = stream.below(bound)
        assert number == slow.below(words, bound)
        assert 0 <= number < bound


@given(seeds, st.integers(2**31 + 1, 2**32 - 1))
def test_words_at_or_above_the_bound_are_discarded(begun: str, bound: int) -> None:
    stream = RecordingStream("setup", begun)
    stream.stage("test")

    numbers = [stream.below(bound) for _ in range(12)]

    draws = stream.drawing().stages[0].draws
    assert [draw.number for draw in draws] == numbers == [draw.words[-1] for draw in draws]
    assert all(word >= bound for draw in draws for word in draw.words[:-1])
    taken = [word for draw in draws for word in draw.words]
    assert taken == list(islice(slow.numbers("setup", begun), len(taken)))


@given(seeds, st.lists(st.integers(), max_size=70))
def test_shuffle_is_a_permutation_and_matches_the_independent_implementation(begun: str, things: list[int]) -> None:
    shuffled = Stream("setup", begun).shuffle(things)

    assert sorted(shuffled) == sorted(things)
    assert shuffled == slow.shuffle(slow.numbers("setup", begun), things)


@given(seeds)
def test_the_purposes_have_streams_of_their_own(begun: str) -> None:
    assert Stream("first", begun).below(2**32) != Stream("setup", begun).below(2**32)


def test_shuffling_one_item_uses_no_random_word() -> None:
    stream = Stream("setup", "")

    assert (stream.shuffle("x"), stream.shuffle("")) == (["x"], [])
    assert stream.below(2**32) == next(slow.numbers("setup", ""))


def test_a_stream_ends_after_its_last_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "MOST_BLOCKS", 2)
    stream = Stream("setup", "")

    assert [stream.below(2**32) for _ in range(16)] == list(islice(slow.numbers("setup", ""), 16))
    with pytest.raises(StreamUsedUpError):
        stream.below(2)
