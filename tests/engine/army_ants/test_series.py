"""When a repeated series of actions is a draw, found with little work (ARMY-END-3)."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agn.log import Record
from engine.army_ants.board import NAMES, SIDES, line
from engine.army_ants.ruleset import ARMY_ANTS
from engine.army_ants.state import Pass, attack, march, move_out, swap
from engine.verify import UNFINISHED, verify
from tests.engine.army_ants.referee import Referee
from tests.engine.army_ants.table import BATTLE, DEAL, after, states
from tests.engine.worst import calls, peak

RED = ("a1~b1", "a1~a2", "b1~b2", "d1~e1", "d1~d2", "e1~e2")
BLACK = ("a8~b8", "a7~a8", "d8~e8", "d7~d8", "b7~b8")
"""Swaps that are always legal as long as nobody attacks."""
MOST = 5_000


def is_over(tokens: str) -> bool:
    return ARMY_ANTS.outcome(after(tokens)) is not None


def rounds(reds: Sequence[int], blacks: Sequence[int]) -> str:
    """Return swaps by their numbers, alternating red's and black's."""
    return " ".join(f"{RED[red]} {BLACK[black]}" for red, black in zip(reds, blacks, strict=True))


@pytest.mark.parametrize("block", [(0,), (0, 1), (0, 1, 2), (0, 0, 1), (0, 1, 0, 2), (0, 1, 2, 3, 4)])
def test_block_repeated_four_times_is_a_draw_but_not_one_action_earlier(block: tuple[int, ...]) -> None:
    *most, last = rounds(block * 4, (0,) * len(block) * 4).split()

    assert not is_over(f"{BATTLE} {' '.join(most)}")
    assert is_over(f"{BATTLE} {' '.join(most)} {last}")


@pytest.mark.parametrize(
    ("reds", "blacks"),
    [
        ((0, 0, 0, 1, 0, 0, 0), (0,) * 7),
        ((0, 1) * 3 + (0, 2), (0,) * 8),
        ((0, 1, 0, 1, 2, 0, 1, 0, 1), (0,) * 9),
        ((0,) * 6, (0, 1, 2, 0, 1, 0)),
    ],
)
def test_almost_identical_series_is_not_a_draw(reds: tuple[int, ...], blacks: tuple[int, ...]) -> None:
    assert not is_over(f"{BATTLE} {rounds(reds, blacks)}")


def test_what_came_before_the_series_does_not_matter() -> None:
    assert is_over(f"{BATTLE} {rounds((1, 0, 2, 0, 0, 0, 0), (1, 0, 1, 0, 0, 0, 0))}")


def test_a_series_may_begin_with_black() -> None:
    assert is_over(f"{BATTLE} {RED[1]} " + f"{BLACK[0]} {RED[0]} " * 4)


def test_the_setup_phase_does_not_count() -> None:
    setup = f"{RED[0]} {BLACK[0]} " * 5

    assert not is_over(setup + f"{RED[0]} {BLACK[0]} " * 3)
    assert is_over(setup + f"{RED[0]} {BLACK[0]} " * 4)


def test_another_spelling_of_the_same_step_breaks_a_series() -> None:
    to_and_fro = "b4N1 a8~b8 b5S1 a8~b8 "

    assert is_over(f"{BATTLE} {to_and_fro * 4}")
    assert not is_over(f"{BATTLE} {to_and_fro * 3} b4>b5 a8~b8 b5S1 a8~b8")


def test_every_action_has_its_own_signature() -> None:
    cells = range(len(NAMES))
    pairs = [(one, other) for one in cells for other in cells if one != other]
    runs = [(one, other) for one in cells for other in cells if one <= other and line(one, other)]
    signs = [
        Pass().sign,
        *chain.from_iterable((swap(*pair).sign, move_out(*pair).sign, attack(*pair).sign) for pair in pairs),
        *(march(*run, side, steps).sign for run in runs for side in range(len(SIDES)) for steps in range(1, 8)),
    ]

    assert len(set(signs)) == len(signs) == 11_961
    assert all(len(sign) == 1 and not "\ud800" <= sign <= "\udfff" for sign in signs)


@given(st.lists(st.sampled_from([(0, 0), (0, 0), (0, 0), (1, 0), (1, 1)]), max_size=60))
def test_engine_finds_a_series_where_the_slow_referee_does(played: list[tuple[int, int]]) -> None:
    referee = Referee({"Setup": DEAL})
    for token in BATTLE.split():
        referee.play(token)
    state = after(BATTLE)
    for red, black in played:
        for token in (RED[red], BLACK[black]):
            if referee.phase != "over":
                referee.play(token)
                state = ARMY_ANTS.apply(state, ARMY_ANTS.parse_action(token))
            assert (ARMY_ANTS.outcome(state) is None) == (referee.phase != "over")


def test_states_reached_by_the_same_actions_are_equal() -> None:
    tokens = f"{BATTLE} {rounds([at % 5 for at in range(120)], [at // 3 % 4 for at in range(120)])}"

    assert states(tokens) == states(tokens)
    assert hash(tuple(states(tokens))) == hash(tuple(states(tokens)))


# Worst-case records


def fibonacci() -> Iterator[int]:
    """Return the longest series of threefold repetitions without a fourth."""
    before, word = [0], [0, 1]
    while len(word) < MOST:
        before, word = word, word + before
    return iter(word)


def thrice() -> Iterator[int]:
    """Return the sequence so far three times and then something else, repeatedly."""
    word, sign = [0], 1
    while len(word) < MOST:
        word, sign = [*word * 3, sign], 3 - sign
    return iter(word)


def parity() -> Iterator[int]:
    return (at.bit_count() % 2 for at in range(MOST))


def once_long() -> Iterator[int]:
    """Return a series of a quarter of the game that almost ends it."""
    quarter = list(islice(parity(), MOST // 8 - 1))
    return iter(quarter * 4)


def slow_record(word: Callable[[], Iterator[int]]) -> Record:
    reds = list(islice(word(), (MOST - 10) // 2))
    played = rounds(reds, [0] * len(reds)).split()
    setup = f"{RED[0]} {BLACK[0]} " * 5
    head = "".join(f'[{name} "{value}"]\n' for name, value in TAGS.items())
    return Record(1, 1, "text", f"{head}\n{setup} {' '.join(played[:-1])}\n*\n".encode())


TAGS = {"Game": "Army Ants", "Rules": "standard", "Seats": "R B", "Red": "Ada", "Black": "Bruno"}
TAGS |= {"Setup": DEAL, "Result": "*"}
CALLS = 300_000
"""About ten million calls take a second of CPU."""
HELD = 16 * 2**20

every_word = pytest.mark.parametrize("word", [fibonacci, thrice, parity, once_long], ids=lambda word: word.__name__)


@every_word
def test_worst_case_record_is_verified_in_bounded_work(word: Callable[[], Iterator[int]]) -> None:
    record = slow_record(word)

    assert verify(record).verdict == UNFINISHED
    assert calls(partial(verify, record)) < CALLS


@every_word
def test_worst_case_record_is_verified_in_bounded_memory(word: Callable[[], Iterator[int]]) -> None:
    assert peak(partial(verify, slow_record(word))) < HELD
