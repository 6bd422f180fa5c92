"""The same play of Army Ants has the same likeness in every notation; another play has another one."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from engine.agn.canonical import format_tags
from engine.army_ants.ruleset import ARMY_ANTS
from engine.openings import opening_numbers
from engine.replay.openings import opening_of
from engine.replay.positions import position_numbers
from engine.verify import Verdict, verify_bytes
from tests.engine.army_ants.bots import game
from tests.strategies import cut_short, play, recorded

COLUMN = {"a": "e", "b": "d", "c": "c", "d": "b", "e": "a"}
SIDE = {"N": "N", "E": "W", "S": "S", "W": "E"}


def cell(name: str) -> str:
    return COLUMN[name[0]] + name[1]


def mirrored(token: str) -> str:
    """Return a mirrored token."""
    if token in ("QG", "pass", "draw") or ":" in token:
        return token
    if "~" in token:
        return "~".join(sorted(map(cell, token.split("~"))))
    for sign in ">x":
        if sign in token:
            return sign.join(map(cell, token.split(sign)))
    run, side, steps = token[:-2], token[-2], token[-1]
    return "-".join(sorted(map(cell, run.split("-")))) + SIDE[side] + steps


def in_mirror(tags: Mapping[str, str], tokens: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the same game with west and east swapped."""
    rows = tags["Setup"].split("/")
    return {**tags, "Setup": "/".join(row[::-1] for row in rows)}, [mirrored(token) for token in tokens]


def verified(tags: Mapping[str, str], tokens: Sequence[str], result: str) -> Verdict:
    (verdict,) = verify_bytes(f"{format_tags({**tags, 'Result': result})}\n{' '.join(tokens)} {result}\n".encode())
    return verdict


def numbers(verdict: Verdict) -> list[int]:
    assert verdict.replay
    return [*position_numbers(verdict.replay), *opening_numbers("", opening_of(verdict.replay))]


def check(tags: Mapping[str, str], tokens: Sequence[str], result: str) -> None:
    """Assert that a game and its mirror image are legal, end alike and share likeness, positions and opening."""
    plain, other = verified(tags, tokens, result), verified(*in_mirror(tags, tokens), result)

    assert plain.likeness
    assert (other.verdict, other.outcome, other.likeness) == (plain.verdict, plain.outcome, plain.likeness)
    assert numbers(other) == numbers(plain)


@pytest.mark.parametrize("number", range(len(recorded(ARMY_ANTS))))
def test_a_recorded_game_is_the_same_in_the_mirror(number: int) -> None:
    replay = recorded(ARMY_ANTS)[number]

    check(replay.tags, replay.actions, replay.result)


@pytest.mark.parametrize("styles", ["random", "hunter,gambiteer", "trader,hunter"])
def test_any_game_is_the_same_in_the_mirror(styles: str) -> None:
    for seed in range(70, 80):
        one = game(styles, seed)
        check(one.tags, one.tokens, one.result)
        half = cut_short(one, len(one.tokens) // 2)
        check(half.tags, half.tokens, half.result)


def test_symmetric_deal_has_the_same_likeness_in_both_views() -> None:
    deal = "23.32/45654/78987/A6Q9A/A6Q9A/78987/45654/23.32"
    tags = {"Game": "Army Ants", "Rules": "standard", "Seats": "R B", "Red": "Ada", "Black": "Bo", "Setup": deal}
    for seed in range(6):
        one = play(ARMY_ANTS, {**tags, "Result": "*"}, Random(seed))
        check(one.tags, one.tokens, one.result)
